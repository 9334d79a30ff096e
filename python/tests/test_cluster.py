"""Which GPU a worker process gets. The workers of these tests need no GPU: they return the environment variable that
CUDA would read, and compute land on the CPU."""

import os

import numpy as np
import pytest

import terrane

pytest.importorskip("distributed", reason="distributed is missing")
pytest.importorskip("xarray", reason="xarray is missing")

import dask  # noqa: E402
import distributed  # noqa: E402

from terrane import cluster  # noqa: E402

VARIABLE = "CUDA_VISIBLE_DEVICES"


@pytest.mark.parametrize(
    ("value", "gpus"),
    [
        ("0,2", ["0", "2"]),
        ("3", ["3"]),
        ("1, GPU-8a5f", ["1", "GPU-8a5f"]),
        ("2,-1,0", ["2"]),
        ("", []),
        ("-1", []),
        (",1", []),
    ],
)
def test_gpus_that_the_variable_names(monkeypatch, value, gpus):
    monkeypatch.setenv(VARIABLE, value)
    assert cluster.visible_gpus() == gpus


@pytest.mark.parametrize("count", [0, 1, 4])
def test_all_gpus_without_the_variable(monkeypatch, count):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(cluster, "devices", lambda: [None] * count)
    assert cluster.visible_gpus() == [str(n) for n in range(count)]


def test_no_gpu(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")
    with pytest.raises(terrane.BackendError, match="no GPU for a worker: CUDA_VISIBLE_DEVICES names none"):
        cluster.gpu_cluster()
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr(cluster, "devices", list)
    with pytest.raises(terrane.BackendError, match="no GPU for a worker"):
        cluster.gpu_cluster()


def visible_devices():
    return os.environ[VARIABLE]


def test_a_worker_for_each_gpu(alps):
    """Each worker gets its GPU, also after a restart, and workers compute the right land."""
    with (
        dask.config.set({"distributed.diagnostics.nvml": False}),  # else the worker looks for GPUs 5 and 3
        cluster.gpu_cluster(["5", 3], dashboard_address=None) as workers,
        distributed.Client(workers) as client,
    ):
        gpus = client.run(visible_devices)
        assert sorted(gpus.values()) == ["3", "5"] and len({client.run(os.getpid)[worker] for worker in gpus}) == 2
        client.restart()
        assert sorted(client.run(visible_devices).values()) == ["3", "5"]
        part = terrane.open_world(terrane.World("alps", backend="cpu"), chunks=50).sel(x=slice(0, 199), y=slice(0, -99))
        assert np.array_equal(part.height, alps.heights(0, 0, 200, 100))


def test_each_worker_has_its_device(device):
    """On a machine with GPUs every worker uses CUDA and sees one device."""
    with cluster.gpu_cluster(dashboard_address=None) as workers, distributed.Client(workers) as client:
        seen = client.run(lambda: (len(terrane.devices()), terrane.World("alps").backend))
        assert len(seen) == len(cluster.visible_gpus()) and set(seen.values()) == {(1, "cuda")}
