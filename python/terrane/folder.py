"""Folders and files that appear complete under their names, and are there after a loss of power."""

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
"""Size and CRC-32 of a file, as JSON has it."""

_INFIX = ".part-"  # as the program names what it has not finished
_N_LETTERS = 13
_NAME_MAX = 255
_BLOCK = 1 << 20
_TRIES = 100


def sync(path: str) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: str) -> None:
    """Bring all files of a folder to the disk, then the names of the folders that they lie in."""
    for place, _, files in os.walk(folder, topdown=False):
        for file in files:
            sync(os.path.join(place, file))
        sync(place)


def checksum(path: str, *, durable: bool = False) -> Checksum | None:
    """Size and CRC-32 of a file, None where there is none. A durable one is brought to the disk."""
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
    """Give a file another content: after a crash it has the one or the other."""
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
    """Files of a folder and of those in it, as paths from there. Raises FileError for links, which lead out of it."""
    names = []
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            if os.path.islink(os.path.join(place, name)):
                path = os.path.join(place, name)
                raise FileError(f"{path!r} is a symbolic link, expected a file or folder of its own")
        names += [os.path.relpath(os.path.join(place, file), folder) for file in files]
    return names


def lock_folder(folder: str) -> int:
    """An open descriptor that keeps other calls from writing this folder, also after it gets another name. File systems
    without locks, as some of networks are, keep nobody away.

    Raises FileError where another call writes it"""
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
    """An empty folder beside a path, locked within the block and removed after it, unless it has another name by then.
    What calls that were killed have left there is removed too."""
    remove_orphans(path)
    folder, lock = _unfinished_folder(path)
    try:
        yield folder
    finally:
        os.close(lock)
        _remove_folder(folder)


@contextlib.contextmanager
def new_folder(path: str, fill: Callable[[str], None]) -> Iterator[None]:
    """A folder that `fill` has filled under another name beside it: it comes under its own name at once, with all that
    is in it on the disk. It is locked within the block. Where `fill` fails nothing is left.

    Raises FileError where there is something at the path"""
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
    """What the names of unfinished folders beside a path begin with."""
    room = _NAME_MAX - len(_INFIX) - _N_LETTERS
    return os.path.basename(path).encode("utf-8", "surrogateescape")[:room].decode("utf-8", "ignore") + _INFIX


def _unfinished_folder(path: str) -> tuple[str, int]:
    """A new folder beside a path and the descriptor of its lock."""
    for _ in range(_TRIES):
        folder = os.path.join(os.path.dirname(path), _unfinished_stem(path) + _letters())
        os.mkdir(folder)
        # Before it is locked another call may take it for one that a killed call has left.
        with contextlib.suppress(FileNotFoundError, FileError):
            descriptor = lock_folder(folder)
            if os.path.lexists(folder):
                return folder, descriptor
            os.close(descriptor)
    raise FileError(f"cannot make a folder beside {path!r}: other calls remove it")


def remove_orphans(path: str) -> None:
    """Remove what killed calls have left beside a path: unfinished folders that nobody has a lock on. File systems
    without locks keep them."""
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
    """Also one that threads of Zarr write into for a moment more, after an interrupt."""
    for _ in range(50):
        if not os.path.lexists(folder):
            return
        shutil.rmtree(folder, ignore_errors=True)
        time.sleep(0.01)


def _make_folders(folder: str) -> None:
    """A folder and those that it lies in, on the disk."""
    if not os.path.isdir(folder):
        _make_folders(os.path.dirname(folder))
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        sync(os.path.dirname(folder))
