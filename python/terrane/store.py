"""A Dataset as Zarr that says while it is incomplete, and that is gone on with where it was left."""

from __future__ import annotations

import os

try:
    import xarray as xr
    import zarr
except ImportError as missing:
    raise ImportError(f"write_zarr() needs xarray, Dask and zarr: pip install xarray 'dask[array]' zarr ({missing})") from missing

from .errors import FileError, InvalidArgumentError

__all__ = ["write_zarr"]

_MARK = "incomplete_after_rows"


def write_zarr(dataset: xr.Dataset, path: str | os.PathLike[str], *, resume: bool = False) -> None:
    """Write a Dataset of Dask to a new Zarr folder, one row of chunks after another: each is made by all workers.

    dataset  part of open_world(), or what has been made of it: variables of dimensions y and x in chunks of one size
    path     a folder that is not there yet
    resume   go on with a folder that an earlier call for the same Dataset has left incomplete, and leave a complete one as it is

    Until all is written the group has the attribute incomplete_after_rows: so many rows of samples are there.

    Raises FileError where there is something else at the path; InvalidArgumentError; ImportError without xarray, Dask and zarr"""
    name = os.fspath(path)
    rows = dataset.chunksizes.get("y")
    if not rows:
        raise InvalidArgumentError("the dataset has no chunks along y, expected a selected part of open_world()")
    if not os.path.lexists(name):
        dataset.assign_attrs({_MARK: 0}).to_zarr(name, mode="w-", compute=False, consolidated=False)
    elif not resume:
        raise FileError(f"{name!r} exists already; resume=True goes on with one that is incomplete")
    done = _rows_written(dataset, name)
    group = zarr.open_group(name, mode="r+")
    first = 0
    for count in rows:
        if first >= done:
            region = {"y": slice(first, first + count)}
            part = dataset.isel(region)
            part.drop_vars(list(part.coords)).to_zarr(name, region=region, consolidated=False)
            group.attrs[_MARK] = first + count
        first += count
    if _MARK in group.attrs:
        del group.attrs[_MARK]


def _rows_written(dataset: xr.Dataset, name: str) -> int:
    """Rows of samples that a folder holds of this dataset."""
    try:
        stored = xr.open_zarr(name, consolidated=False, decode_coords="all")
    except (OSError, ValueError, KeyError) as error:
        raise FileError(f"{name!r} is no Zarr group that can be read: {error}") from error
    written = stored.attrs.pop(_MARK, dataset.sizes["y"])
    is_same = (
        stored.attrs == dataset.attrs
        and set(stored.data_vars) == set(dataset.data_vars)
        and all(stored[v].dtype == dataset[v].dtype and stored[v].sizes == dataset[v].sizes for v in dataset.data_vars)
        and all(stored[c].equals(dataset[c]) for c in ("x", "y"))
        and stored.chunksizes == dataset.chunksizes
    )
    if not is_same:
        raise FileError(f"{name!r} holds another dataset, or the same one in other chunks")
    return int(written)
