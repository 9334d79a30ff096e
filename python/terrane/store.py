"""Writes a Dataset as Zarr. While the Zarr group is incomplete, an attribute says so. An interrupted call can be
resumed."""

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

_THREADS = 8  # threads that read files and wait for the disk
# Temporary names that Zarr and replace_file() leave if they are killed.
_TORN = re.compile(r"\.[0-9a-f]{32}\.partial$|\.part-[0-9a-v]{13}$")


def write_zarr(dataset: xr.Dataset, path: str | os.PathLike[str], *, resume: bool = False) -> None:
    """Write a Dataset of Dask to a new Zarr folder, one row of chunks after another. All workers of Dask share the
    chunks of a row.

    dataset  a part of open_world(), or data computed from it, with chunks along y
    path     a folder on this machine; it must not exist unless `resume` is true
    resume   continue a folder that an earlier call for the same Dataset has left incomplete. Its finished files are
             checked. Missing and changed files are made again, also in a complete folder

    The folder gets its name when all metadata and coordinates are in it; its chunks follow. Until all chunks are
    written, the group has the attribute incomplete_after_rows, the number of finished rows of samples. Along each
    dimension, the chunks of the folder are as long as Dask's longest chunk.

    Raises FileError if something else exists at the path, or if another call writes the folder, or if the disk is full.
    After a full disk the call can be resumed. Raises InvalidArgumentError, and ImportError without xarray, Dask and
    zarr"""
    plan = Plan(dataset)
    name = _folder_name(path)
    with _file_errors(name):
        if not os.path.lexists(name):
            with new_folder(name, lambda folder: _fill(plan, folder)):
                _write_rows(plan, name, Record.read(name))
        elif not resume:
            raise FileError(f"{name!r} exists already; resume=True continues an incomplete folder")
        else:
            lock = lock_folder(name)
            try:
                _write_rows(plan, name, _checked_record(plan, name))
            finally:
                os.close(lock)


def _folder_name(path: str | os.PathLike[str]) -> str:
    """The absolute path of a folder, because workers may have another working directory."""
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
        advice = "; resume=True continues the folder" if os.path.lexists(name) else ""
        raise FileError(f"cannot write {name!r}: {error}{advice}") from error


def _fill(plan: Plan, folder: str) -> None:
    """Write what a folder begins with: metadata, all variables that are not written row by row, and the record."""
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
    """Check the finished rows of chunks, and make the others."""
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
    """Whether the files of a row are unchanged since they were finished."""
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
    """Write the files of a row and the names in their folders to the disk. Returns their checksums."""
    sums = dict(zip(files, pool.map(lambda file: checksum(os.path.join(name, file), durable=True), files), strict=True))
    folders = {os.path.dirname(file) for file in files}
    while folders:
        for folder in folders:
            if os.path.isdir(os.path.join(name, folder)):  # Zarr makes no folder if all samples are missing
                sync(os.path.join(name, folder))
        folders = {os.path.dirname(folder) for folder in folders if folder}
    return sums


# ---- resume ----


def _checked_record(plan: Plan, name: str) -> Record:
    """Read the record of a folder, and check that the folder is of this dataset. Rewrite files that the folder
    began with and that are lost or damaged."""
    remove_orphans(name)
    for file in file_names(name):
        if _TORN.search(file):
            os.unlink(os.path.join(name, file))
    record = Record.read(name)
    _check_format(plan, name, record)
    difference = plan.difference(record.identity)
    if difference:
        raise FileError(f"{name!r} holds another dataset, or the same one in other chunks: {difference}")
    changed = record.changed_files()
    if changed:
        _mend(plan, name, record, changed)
    return record


def _check_format(plan: Plan, name: str, record: Record) -> None:
    """Refuse a folder whose land is of another world format. Its attribute `source` names the format."""
    found, expected = (
        re.search(r"world format (\d+)", str(identity["attributes"].get("source", "")))
        for identity in (record.identity, plan.identity)
    )
    if found and expected and found[1] != expected[1]:
        raise FileError(
            f"{name!r} is of world format {found[1]}, expected {expected[1]}: write it again to another folder, "
            "or continue with the version of terrane that began it"
        )


def _mend(plan: Plan, name: str, record: Record, changed: list[str]) -> None:
    """Rewrite the files in `changed`, which the folder began with and which are lost or have changed."""
    with scratch_folder(name) as fresh:
        _fill(plan, fresh)
        made = created_files(fresh)
        for file in changed:
            if made.get(file) != record.created[file]:
                raise FileError(
                    f"{file!r} of {name!r} is lost or has changed, and these versions of xarray and zarr write it in "
                    "another way: continue with the versions that began the folder"
                )
            os.makedirs(os.path.dirname(os.path.join(name, file)), exist_ok=True)
            with open(os.path.join(fresh, file), "rb") as content:
                replace_file(os.path.join(name, file), content.read())
