"""The record of the finished rows of chunks of a Zarr folder: a file with the checksums of all written files."""

from __future__ import annotations

import json
import os
import zlib
from typing import Any

from .errors import FileError
from .folder import Checksum, checksum, file_names, replace_file

__all__ = ["INCOMPLETE", "Record", "created_files", "set_incomplete"]

INCOMPLETE = "incomplete_after_rows"
"""Attribute that the Zarr group has until all is written: the number of finished rows of samples."""

_NAME = ".finished-chunks"
_FORMAT = 1
_GROUP_FILES = ("zarr.json", ".zattrs")  # file of the group's attributes, in the two formats of Zarr


class Record:
    """The record of one folder. The file lies in the folder of a variable, where readers of Zarr do not search for
    variables.

    A line has the CRC-32 of a JSON text, a space, and this text. The first line has the identity of the Dataset and the
    files that the folder began with. Each further line has the files of a row of chunks:

        {"row": 3, "files": {"height/c/3/0": [size, CRC-32], "height/c/3/1": null}}

    null: all samples of the chunk are missing, so Zarr stores no file. Lines are only appended. A line that is
    incomplete or has changed is ignored, so its row counts as not finished."""

    def __init__(self, folder: str, variable: str, lines: list[dict[str, Any]]) -> None:
        self._folder = folder
        self._path = os.path.join(folder, variable, _NAME)
        self.identity: dict[str, Any] = lines[0]["identity"]
        self.created: dict[str, Checksum] = lines[0]["created"]
        self._rows: dict[int, dict[str, Checksum | None]] = {line["row"]: line["files"] for line in lines[1:]}

    @classmethod
    def create(cls, folder: str, variable: str, identity: dict[str, Any]) -> None:
        """Begin the record of a folder that has no rows of chunks yet."""
        line = _line({"format": _FORMAT, "identity": identity, "created": created_files(folder)})
        replace_file(os.path.join(folder, variable, _NAME), line)

    @classmethod
    def read(cls, folder: str) -> Record:
        """Read the record of a folder."""
        try:
            variables = [entry.name for entry in os.scandir(folder) if os.path.lexists(os.path.join(entry.path, _NAME))]
        except OSError as error:
            raise FileError(f"cannot read {folder!r}: {error}") from error
        if len(variables) != 1:
            why = "it has no record of what is finished"
            raise FileError(f"{folder!r} is no Zarr group that write_zarr() has begun: {why}")
        path = os.path.join(folder, variables[0], _NAME)
        with open(path, "rb") as file:
            text = file.read()
        lines = [found for line in text.split(b"\n") if (found := _parsed(line)) is not None]
        if not lines or lines[0].get("format") != _FORMAT:
            raise FileError(f"{path!r} cannot be read: its first line, which describes the folder, has changed")
        record = cls(folder, variables[0], lines)
        if text != b"".join(map(_line, lines)):  # an incomplete last line, after a crash
            replace_file(path, b"".join(map(_line, lines)))
        return record

    def add(self, row: int, files: dict[str, Checksum | None]) -> None:
        """Record that a row of chunks is finished and on the disk."""
        with open(self._path, "ab") as file:
            file.write(_line({"row": row, "files": files}))
            file.flush()
            os.fsync(file.fileno())
        self._rows[row] = files

    def files(self, row: int) -> dict[str, Checksum | None] | None:
        """The files of a row of chunks; None if the row is not finished."""
        return self._rows.get(row)

    def changed_files(self) -> list[str]:
        """Files that the folder began with and that are missing or have changed."""
        return [file for file, known in self.created.items() if _created_checksum(self._folder, file) != known]


def created_files(folder: str) -> dict[str, Checksum]:
    """Checksums of all files of a folder. The checksum of the file with the group's attributes leaves out the attribute
    INCOMPLETE, because it changes."""
    sums = {file: _created_checksum(folder, file) for file in sorted(file_names(folder))}
    return {file: found for file, found in sums.items() if found is not None}


def set_incomplete(folder: str, rows: int | None) -> None:
    """Set the attribute INCOMPLETE to the number of finished rows of samples. None: all rows are finished, and the
    attribute is removed."""
    path = next(path for file in _GROUP_FILES if os.path.exists(path := os.path.join(folder, file)))
    with open(path, "rb") as file:
        group = json.load(file)
    attributes = _attributes(group, path)
    if attributes.get(INCOMPLETE) == rows:
        return
    if rows is None:
        del attributes[INCOMPLETE]
    else:
        attributes[INCOMPLETE] = rows
    replace_file(path, json.dumps(group, indent=2).encode())


def _attributes(group: dict[str, Any], path: str) -> dict[str, Any]:
    return group if path.endswith(".zattrs") else group["attributes"]


def _created_checksum(folder: str, file: str) -> Checksum | None:
    path = os.path.join(folder, file)
    if file not in _GROUP_FILES:
        return checksum(path)
    try:
        with open(path, "rb") as opened:
            group = json.load(opened)
        _attributes(group, path).pop(INCOMPLETE, None)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    text = json.dumps(group, sort_keys=True).encode()
    return [len(text), zlib.crc32(text)]


def _line(content: dict[str, Any]) -> bytes:
    text = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The content of a line; None if it is incomplete or has changed."""
    crc, _, text = line.partition(b" ")
    if crc != b"%08x" % zlib.crc32(text):
        return None
    content = json.loads(text)
    return content if isinstance(content, dict) else None
