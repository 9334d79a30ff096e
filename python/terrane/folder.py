"""Folders and files that get their names when they are complete, and that survive a loss of power."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import time
import zlib
from collections.abc import Callable, Iterator

from .errors import FileError

__all__ = [
    "Checksum",
    "checksum",
    "file_names",
    "lock_folder",
    "new_folder",
    "remove_orphans",
    "replace_file",
    "scratch_folder",
    "sync",
    "sync_tree",
]

Checksum = list[int]
"""Size and CRC-32 of a file, as a list for JSON."""

_INFIX = ".part-"  # like the temporary names of the program
_N_LETTERS = 13
_NAME_MAX = 255
_BLOCK = 1 << 20
_TRIES = 100


def sync(path: str) -> None:
    """Write a file, or the names in a folder, to the disk (fsync)."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: str) -> None:
    """Write all files in a folder and its subfolders to the disk, then the names in these folders."""
    for place, _, files in os.walk(folder, topdown=False):
        for file in files:
            sync(os.path.join(place, file))
        sync(place)


def checksum(path: str, *, durable: bool = False) -> Checksum | None:
    """Size and CRC-32 of a file; None if there is no file of this name. With `durable` the file is also written to the
    disk (fsync)."""
    try:
        with open(path, "rb", buffering=0) as file:
            size = crc = 0
            while block := file.read(_BLOCK):
                size, crc = size + len(block), zlib.crc32(block, crc)
            if durable:
                os.fsync(file.fileno())
            return [size, crc]
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def replace_file(path: str, content: bytes) -> None:
    """Replace the content of a file. After a crash it has either the old or the new content."""
    unfinished = f"{path}{_INFIX}{_letters()}"
    try:
        with open(unfinished, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
    sync(os.path.dirname(path))


def file_names(folder: str) -> list[str]:
    """All files in a folder and its subfolders, as relative paths. Raises FileError for links, because a link may lead
    out of the folder."""
    names = []
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            if os.path.islink(os.path.join(place, name)):
                path = os.path.join(place, name)
                raise FileError(f"{path!r} is a symbolic link, expected a file or a folder")
        names += [os.path.relpath(os.path.join(place, file), folder) for file in files]
    return names


def lock_folder(folder: str) -> int:
    """Lock a folder: while the returned descriptor is open, no other call writes the folder, even if it is renamed.
    File systems without locks, such as some network file systems, give no protection.

    Raises FileError if another call writes the folder"""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise FileError(f"{folder!r} is being written by another call") from None
    except OSError:
        pass
    return descriptor


@contextlib.contextmanager
def scratch_folder(path: str) -> Iterator[str]:
    """An empty folder beside a path. It is locked within the `with` block, and removed after the block unless it was
    renamed. Folders that killed calls have left beside the path are removed, too."""
    remove_orphans(path)
    folder, lock = _unfinished_folder(path)
    try:
        yield folder
    finally:
        os.close(lock)
        _remove_folder(folder)


@contextlib.contextmanager
def new_folder(path: str, fill: Callable[[str], None]) -> Iterator[None]:
    """A new folder. `fill` fills it under a temporary name beside the path. The folder gets its final name when all its
    content is on the disk. It is locked within the `with` block. If `fill` fails, no folder is left.

    Raises FileError if the path exists"""
    _make_folders(os.path.dirname(path))
    with scratch_folder(path) as unfinished:
        fill(unfinished)
        sync_tree(unfinished)
        if os.path.lexists(path):
            raise FileError(f"{path!r} exists already: another call has made it in the meantime")
        os.rename(unfinished, path)
        sync(os.path.dirname(path))
        yield


def _letters() -> str:
    return "".join(secrets.choice("0123456789abcdefghijklmnopqrstuv") for _ in range(_N_LETTERS))


def _unfinished_stem(path: str) -> str:
    """The beginning of the names of unfinished folders beside a path."""
    room = _NAME_MAX - len(_INFIX) - _N_LETTERS
    return os.path.basename(path).encode("utf-8", "surrogateescape")[:room].decode("utf-8", "ignore") + _INFIX


def _unfinished_folder(path: str) -> tuple[str, int]:
    """Make an unfinished folder beside a path. Returns it and the descriptor of its lock."""
    for _ in range(_TRIES):
        folder = os.path.join(os.path.dirname(path), _unfinished_stem(path) + _letters())
        os.mkdir(folder)
        # Before the folder is locked, another call may take it for a folder of a killed call, and remove it.
        with contextlib.suppress(FileNotFoundError, FileError):
            descriptor = lock_folder(folder)
            if os.path.lexists(folder):
                return folder, descriptor
            os.close(descriptor)
    raise FileError(f"cannot make a folder beside {path!r}: other calls remove it")


def remove_orphans(path: str) -> None:
    """Remove the unfinished folders that killed calls have left beside a path. Such folders have no lock. On file
    systems without locks they stay."""
    parent, stem = os.path.dirname(path), _unfinished_stem(path)
    for entry in list(os.scandir(parent)):
        is_ours = entry.name.startswith(stem) and len(entry.name) == len(stem) + _N_LETTERS
        if not is_ours or not entry.is_dir(follow_symlinks=False):
            continue
        with contextlib.suppress(OSError):
            descriptor = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove_folder(entry.path)
            finally:
                os.close(descriptor)


def _remove_folder(folder: str) -> None:
    """Remove a folder, even if threads of Zarr still write into it for a moment after an interruption."""
    for _ in range(50):
        if not os.path.lexists(folder):
            return
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.01)


def _make_folders(folder: str) -> None:
    """Make a folder and its parents, and write their names to the disk."""
    if not os.path.isdir(folder):
        _make_folders(os.path.dirname(folder))
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        sync(os.path.dirname(folder))
