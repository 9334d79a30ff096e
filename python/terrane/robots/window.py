"""A window of ground that follows a robot over endless land."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidArgumentError
from ..world import World
from .grid import GroundGrid, lod_of, resolution_of, sides_of

__all__ = ["Window"]


class Window:
    """Heights around a robot. move() recentres the window when the robot has left the middle of the window. Samples
    that lie in the old and in the new window keep their values exactly, so the ground under the robot does not change.

    x, z        lattice coordinates of the beginning, where positions have x = y = 0; rounded down to a sample
    size        metres to the east and to the north
    resolution  metres between samples: a level of detail of the world, 2**lod steps
    slack       more than 0, up to 0.5: the window is recentred when the robot is farther from its middle, in x or in y,
                than this share of its width or height

    heights     metres above `base`, float32, shape (rows, columns), row 0 in the north; move() changes this array in
                place
    base        altitude of height 0, metres: the ground at the beginning
    origin      position x, y of the middle of the window, metres from the beginning

    Raises InvalidArgumentError"""

    def __init__(
        self,
        x: float,
        z: float,
        size: tuple[float, float] = (16.0, 16.0),
        resolution: float = 0.0625,
        *,
        world: World | str | os.PathLike[str] | None = None,
        slack: float = 0.125,
    ) -> None:
        self.world = world if isinstance(world, World) else World(world)
        self.resolution = resolution_of(resolution)
        self._columns, self._rows = (side | 1 for side in sides_of(size, self.resolution))
        self._lod = lod_of(self.world, self.resolution)
        if self.resolution != self.world.spacing * 2.0**self._lod:
            raise InvalidArgumentError(
                f"resolution is {resolution!r}, expected samples of a level of detail: "
                f"{self.world.spacing * 2.0**self._lod:g} m or {self.world.spacing * 2.0 ** (self._lod + 1):g} m"
            )
        if not 0 < slack <= 0.5:
            raise InvalidArgumentError(f"slack is {slack!r}, expected a share of more than 0, up to 0.5")
        self._slack = slack
        self._start = tuple(math.floor(float(at) * 2.0**-self._lod) for at in (x, z))  # in samples
        self._middle = (0, 0)  # in samples from the start: east, south
        self.heights: NDArray[np.float32] = np.empty((self._rows, self._columns), np.float32)
        altitude = self._altitudes(0, 0, 1, 1)
        self.base = float(altitude[0, 0])
        self._fill(0, self._rows, 0, self._columns)

    @property
    def origin(self) -> tuple[float, float]:
        """Position of the middle of the window, metres from the beginning: x to the east, y to the north."""
        return self._middle[0] * self.resolution, -self._middle[1] * self.resolution

    def move(self, x: float, y: float) -> bool:
        """Recentre the window on a robot if it has left the middle. Returns whether heights and origin changed.

        x, y  position of the robot, metres from the beginning"""
        if not (math.isfinite(x) and math.isfinite(y)):
            raise InvalidArgumentError(f"position is {x!r}, {y!r}, expected metres")
        off = (x - self.origin[0], y - self.origin[1])
        sides = (self._columns * self.resolution, self._rows * self.resolution)
        if all(abs(o) <= self._slack * side for o, side in zip(off, sides, strict=True)):
            return False
        east, south = round(off[0] / self.resolution), round(-off[1] / self.resolution)
        self._middle = (self._middle[0] + east, self._middle[1] + south)
        if abs(east) >= self._columns or abs(south) >= self._rows:
            self._fill(0, self._rows, 0, self._columns)
            return True
        self.heights[:] = np.roll(self.heights, (-south, -east), (0, 1))
        if south:
            self._fill(*((self._rows - south, self._rows) if south > 0 else (0, -south)), 0, self._columns)
        if east:
            self._fill(0, self._rows, *((self._columns - east, self._columns) if east > 0 else (0, -east)))
        return True

    def _fill(self, top: int, bottom: int, left: int, right: int) -> None:
        """Make the samples of a part of the window."""
        i = self._middle[0] - self._columns // 2 + left
        j = self._middle[1] - self._rows // 2 + top
        made = self._altitudes(i, j, right - left, bottom - top)
        self.heights[top:bottom, left:right] = (made.astype(np.float64) - self.base).astype(np.float32)

    def _altitudes(self, i: int, j: int, width: int, height: int) -> Any:
        """Altitudes of samples, counted from the start."""
        scale = 2.0**self._lod
        grid = GroundGrid(
            self.world, (self._start[0] + i) * scale, (self._start[1] + j) * scale, width, height, self.resolution
        )
        return grid.layers(["height"])["height"]
