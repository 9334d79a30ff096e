"""The layout of a Dataset as Zarr, and its identity, which distinguishes it from other Datasets."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import dask.array
import numpy as np
import xarray as xr
from dask.base import tokenize

from .errors import InvalidArgumentError
from .record import INCOMPLETE

__all__ = ["Plan"]

_LAYOUT = ("chunks", "shards", "preferred_chunks")  # encodings: layout of the file that a variable was read from


class Plan:
    """A Dataset in chunks of one size: along each dimension the length of Dask's longest chunk. A row of chunks is all
    chunks with the same samples along y.

    banded    variables that are written one row of chunks after another: those with y, except coordinates in memory
    rows      samples along y of each row of chunks
    identity  everything that determines the content of the files, as JSON"""

    def __init__(self, dataset: xr.Dataset) -> None:
        self._dataset = dataset
        self._sides = _chunk_sides(dataset)
        if "y" not in self._sides:
            raise InvalidArgumentError("the dataset has no chunks along y, expected a selected part of open_world()")
        variables = dataset.variables
        with_rows = {n: v for n, v in variables.items() if "y" in v.dims}
        self.banded = [str(n) for n, v in with_rows.items() if n in dataset.data_vars or v.chunks is not None]
        for name in self.banded:
            if variables[name].dtype.kind == "O":
                expected = "expected numbers, times, or texts of one length"
                raise InvalidArgumentError(f"{name!r} has Python objects as values, {expected}")
        size, side = dataset.sizes["y"], self._sides["y"]
        self.rows = [slice(first, min(first + side, size)) for first in range(0, size, side)]
        self.identity = self._identity()

    def _chunks(self, variable: xr.Variable) -> tuple[int, ...]:
        return tuple(self._sides.get(str(dim), max(size, 1)) for dim, size in variable.sizes.items())

    def template(self) -> xr.Dataset:
        """The dataset with its coordinates, in which all samples of the banded variables are 0."""
        made: dict[str, xr.Variable] = {}
        for name, variable in self._dataset.variables.items():
            encoding = {key: value for key, value in variable.encoding.items() if key not in _LAYOUT}
            if name in self.banded:
                zeros: Any = dask.array.zeros
                data = zeros(variable.shape, chunks=-1, dtype=variable.dtype)
                encoding["chunks"] = self._chunks(variable)
                made[str(name)] = xr.Variable(variable.dims, data, variable.attrs, encoding)
            elif variable.chunks is not None:
                made[str(name)] = xr.Variable(variable.dims, variable.values, variable.attrs, encoding)
        coordinates = {name: made.pop(name) for name in map(str, self._dataset.coords) if name in made}
        return self._dataset.assign(made).assign_coords(coordinates)

    def part(self, rows: slice) -> xr.Dataset:
        """The banded variables of one row of chunks, with a chunk of Dask for each file."""
        whole = xr.Dataset({name: self._dataset.variables[name] for name in self.banded})
        part = whole.isel(y=rows)
        return part.chunk({dim: self._sides.get(str(dim), max(size, 1)) for dim, size in part.sizes.items()})

    def chunk_numbers(self, variable: str, row: int) -> list[range]:
        """Numbers of the chunks of one row, along each dimension of a variable."""
        array = self._dataset.variables[variable]
        ends = [math.ceil(size / side) for size, side in zip(array.shape, self._chunks(array), strict=True)]
        return [range(row, row + 1) if dim == "y" else range(end) for dim, end in zip(array.dims, ends, strict=True)]

    # ---- identity ----

    def _identity(self) -> dict[str, Any]:
        attributes = {key: value for key, value in self._dataset.attrs.items() if key != INCOMPLETE}
        variables = {str(name): variable for name, variable in self._dataset.variables.items()}
        return {
            "attributes": _plain_attributes("the dataset", attributes),
            "variables": {name: self._facts(name, variable) for name, variable in variables.items()},
            "coordinates": sorted(map(str, self._dataset.coords)),
        }

    def _facts(self, name: str, variable: xr.Variable) -> dict[str, Any]:
        encoding = {key: value for key, value in variable.encoding.items() if key not in _LAYOUT}
        return {
            "dimensions": list(map(str, variable.dims)),
            "shape": list(variable.shape),
            "type": str(variable.dtype),
            "chunks": list(self._chunks(variable)) if name in self.banded else None,
            "content": tokenize(variable.data),
            "attributes": _plain_attributes(repr(name), variable.attrs),
            "encoding": {str(key): _spelt(value) for key, value in encoding.items()},
        }

    def difference(self, stored: dict[str, Any]) -> str | None:
        """A sentence about the first difference between a stored identity and the identity of this dataset, or None."""
        wanted = self.identity
        for key in ("variables", "coordinates"):
            if sorted(stored[key]) != sorted(wanted[key]):
                return f"{key} are {', '.join(sorted(stored[key]))}, not {', '.join(sorted(wanted[key]))}"
        for name, facts in wanted["variables"].items():
            for key, value in facts.items():
                if _text(stored["variables"][name].get(key)) != _text(value):
                    what = {"content": "other values, or another computation of them"}.get(key, f"other {key}")
                    return f"{name!r} has {what} there"
        for key in {**stored["attributes"], **wanted["attributes"]}:
            if _text(stored["attributes"].get(key)) != _text(wanted["attributes"].get(key)):
                return f"the attribute {key!r} has another value there"
        return None


def _chunk_sides(dataset: xr.Dataset) -> dict[str, int]:
    """Size of the longest chunk along each dimension."""
    sides: dict[str, int] = {}
    for variable in dataset.variables.values():
        for dim, sizes in (variable.chunksizes if variable.chunks is not None else {}).items():
            sides[str(dim)] = max(sides.get(str(dim), 1), *sizes)
    return sides


def _plain_attributes(whose: str, attributes: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): _plain(f"the attribute {key!r} of {whose}", value) for key, value in attributes.items()}


def _plain(name: str, value: Any) -> Any:
    """An attribute in the types of JSON: tuples become lists."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(name, each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(name, each) for key, each in value.items()}
    raise InvalidArgumentError(f"{name} is {value!r}, expected a number, a text, or a list of them")


def _spelt(value: Any) -> str:
    """The value of an encoding as a text, also for objects such as compressors."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_spelt, value))}]"
    if hasattr(value, "to_dict"):
        return json.dumps(value.to_dict(), sort_keys=True, default=str)
    return str(value)


def _text(value: Any) -> str:
    """JSON text for comparisons, because NaN is not equal to itself."""
    return json.dumps(value, sort_keys=True)
