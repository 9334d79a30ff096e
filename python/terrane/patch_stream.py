"""Patches as a stream for PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

try:
    from torch.utils.data import (  # type: ignore[import-not-found, unused-ignore]
        IterableDataset,
        get_worker_info,
    )
except ImportError as missing:
    raise ImportError(f"terrane.patch_stream needs PyTorch: pip install torch ({missing})") from missing

from .arguments import count
from .patches import Patches

__all__ = ["PatchStream"]


class PatchStream(IterableDataset):  # type: ignore[misc, type-arg, unused-ignore]
    """The batches of Patches, one after another, for torch.utils.data.DataLoader(stream, batch_size=None,
    num_workers=...). Worker k of n makes batches k, k + n, ...

    patches  the data set
    indices  in their order; None: all
    batch    patches that are made together: each batch is a dict of arrays of shape (batch, size, size)"""

    def __init__(self, patches: Patches, indices: Sequence[int] | None = None, *, batch: int = 32) -> None:
        super().__init__()
        self.patches = patches
        self.indices = range(len(patches)) if indices is None else indices
        self.batch = count("batch", batch)

    def __len__(self) -> int:
        return -(-len(self.indices) // self.batch)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        info = get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        for number in range(first, len(self), step):
            yield self.patches.batch(self.indices[number * self.batch : (number + 1) * self.batch])
