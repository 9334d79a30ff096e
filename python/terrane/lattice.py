"""Coordinates in metres along one side of a world: up to 2**47 + 1 of them, of which none is stored."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped, unused-ignore]
from xarray import DataArray, Variable
from xarray.core.indexing import IndexSelResult
from xarray.indexes import CoordinateTransform, CoordinateTransformIndex, Index, PandasIndex

from .errors import InvalidArgumentError

__all__ = ["LatticeIndex", "LatticeTransform"]

SELECT_FIRST = "the land has no end: select a part of it first, as in ds.sel(x=slice(0, 10000), y=slice(10000, 0))"

STORED_MAX = 1 << 24
"""Selections of so many coordinates or fewer get an index of pandas, which can do all that xarray knows."""


class LatticeTransform(CoordinateTransform):
    """Coordinate of sample n: numbers[n] * factor, which is exact as long as the product is. `numbers` is a range of Python."""

    def __init__(self, name: Hashable, numbers: range, factor: float) -> None:
        super().__init__([name], {str(name): len(numbers)}, dtype=np.dtype(np.float64))
        self.numbers = numbers
        self.factor = factor

    @property
    def name(self) -> str:
        """Of the dimension and its coordinate."""
        return str(self.coord_names[0])

    def forward(self, dim_positions: dict[str, Any]) -> dict[Hashable, Any]:
        """Coordinates, metres, of positions."""
        positions = np.asarray(dim_positions[self.name]).astype(np.int64)
        return {self.name: (self.numbers.start + positions * self.numbers.step) * self.factor}

    def reverse(self, coord_labels: dict[Hashable, Any]) -> dict[str, Any]:
        """Positions, with fractions, of coordinates."""
        labels = np.asarray(coord_labels[self.name], np.float64)
        return {self.name: (labels / self.factor - self.numbers.start) / self.numbers.step}

    def generate_coords(self, dims: tuple[str, ...] | None = None) -> dict[Hashable, Any]:
        """All coordinates, of what is not too long."""
        if len(self.numbers) > STORED_MAX:
            raise InvalidArgumentError(SELECT_FIRST)
        return super().generate_coords(dims)

    def equals(self, other: CoordinateTransform, **kwargs: Any) -> bool:
        """Whether all coordinates are the same."""
        return isinstance(other, LatticeTransform) and (self.numbers, self.factor) == (other.numbers, other.factor)


class LatticeIndex(CoordinateTransformIndex):
    """Finds samples by their coordinates, with the rules of pandas: slices contain both ends, and follow the coordinates' order;
    single values must be there, unless method="nearest" is given."""

    transform: LatticeTransform

    @property
    def _name(self) -> str:
        return self.transform.name

    def isel(self, indexers: Mapping[Any, Any]) -> Index | None:
        """The index of a part: one of pandas where it is not too long."""
        indexer = indexers[self._name]
        if isinstance(indexer, slice):
            numbers = self.transform.numbers[indexer]
            part = LatticeTransform(self._name, numbers, self.transform.factor)
            return LatticeIndex(part) if len(numbers) > STORED_MAX else _stored(part, np.arange(len(numbers)), self._name)
        if isinstance(indexer, Variable):
            return _stored(self.transform, indexer.data, str(indexer.dims[0])) if indexer.ndim == 1 else None
        return _stored(self.transform, np.asarray(indexer), self._name) if np.ndim(indexer) == 1 else None

    def sel(self, labels: dict[Any, Any], method: str | None = None, tolerance: Any = None) -> IndexSelResult:
        """Positions of a slice, a coordinate, or an array of them."""
        label = labels[self._name]
        if isinstance(label, slice):
            if method is not None:
                raise NotImplementedError("a slice is selected without a method")
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
        first = 0 if label.start is None else int(np.ceil(self._position(label.start)))
        last = n - 1 if label.stop is None else int(np.floor(self._position(label.stop)))
        return slice(min(max(first, 0), n), min(max(last + 1, 0), n), label.step)

    def _position(self, label: Any) -> float:
        return float(self.transform.reverse({self._name: label})[self._name])

    def _positions(self, values: Any, method: str | None, tolerance: Any) -> Any:
        exact = self.transform.reverse({self._name: values})[self._name]
        positions = np.rint(exact).astype(np.int64)
        found = self.transform.forward({self._name: positions})[self._name]
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
        numbers, factor = self.transform.numbers, self.transform.factor
        return f"{numbers.start * factor:g} m to {numbers[-1] * factor:g} m in steps of {numbers.step * factor:g} m"


def _stored(transform: LatticeTransform, positions: Any, dim: str) -> PandasIndex:
    values = transform.forward({transform.name: positions})[transform.name]
    return PandasIndex(pd.Index(values, name=transform.name), dim, coord_dtype=np.dtype(np.float64))
