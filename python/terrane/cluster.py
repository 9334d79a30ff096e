"""A cluster of Dask on one machine with a worker process for each GPU."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

try:
    from distributed import LocalCluster, Nanny
except ImportError as missing:
    raise ImportError(f"terrane.cluster needs distributed: pip install distributed ({missing})") from missing

from . import _core
from .device import devices
from .errors import BackendError

__all__ = ["gpu_cluster", "visible_gpus"]


def visible_gpus() -> list[str]:
    """The GPUs that this process may use, as CUDA_VISIBLE_DEVICES names them: numbers or UUIDs. Without that variable
    the process may use all GPUs.

    CUDA ignores an entry that does not name a device, such as -1, and all entries after it."""
    listed = os.environ.get("CUDA_VISIBLE_DEVICES")
    if listed is None:
        return [str(number) for number in range(len(devices()))]
    names = [name.strip() for name in listed.split(",")]
    ends = [n for n, name in enumerate(names) if name in ("", "-1")]
    return names[: ends[0]] if ends else names


def gpu_cluster(
    gpus: Sequence[int | str] | None = None, *, threads_per_worker: int = 1, **options: Any
) -> LocalCluster:
    """A LocalCluster of distributed with a worker process for each GPU. A worker sees only its GPU, and there this GPU
    has the number 0.

    gpus                numbers or UUIDs, as in CUDA_VISIBLE_DEVICES; None: all GPUs that this process may use. A GPU
                        that is listed twice has two workers
    threads_per_worker  threads of each worker, 1 or more; calls of World take turns on the GPU
    options             options of LocalCluster, except n_workers

    Worlds for the workers must have gpu=0, which is the default. A worker that is restarted has the same GPU.

    Raises BackendError if there is no GPU."""
    names = visible_gpus() if gpus is None else [str(gpu) for gpu in gpus]
    if not names:
        why = "CUDA_VISIBLE_DEVICES names none" if "CUDA_VISIBLE_DEVICES" in os.environ else _core.why_no_devices()
        raise BackendError(f"no GPU for a worker: {why}")
    return LocalCluster(
        n_workers=len(names), threads_per_worker=threads_per_worker, worker_class=_GpuNanny, gpus=names, **options
    )  # type: ignore[no-untyped-call, unused-ignore]


class _GpuNanny(Nanny):
    """Starts a worker process whose CUDA sees one GPU. CUDA reads the variable at its first use, so it is set before
    the worker starts."""

    def __init__(self, *args: Any, gpus: Sequence[str], **options: Any) -> None:
        own = {"CUDA_VISIBLE_DEVICES": gpus[options["name"] % len(gpus)]}
        options["env"] = {**(options.get("env") or {}), **own}
        super().__init__(*args, **options)  # type: ignore[no-untyped-call, unused-ignore]
