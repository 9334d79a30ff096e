"""A Dataset as Zarr that says while it is incomplete, and that is gone on with where it was left."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

try:
    import xarray as xr
    import zarr

    from .plan import Plan
except ImportError as missing:
    raise ImportError(
        f"write_zarr() needs xarray, Dask and zarr: pip install xarray 'dask[array]' zarr ({missing})"
    ) from missing

from .errors import Error, FileError, InvalidArgumentError
from .folder import (
    Checksum,
    checksum,
    file_names,
    lock_folder,
    new_folder,
    remove_orphans,
    replace_file,
    scratch_folder,
    sync,
)
from .record import INCOMPLETE, Record, created_files, set_incomplete

__all__ = ["write_zarr"]

_THREADS = 8  # that read files and wait for the disk
_TORN = re.compile(r"\.[0-9a-f]{32}\.partial$|\.part-[0-9a-v]{13}$")  # of Zarr and replace_file(), when they are killed


def write_zarr(dataset: xr.Dataset, path: str | os.PathLike[str], *, resume: bool = False) -> None:
    """Write a Dataset of Dask to a new Zarr folder, one row of chunks after another: each is made by all workers.

    dataset  part of open_world(), or what has been made of it, with chunks along y
    path     a folder that is not there yet
    resume   go on with a folder that an earlier call for the same Dataset has left incomplete. What it has finished is
             checked, and what is lost or has changed is made again, also of a complete one

    The folder appears with all metadata and coordinates in it, and gets its chunks after that. Until all are written
    the group has the attribute incomplete_after_rows: so many rows of samples are there. Chunks are as long as the
    longest ones of Dask.

    Raises FileError where there is something else at the path, where another call writes it, or where the disk is full,
    after which it can be gone on with; InvalidArgumentError; ImportError without xarray, Dask and zarr"""
    plan = Plan(dataset)
    name = _folder_name(path)
    with _file_errors(name):
        if not os.path.lexists(name):
            with new_folder(name, lambda folder: _fill(plan, folder)):
                _write_rows(plan, name, Record.read(name))
        elif not resume:
            raise FileError(f"{name!r} exists already; resume=True goes on with one that is incomplete")
        else:
            lock = lock_folder(name)
            try:
                _write_rows(plan, name, _checked_record(plan, name))
            finally:
                os.close(lock)


def _folder_name(path: str | os.PathLike[str]) -> str:
    """The folder's full name: workers may have another working directory."""
    name = os.fsdecode(path)
    if "://" in name:
        raise InvalidArgumentError(f"path is {name!r}, expected a folder of this machine")
    return os.path.abspath(name)


@contextlib.contextmanager
def _file_errors(name: str) -> Iterator[None]:
    try:
        yield
    except Error:
        raise
    except OSError as error:
        goes_on = "; resume=True goes on with it" if os.path.lexists(name) else ""
        raise FileError(f"cannot write {name!r}: {error}{goes_on}") from error


def _fill(plan: Plan, folder: str) -> None:
    """All that a folder begins with: metadata, coordinates, variables without rows, and the record."""
    template = plan.template().assign_attrs({INCOMPLETE: 0})
    try:
        template.to_zarr(folder, mode="w-", compute=False, consolidated=False, safe_chunks=False)
    except (Error, OSError):
        raise
    except (TypeError, ValueError, NotImplementedError) as error:
        raise InvalidArgumentError(f"the dataset cannot be written as Zarr: {error}") from error
    Record.create(folder, plan.banded[0], plan.identity)


# ---- rows of chunks ----


def _write_rows(plan: Plan, name: str, record: Record) -> None:
    """Check the rows of chunks that are finished, and make the other ones."""
    with ThreadPoolExecutor(_THREADS) as pool:
        missing = [row for row in range(len(plan.rows)) if not _is_whole(name, record.files(row), pool)]
        group = zarr.open_group(name, mode="r")
        for row in missing:
            region = plan.rows[row]
            set_incomplete(name, region.start)
            plan.part(region).to_zarr(name, region={"y": region}, consolidated=False)
            files = [f"{variable}/{key}" for variable in plan.banded for key in _chunk_keys(group, plan, variable, row)]
            record.add(row, _finished(name, files, pool))
    set_incomplete(name, None)


def _is_whole(name: str, known: dict[str, Checksum | None] | None, pool: ThreadPoolExecutor) -> bool:
    """Whether the files of a row are those that were finished."""
    if known is None:
        return False
    found = pool.map(lambda file: checksum(os.path.join(name, file)), known)
    return list(found) == list(known.values())


def _chunk_keys(group: zarr.Group, plan: Plan, variable: str, row: int) -> Iterator[str]:
    """Files of the chunks of one row, in the folder of their variable."""
    array: Any = group[variable]
    for place in itertools.product(*plan.chunk_numbers(variable, row)):
        yield array.metadata.encode_chunk_key(place)


def _finished(name: str, files: list[str], pool: ThreadPoolExecutor) -> dict[str, Checksum | None]:
    """Bring the files of a row and the names of their folders to the disk."""
    sums = dict(zip(files, pool.map(lambda file: checksum(os.path.join(name, file), durable=True), files), strict=True))
    folders = {os.path.dirname(file) for file in files}
    while folders:
        for folder in folders:
            if os.path.isdir(os.path.join(name, folder)):  # none where all samples are missing ones
                sync(os.path.join(name, folder))
        folders = {os.path.dirname(folder) for folder in folders if folder}
    return sums


# ---- resume ----


def _checked_record(plan: Plan, name: str) -> Record:
    """The record of a folder that holds this dataset, with all that it began with."""
    remove_orphans(name)
    for file in file_names(name):
        if _TORN.search(file):
            os.unlink(os.path.join(name, file))
    record = Record.read(name)
    difference = plan.difference(record.identity)
    if difference:
        raise FileError(f"{name!r} holds another dataset, or the same one in other chunks: {difference}")
    changed = record.changed_files()
    if changed:
        _mend(plan, name, record, changed)
    return record


def _mend(plan: Plan, name: str, record: Record, changed: list[str]) -> None:
    """Make files anew that the folder began with."""
    with scratch_folder(name) as fresh:
        _fill(plan, fresh)
        made = created_files(fresh)
        for file in changed:
            if made.get(file) != record.created[file]:
                raise FileError(f"{file!r} of {name!r} is lost or has changed, and other versions have written it")
            os.makedirs(os.path.dirname(os.path.join(name, file)), exist_ok=True)
            with open(os.path.join(fresh, file), "rb") as content:
                replace_file(os.path.join(name, file), content.read())
