"""Pictures: maps in memory, shown by notebooks and written as PNG."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import FileError

__all__ = ["Picture"]


class Picture:
    """A picture of shape (rows, columns, 3), 8-bit sRGB, the top row first. Notebooks show it, and numpy.asarray()
    returns its pixels."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self.pixels = pixels

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, columns and 3."""
        rows, columns, _ = self.pixels.shape
        return rows, columns, 3

    def png(self) -> bytes:
        """The picture as the bytes of a PNG file."""
        return _core.encode_png(self.pixels)

    def save(self, path: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Write a PNG file, which gets its name when it is complete. An existing file is replaced only if `replace` is
        true.

        Raises FileError."""
        if not replace and os.path.lexists(path):
            raise FileError(f"{os.fspath(path)!r} exists already; replace=True replaces it")
        _core.write_png(os.fspath(path), self.pixels, replace)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.pixels, dtype=dtype) if copy else np.asarray(self.pixels, dtype=dtype)

    def _repr_png_(self) -> bytes:
        return self.png()

    def __repr__(self) -> str:
        return f"<terrane.Picture: {self.shape[1]} x {self.shape[0]} pixels>"
