"""Patches in files: a tar file as WebDataset reads it, or a folder of Zarr."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import FileError, InvalidArgumentError
from .patches import Patches, PatchPlace

__all__ = ["write_shard"]

_PATCHES_A_BATCH = 64


def write_shard(
    patches: Patches, indices: Any, path: str | os.PathLike[str], *, replace: bool = False
) -> None:
    """Write the patches of some indices to one file. It appears under its name when it is complete.

    indices  one or more indices of the patches
    path     a name that ends in .tar or .zarr. With .tar: a shard of WebDataset, with files INDEX.LAYER.npy, and files
             INDEX.json, which tell the place; equal patches give equal shards. With .zarr: a folder with an array of
             shape (patches, rows, columns) for each layer, for pictures (..., channels), and the arrays index, x and z
    replace  whether an existing file or folder may be replaced

    Both have the identity of the patches: a tar file in its first entry, which readers of WebDataset skip, and a Zarr
    folder in its attribute `patches`.

    Raises InvalidArgumentError, FileError, and what Patches.batch() raises; ImportError for .zarr without zarr"""
    target = os.fspath(path)
    writers = {".tar": _write_tar, ".zarr": _write_zarr}
    ending = os.path.splitext(target)[1]
    if ending not in writers:
        raise InvalidArgumentError(f"path is {target!r}, expected a name that ends in .tar or .zarr")
    if os.path.lexists(target) and not replace:
        raise FileError(f"{target!r} exists, expected a new name, or replace=True")
    whole = [int(index) for index in np.atleast_1d(np.asarray(indices))]
    if not whole:
        raise InvalidArgumentError("indices are empty, expected one or more")
    parent = os.path.dirname(os.path.abspath(target))
    try:
        with tempfile.TemporaryDirectory(prefix=".terrane-", dir=parent) as folder:
            made = os.path.join(folder, "shard" + ending)
            writers[ending](patches, whole, made)
            if os.path.isdir(target) and not os.path.islink(target):
                shutil.move(target, os.path.join(folder, "replaced"))
            os.replace(made, target)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot write {target!r}: {error.strerror or error}") from error


def _batches(
    patches: Patches, indices: list[int]
) -> Iterator[tuple[list[int], list[PatchPlace], dict[str, NDArray[Any]]]]:
    for first in range(0, len(indices), _PATCHES_A_BATCH):
        part = indices[first : first + _PATCHES_A_BATCH]
        places = patches.places(part)
        yield part, places, patches.batch_at(places)


def _write_tar(patches: Patches, indices: list[int], path: str) -> None:
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, "__patches__/patches.json", _json(patches.identity()))
        for part, places, layers in _batches(patches, indices):
            for n, (index, place) in enumerate(zip(part, places, strict=True)):
                facts = {"index": index, "x": place.x, "z": place.z, "lod": place.lod, "stratum": place.stratum}
                _add(tar, f"{index:012d}.json", _json({**facts, "world": place.world.identity()}))
                for name, array in layers.items():
                    text = io.BytesIO()
                    np.save(text, array[n], allow_pickle=False)
                    _add(tar, f"{index:012d}.{name}.npy", text.getvalue())


def _json(content: Any) -> bytes:
    return json.dumps(content, indent=1).encode()


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o644
    tar.addfile(entry, io.BytesIO(content))


def _write_zarr(patches: Patches, indices: list[int], path: str) -> None:
    try:
        import zarr
    except ImportError as missing:
        raise ImportError(f"a shard of Zarr needs zarr: pip install zarr ({missing})") from missing
    group: Any = zarr.open_group(path, mode="w")
    group.attrs["patches"] = patches.identity()
    coordinates = {"index": np.asarray(indices, np.int64)}
    arrays: dict[str, Any] = {}
    done, places = 0, []
    for _, at, layers in _batches(patches, indices):
        for name, made in layers.items():
            if name not in arrays:
                shape, chunks = (len(indices), *made.shape[1:]), (1, *made.shape[1:])
                names = ["patch", "y", "x", "channel"][: len(shape)]
                arrays[name] = group.create_array(
                    name, shape=shape, chunks=chunks, dtype=made.dtype, dimension_names=names
                )
            arrays[name][done : done + len(at)] = made
        done += len(at)
        places += at
    for axis in ("x", "z"):
        coordinates[axis] = np.array([getattr(place, axis) for place in places])
    for name, values in coordinates.items():
        array = group.create_array(name, shape=values.shape, dtype=values.dtype, dimension_names=["patch"])
        array[:] = values
