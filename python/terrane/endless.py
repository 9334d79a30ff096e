"""A layer of a whole world as an array for xarray. A selection of samples is an array of Dask."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr
from numpy.lib.mixins import NDArrayOperatorsMixin

from .errors import InvalidArgumentError
from .graph import DTYPE, Water, layer_array
from .lattice import SELECT_FIRST, inside
from .world import World

__all__ = ["EndlessLayer", "EndlessVariable"]

CHUNKS_MAX = 1 << 20
POINTS_MAX = 1 << 26


class EndlessLayer(NDArrayOperatorsMixin):
    """A layer of a world from end to end. It stores no values: only the samples of selections are made.

    Slices give an array of Dask if it has at most CHUNKS_MAX chunks, and a smaller EndlessLayer otherwise. Integer
    arrays in both directions give the samples at those points, as a numpy array."""

    dtype = DTYPE

    def __init__(
        self,
        world: World,
        layer: str,
        lod: int,
        water: Water,
        chunk: tuple[int, int],
        axes: tuple[range | int, range | int],
    ) -> None:
        self._source = (world, layer, lod, water)
        self._chunk = chunk  # rows and columns of a chunk of a selection
        self._axes = axes  # rows and columns: a range of samples, or a single selected sample

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of rows and columns, without dimensions in which a single sample was selected."""
        return tuple(len(axis) for axis in self._axes if isinstance(axis, range))

    @property
    def ndim(self) -> int:
        """Number of remaining dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of samples."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Bytes that all samples would need."""
        return self.size * self.dtype.itemsize

    def __getitem__(self, key: Any) -> Any:
        keys = list(key if isinstance(key, tuple) else (key,))
        keys += [slice(None)] * (self.ndim - len(keys))
        axes = [self._select(axis, keys) for axis in self._axes]
        if any(isinstance(axis, np.ndarray) for axis in axes):
            return self._points(axes)
        part = EndlessLayer(*self._source, self._chunk, (axes[0], axes[1]))
        return part._window() if part._is_short() else part

    @staticmethod
    def _select(axis: range | int, keys: list[Any]) -> Any:
        """Apply a key to an axis. Returns the remaining samples."""
        if isinstance(axis, int):
            return axis
        key = keys.pop(0)
        if isinstance(key, slice):
            return axis[key]
        if np.ndim(key) == 0:
            return axis[operator.index(key)]
        return axis.start + inside(key, len(axis)) * axis.step

    def _is_short(self) -> bool:
        counts = (_span(axis) // side + 1 for axis, side in zip(self._axes, self._chunk, strict=True))
        return math.prod(counts) <= CHUNKS_MAX

    def in_chunks(self, sides: Sequence[int | None]) -> EndlessLayer:
        """The same layer, whose selections get another chunk size: samples along each dimension, None: no change."""
        given = iter(sides)
        wanted = [next(given) if isinstance(axis, range) else None for axis in self._axes]
        rows, columns = (side or old for side, old in zip(wanted, self._chunk, strict=True))
        return EndlessLayer(*self._source, (rows, columns), self._axes)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        world, *source = self._source
        return "terrane.EndlessLayer", world.__dask_tokenize__(), *source, self._chunk, self._axes

    def _window(self) -> Any:
        """The selection as an array of Dask. It is cut out of the array of all samples between the first and the last
        one."""
        rows, columns = (_between(axis) for axis in self._axes)
        whole = layer_array(*self._source, self._chunk, rows, columns)
        picks = tuple(slice(None, None, axis.step) if isinstance(axis, range) else 0 for axis in self._axes)
        return whole if picks == (slice(None, None, 1),) * 2 else whole[picks]

    def _points(self, axes: list[Any]) -> np.ndarray[Any, Any]:
        """Samples at points. If one direction has an array and the other one a slice: the samples where the listed rows
        (or columns) cross the columns (or rows) of the slice."""
        lists = [a for a in axes if not isinstance(a, int)]
        if any(isinstance(a, range) and len(a) > POINTS_MAX for a in lists):
            raise InvalidArgumentError(SELECT_FIRST)
        if any(isinstance(a, range) for a in lists):  # a list in one direction and a slice in the other
            parts = np.ix_(*(np.asarray(a).ravel() for a in lists))
            rest = iter(parts)
            axes = [a if isinstance(a, int) else next(rest) for a in axes]
        rows, columns = np.broadcast_arrays(*axes)
        if rows.size > POINTS_MAX:
            raise InvalidArgumentError(SELECT_FIRST)
        world, layer, lod, water = self._source
        samples = np.stack([columns, rows], axis=-1)
        points = samples << lod if lod >= 0 else np.ldexp(samples.astype(np.float64), lod)
        if layer == "height" and lod >= 0:
            return world.at(points, lod)
        return world.layers_at([layer], points, lod, water=water if layer == "water" else "point")[layer]

    # ---- operations of arrays that are not supported before a selection ----

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise InvalidArgumentError(SELECT_FIRST)

    def __array_ufunc__(self, *args: Any, **kwargs: Any) -> Any:
        raise InvalidArgumentError(SELECT_FIRST)

    def transpose(self, *args: Any) -> Any:
        """Not supported: select a part first."""
        raise InvalidArgumentError(SELECT_FIRST)

    def __array_function__(self, *args: Any, **kwargs: Any) -> Any:
        raise InvalidArgumentError(SELECT_FIRST)

    def __repr__(self) -> str:
        return f"<terrane.EndlessLayer: {self._source[1]} of {' x '.join(map(str, self.shape))} samples>"

    def _repr_inline_(self, max_width: int) -> str:
        return "made where it is read"


class EndlessVariable(xr.Variable):
    """An EndlessLayer as a variable of a Dataset.

    It stores the chunk size that its selections get. It stores no list of its own chunks, because the list would be too
    long."""

    __slots__ = ()

    def chunk(self, *args: Any, **options: Any) -> Any:
        """The same variable, whose selections get another chunk size: a number of samples for all dimensions, or one
        for each dimension."""
        chunks = args[0] if args else options.get("chunks", {})
        if isinstance(chunks, (tuple, list)):
            chunks = dict(zip(self.dims, chunks, strict=False))
        elif not isinstance(chunks, Mapping):
            chunks = dict.fromkeys(self.dims, chunks)
        given = {**options, **chunks}
        layer: Any = self._data
        sides = [_chunk_side(dim, given.get(dim), size) for dim, size in zip(self.dims, layer.shape, strict=True)]
        return self._replace(data=layer.in_chunks(sides))

    def _replace(self, *args: Any, **changes: Any) -> Any:
        """A selection becomes an ordinary variable."""
        made = super()._replace(*args, **changes)
        if isinstance(made._data, EndlessLayer):
            return made
        return xr.Variable(made._dims, made._data, made._attrs, made._encoding, fastpath=True)


def _chunk_side(dim: Any, value: Any, size: int) -> int | None:
    """Samples per side of a chunk for a value that was passed to chunk(): `size` for -1, None for no change."""
    if value is None or value == "auto":
        return None
    if value == -1:
        return size
    if isinstance(value, (int, np.integer)) and value >= 1:
        return int(value)
    expected = "expected a number of samples, or -1: all that is selected"
    raise InvalidArgumentError(f"chunks of {dim} are {value!r}, {expected}")


def _span(axis: range | int) -> int:
    return 1 if isinstance(axis, int) else len(axis) * abs(axis.step)


def _between(axis: range | int) -> range:
    """The range of all samples from the first to the last one of an axis."""
    if isinstance(axis, int):
        return range(axis, axis + 1)
    if axis.step < 1:
        raise InvalidArgumentError(f"the land is selected with step {axis.step}, expected 1 or more")
    return range(axis.start, axis[-1] + 1) if len(axis) else range(axis.start, axis.start)
