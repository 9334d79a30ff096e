"""Grids of terrains whose difficulty grows from row to row."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arguments import count
from ..errors import InvalidArgumentError
from ..world import World
from .terrains import Terrain, terrain

__all__ = ["Curriculum", "curriculum"]


@dataclass(frozen=True)
class Curriculum:
    """Terrains side by side, each with a level border, so that they join without a step."""

    heights: NDArray[np.float32]
    """Metres, shape (rows, columns), row 0 in the north; neighbouring terrains share a row or column of samples."""
    terrains: tuple[tuple[Terrain, ...], ...]
    """The terrains of each level, from the easiest level, which lies in the north, to the hardest."""
    origins: NDArray[np.float32]
    """Positions x, y, z of the middles of terrains, metres from the middle of the grid, shape (levels, kinds, 3)."""
    resolution: float


def curriculum(
    levels: int = 10,
    kinds: int = 20,
    size: tuple[float, float] = (8.0, 8.0),
    resolution: float = 0.05,
    *,
    difficulty: tuple[float, float] = (0.0, 1.0),
    world: World | str | os.PathLike[str] | None = None,
    border: float = 0.5,
    first: int = 0,
    **options: Any,
) -> Curriculum:
    """A grid of terrains with a row for each level. The difficulty grows evenly from difficulty[0] at the first level
    to difficulty[1] at the last one. Column k has the terrains of index first + k.

    levels           number of rows
    kinds            number of columns
    size             metres of each terrain to the east and to the north
    border, options  as for terrain(); the border must be wider than 0

    Raises what terrain() raises"""
    levels, kinds = count("levels", levels), count("kinds", kinds)
    try:
        low, high = (float(end) for end in difficulty)
    except (TypeError, ValueError):
        low, high = 1.0, 0.0
    if not 0 <= low <= high <= 1:
        raise InvalidArgumentError(
            f"difficulty is {difficulty!r}, expected two numbers from 0 to 1, the first at most the second"
        )
    if not border > 0:
        raise InvalidArgumentError(f"border is {border!r}, expected more than 0 m: terrains join at level borders")
    w = world if isinstance(world, World) else World(world)
    steps = np.linspace(low, high, levels) if levels > 1 else np.array([low])
    rows = tuple(
        tuple(
            terrain(first + k, size, resolution, float(d), world=w, border=border, **options) for k in range(kinds)
        )
        for d in steps
    )
    return Curriculum(_joined(rows), rows, _middles(rows), rows[0][0].resolution)


def _joined(terrains: tuple[tuple[Terrain, ...], ...]) -> NDArray[np.float32]:
    rows, columns = (side - 1 for side in terrains[0][0].heights.shape)
    whole = np.zeros((rows * len(terrains) + 1, columns * len(terrains[0]) + 1), np.float32)
    for n, row in enumerate(terrains):
        for k, one in enumerate(row):
            whole[n * rows : (n + 1) * rows + 1, k * columns : (k + 1) * columns + 1] = one.heights
    return whole


def _middles(terrains: tuple[tuple[Terrain, ...], ...]) -> NDArray[np.float32]:
    levels, kinds = len(terrains), len(terrains[0])
    width, height = terrains[0][0].size
    made = np.empty((levels, kinds, 3), np.float32)
    for n, row in enumerate(terrains):
        for k, one in enumerate(row):
            x, y = (k - (kinds - 1) / 2) * width, ((levels - 1) / 2 - n) * height
            made[n, k] = (x, y, float(one.height_at([0.0, 0.0])))
    return made
