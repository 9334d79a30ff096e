"""Grids of ground of any resolution: samples of a level of detail, or values between them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import InvalidArgumentError
from ..world import World

__all__ = ["GroundGrid", "lod_of", "sides_of"]

_FINEST_M, _COARSEST_M = 0.025, 4.0
_SAMPLES_MAX = 4096  # along a side


def metres(name: str, given: Any, least: float, most: float) -> float:
    """Convert an argument to metres. Raises InvalidArgumentError unless it is from `least` to `most`"""
    try:
        value = float(given)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not least <= value <= most:
        raise InvalidArgumentError(f"{name} is {given!r}, expected {least:g} to {most:g} m")
    return value


def resolution_of(given: Any) -> float:
    """The distance between samples, metres. Raises InvalidArgumentError unless it is 0.025 to 4"""
    return metres("resolution", given, _FINEST_M, _COARSEST_M)


def sides_of(size: Any, resolution: float) -> tuple[int, int]:
    """Columns and rows of a grid whose size is given in metres. There are samples at both ends of a side. Raises
    InvalidArgumentError"""
    try:
        sides = [float(side) for side in size]
    except (TypeError, ValueError, OverflowError):
        sides = []
    if len(sides) != 2 or not all(2 * resolution <= side < math.inf for side in sides):
        raise InvalidArgumentError(
            f"size is {size!r}, expected two lengths (east, north) of at least {2 * resolution:g} m, two steps of the "
            "grid"
        )
    columns, rows = (round(side / resolution) + 1 for side in sides)
    if max(columns, rows) > _SAMPLES_MAX:
        raise InvalidArgumentError(
            f"size is {size!r}, which has {columns} x {rows} samples {resolution:g} m apart, expected at most "
            f"{_SAMPLES_MAX} a side: use terrane.robots.Window"
        )
    return columns, rows


def lod_of(world: World, resolution: float) -> int:
    """The coarsest level of detail of a world whose samples are at most `resolution` metres apart; -4 if there is
    none."""
    steps = resolution / world.spacing
    lod = math.floor(math.log2(steps))
    lod += 1 if 2.0 ** (lod + 1) <= steps else 0
    return min(max(lod, -_core.FINE_LODS), world.levels)


class GroundGrid:
    """Samples `resolution` metres apart. If no level of detail has these samples, they are interpolated bilinearly
    between the samples of the next finer level. If the resolution is finer than lod -4 (6.25 cm with a spacing of 1 m),
    they are interpolated between the samples of lod -4, and the grid has no finer detail than these.

    x, z           lattice coordinates of the north-western sample
    columns, rows  numbers of samples
    resolution     metres between samples"""

    def __init__(self, world: World, x: float, z: float, columns: int, rows: int, resolution: float) -> None:
        self.world, self.lod = world, lod_of(world, resolution)
        step = resolution / world.spacing
        self.x: NDArray[np.float64] = x + step * np.arange(columns, dtype=np.float64)
        self.z: NDArray[np.float64] = z + step * np.arange(rows, dtype=np.float64)
        scale = 2.0**-self.lod
        self._u, self._v = self.x * scale, self.z * scale
        self._i, self._j = np.floor(self._u).astype(np.int64), np.floor(self._v).astype(np.int64)
        self.is_exact = bool(np.all(self._u == self._i) and np.all(self._v == self._j))

    def layers(self, names: list[str]) -> dict[str, NDArray[np.float32]]:
        """Layers of the grid by name. Values of water are those of the nearest sample."""
        i, j = int(self._i[0]), int(self._j[0])
        width, height = int(self._i[-1]) - i + 2, int(self._j[-1]) - j + 2
        scale = 2.0**self.lod
        x, z = (i << self.lod, j << self.lod) if self.lod >= 0 else (i * scale, j * scale)
        made = self.world.layers(names, x, z, width, height, self.lod)
        return {name: self._nearest(a) if name == "water" else self._between(a) for name, a in made.items()}

    def _nearest(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        columns, rows = np.rint(self._u).astype(np.int64), np.rint(self._v).astype(np.int64)
        return np.asarray(samples[np.ix_(rows - self._j[0], columns - self._i[0])])

    def _between(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        columns, rows = self._i - self._i[0], self._j - self._j[0]
        if self.is_exact:
            return np.asarray(samples[np.ix_(rows, columns)])
        h, u, v = samples.astype(np.float64), self._u - self._i, (self._v - self._j)[:, None]
        north = h[np.ix_(rows, columns)] * (1 - u) + h[np.ix_(rows, columns + 1)] * u
        south = h[np.ix_(rows + 1, columns)] * (1 - u) + h[np.ix_(rows + 1, columns + 1)] * u
        return (north * (1 - v) + south * v).astype(np.float32)
