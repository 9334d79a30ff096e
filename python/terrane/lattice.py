"""Coordinates in metres along one side of a world: up to 2**47 + 1 values, which are not stored."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
from xarray import DataArray, Variable
from xarray.core.indexing import CoordinateTransformIndexingAdapter, IndexSelResult
from xarray.indexes import CoordinateTransform, CoordinateTransformIndex, Index, PandasIndex

from .errors import InvalidArgumentError

__all__ = ["LatticeIndex", "LatticeTransform", "inside"]

SELECT_FIRST = "the land has no end: select a part of it first, as in ds.sel(x=slice(0, 10000), y=slice(10000, 0))"

STORED_MAX = 1 << 24
"""A selection of at most this many coordinates gets an index of pandas, which supports all operations of xarray."""


class LatticeTransform(CoordinateTransform):
    """The coordinate of sample n is numbers[n] * factor + origin. `numbers` is a Python range. If origin is
    0, the coordinate is rounded only once."""

    def __init__(self, name: Hashable, numbers: range, factor: float, origin: float = 0.0) -> None:
        super().__init__([name], {str(name): len(numbers)}, dtype=np.dtype(np.float64))
        self.numbers = numbers
        self.factor = factor
        self.origin = origin

    @property
    def name(self) -> str:
        """Name of the dimension and its coordinate."""
        return str(self.coord_names[0])

    def forward(self, dim_positions: dict[str, Any]) -> dict[Hashable, Any]:
        """Coordinates of positions."""
        return {self.name: self.labels(inside(dim_positions[self.name], len(self.numbers)))}

    def labels(self, positions: Any) -> Any:
        """Coordinates of positions from 0 on."""
        return (self.numbers.start + np.asarray(positions, np.int64) * self.numbers.step) * self.factor + self.origin

    def reverse(self, coord_labels: dict[Hashable, Any]) -> dict[str, Any]:
        """Positions of coordinates, with fractions."""
        labels = np.asarray(coord_labels[self.name], np.float64)
        return {self.name: ((labels - self.origin) / self.factor - self.numbers.start) / self.numbers.step}

    def generate_coords(self, dims: tuple[str, ...] | None = None) -> dict[Hashable, Any]:
        """All coordinates. Raises InvalidArgumentError if there are more than STORED_MAX."""
        if len(self.numbers) > STORED_MAX:
            raise InvalidArgumentError(SELECT_FIRST)
        return super().generate_coords(dims)

    def equals(self, other: CoordinateTransform, **kwargs: Any) -> bool:
        """Whether all coordinates are the same."""
        return isinstance(other, LatticeTransform) and self._formula() == other._formula()

    def _formula(self) -> tuple[range, float, float]:
        return self.numbers, self.factor, self.origin

    def part(self, positions: slice) -> LatticeTransform:
        """The coordinates of a slice."""
        return LatticeTransform(self.name, self.numbers[positions], self.factor, self.origin)


class LatticeIndex(CoordinateTransformIndex):
    """Finds samples by their coordinates, with the rules of pandas: slices contain both ends and follow the order of
    the coordinates; single values must exist, unless method="nearest" is given."""

    transform: LatticeTransform

    @property
    def _name(self) -> str:
        return self.transform.name

    def create_variables(self, variables: Mapping[Any, Variable] | None = None) -> Any:
        """The coordinate as a variable that stores no values."""
        made = super().create_variables(variables)
        return {n: LatticeVariable(v._dims, v._data, v._attrs, v._encoding, fastpath=True) for n, v in made.items()}

    def isel(self, indexers: Mapping[Any, Any]) -> Index | None:
        """The index of a part: an index of pandas, or a LatticeIndex for a slice of more than STORED_MAX samples. None
        if the part has no dimension or several."""
        indexer = indexers[self._name]
        if isinstance(indexer, slice):
            part = self.transform.part(indexer)
            n = len(part.numbers)
            return LatticeIndex(part) if n > STORED_MAX else _stored(part, np.arange(n), self._name)
        if isinstance(indexer, Variable):
            return _stored(self.transform, indexer.data, str(indexer.dims[0])) if indexer.ndim == 1 else None
        return _stored(self.transform, np.asarray(indexer), self._name) if np.ndim(indexer) == 1 else None

    def sel(self, labels: dict[Any, Any], method: str | None = None, tolerance: Any = None) -> IndexSelResult:
        """Positions of a slice, of a coordinate, or of an array of coordinates."""
        label = labels[self._name]
        if isinstance(label, slice):
            if method is not None:
                raise NotImplementedError("a slice cannot be selected with a method")
            return IndexSelResult({self._name: self._positions_of_slice(label)})
        if method not in (None, "nearest"):
            raise InvalidArgumentError(f"method is {method!r}, expected 'nearest' or none")
        values = label.values if isinstance(label, (DataArray, Variable)) else np.asarray(label)
        positions = self._positions(values, method, tolerance)
        if isinstance(label, Variable):
            return IndexSelResult({self._name: Variable(label.dims, positions)})
        if isinstance(label, DataArray):
            return IndexSelResult({self._name: DataArray(positions, dims=label.dims, coords=label.coords)})
        return IndexSelResult({self._name: positions if positions.ndim else int(positions)})

    def _positions_of_slice(self, label: slice) -> slice:
        if label.step is not None and label.step < 1:
            raise InvalidArgumentError(f"the slice has step {label.step}, expected 1 or more")
        n = len(self.transform.numbers)
        first = 0.0 if label.start is None else self._position(label.start)
        last = n - 1.0 if label.stop is None else self._position(label.stop)
        if first > last and label.start is not None and label.stop is not None:
            raise InvalidArgumentError(self._wrong_order(label))
        begin, end = (int(min(max(place, 0), n)) for place in (np.ceil(first), np.floor(last) + 1))
        return slice(begin, end, label.step)

    def _wrong_order(self, label: slice) -> str:
        rises = self.transform.numbers.step * self.transform.factor > 0
        order = "smaller to the greater" if rises else "greater to the smaller, because rows begin in the north"
        given, expected = (f"slice({a}, {b})" for a, b in ((label.start, label.stop), (label.stop, label.start)))
        return f"{given} of {self._name} is empty, expected {expected}: it goes from the {order}"

    def _position(self, label: Any) -> float:
        try:
            position = float(self.transform.reverse({self._name: label})[self._name])
        except (TypeError, ValueError):
            position = math.nan
        if math.isnan(position):
            raise InvalidArgumentError(f"{self._name} is {label!r}, expected metres")
        return position

    def _positions(self, values: Any, method: str | None, tolerance: Any) -> Any:
        exact = self.transform.reverse({self._name: values})[self._name]
        positions = np.rint(exact).astype(np.int64)
        found = self.transform.labels(positions)
        is_there = (positions >= 0) & (positions < len(self.transform.numbers))
        if method is None:
            is_there &= found == values
        elif tolerance is not None:
            is_there &= np.abs(found - values) <= tolerance
        if not np.all(is_there):
            missing = np.atleast_1d(values)[~np.atleast_1d(is_there)][0]
            raise KeyError(f"no sample at {self._name}={missing}; method='nearest' takes the next one within the world")
        return positions

    def __repr__(self) -> str:
        return f"LatticeIndex({self._repr_inline_(0)})"

    def _repr_inline_(self, max_width: int) -> str:
        t = self.transform
        first, last = t.labels(0), t.labels(len(t.numbers) - 1)
        return f"{first:g} m to {last:g} m in steps of {t.numbers.step * t.factor:g} m"


class LatticeVariable(Variable):
    """A coordinate along a whole side. Like every coordinate with an index it has no chunks."""

    __slots__ = ()

    def chunk(self, *args: Any, **options: Any) -> Any:
        """The same coordinate."""
        return self.copy(deep=False)

    def _replace(self, *args: Any, **changes: Any) -> Any:
        """A selection becomes an ordinary variable."""
        made = super()._replace(*args, **changes)
        if isinstance(made._data, CoordinateTransformIndexingAdapter):
            return made
        return Variable(made._dims, made._data, made._attrs, made._encoding, fastpath=True)


def inside(positions: Any, size: int) -> Any:
    """Convert a mask of `size` samples, or positions, to positions from 0 on. Negative positions count from the end.

    Raises IndexError for a position outside"""
    given = np.asarray(positions)
    if given.dtype.kind == "b":
        if given.shape != (size,):
            raise IndexError(f"a mask of shape {given.shape}, expected one of {size} samples")
        return np.flatnonzero(given)
    is_outside = (given < -size) | (given >= size)
    if np.any(is_outside):
        raise IndexError(f"position {given[is_outside].flat[0]} is outside of {size} samples")
    whole = given.astype(np.int64)
    return np.where(whole < 0, whole + size, whole)


def _stored(transform: LatticeTransform, positions: Any, dim: str) -> PandasIndex:
    values = transform.labels(inside(positions, len(transform.numbers)))
    return PandasIndex(pd.Index(values, name=transform.name), dim, coord_dtype=np.dtype(np.float64))
