"""What the ground of a terrain is made of, and its friction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..world import World

__all__ = ["MATERIALS", "Material", "materials_at"]


class Material(NamedTuple):
    """A kind of ground. The numbers are typical of rubber on it; they were chosen, not measured."""

    name: str
    friction: float
    """Coefficient of static friction."""
    restitution: float
    """Share of the speed that a bounce leaves."""


MATERIALS: tuple[Material, ...] = (
    Material("plants", 0.6, 0.05),
    Material("rock", 0.9, 0.3),
    Material("loose", 0.5, 0.05),
    Material("snow", 0.25, 0.02),
    Material("under water", 0.45, 0.0),
)
"""Materials by number. The first four are the channels of layer splat; loose is soil, sand and scree."""

UNDER_WATER = 4


def materials_at(
    world: World, x: NDArray[np.float64], z: NDArray[np.float64], depth: NDArray[np.float32]
) -> NDArray[np.uint8]:
    """Numbers of the materials of a grid: of layer splat at the nearest sample of lod 0; under water where it is wet.

    x, z   lattice coordinates of the columns and of the rows
    depth  of the water, metres, shape (rows, columns)"""
    i, j = np.rint(x).astype(np.int64), np.rint(z).astype(np.int64)
    splat = world.layers(["splat"], int(i[0]), int(j[0]), int(i[-1] - i[0]) + 1, int(j[-1] - j[0]) + 1)["splat"]
    kinds = splat.argmax(axis=2).astype(np.uint8)[np.ix_(j - j[0], i - i[0])]
    return np.where(depth > 0, np.uint8(UNDER_WATER), kinds)
