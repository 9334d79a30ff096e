"""The materials of the ground, and which material each sample of a terrain has."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..world import World

__all__ = ["MATERIALS", "Material", "materials_at"]


class Material(NamedTuple):
    """A kind of ground. Its numbers are typical values for contact with rubber; they are not measured."""

    name: str
    friction: float
    """Coefficient of static friction."""
    restitution: float
    """Speed after a bounce divided by the speed before it."""


MATERIALS: tuple[Material, ...] = (
    Material("plants", 0.6, 0.05),
    Material("rock", 0.9, 0.3),
    Material("loose", 0.5, 0.05),
    Material("snow", 0.25, 0.02),
    Material("under water", 0.45, 0.0),
)
"""Materials by number. The first four are the channels of layer splat; loose is soil, sand and scree."""

PLANTS, ROCK, LOOSE, SNOW, UNDER_WATER = (np.uint8(n) for n in range(5))
_SCREE_DEG, _ROCK_DEG = 24.0, 35.0  # as in the rules of the land below one metre (microrelief)


def materials_at(
    world: World, x: NDArray[np.float64], z: NDArray[np.float64], depth: NDArray[np.float32]
) -> NDArray[np.uint8]:
    """Numbers of the materials of a grid. A sample has the material of the greatest channel of layer splat, at the
    nearest sample of lod 0. Layer slope, at the nearest sample of lod 3, corrects this: from 24 degrees on, plants
    become loose ground; from 35 degrees on, plants and loose ground become rock. The relief of the land below one metre
    changes at the same angles to that of scree and of rock. Where there is water, the material is "under water".

    x, z   lattice coordinates of the columns and of the rows
    depth  of the water, metres, shape (rows, columns)"""
    kinds = _nearest(world, "splat", x, z, 0).argmax(axis=2).astype(np.uint8)
    steep = _nearest(world, "slope", x, z, 3)
    kinds = np.where((kinds == PLANTS) & (steep >= _SCREE_DEG), LOOSE, kinds)
    kinds = np.where((kinds == LOOSE) & (steep >= _ROCK_DEG), ROCK, kinds)
    return np.where(depth > 0, UNDER_WATER, kinds).astype(np.uint8)


def _nearest(world: World, layer: str, x: NDArray[np.float64], z: NDArray[np.float64], lod: int) -> NDArray[Any]:
    """A layer at the samples of a level of detail that are nearest to a grid."""
    i, j = (np.rint(side / (1 << lod)).astype(np.int64) for side in (x, z))
    width, height = int(i[-1] - i[0]) + 1, int(j[-1] - j[0]) + 1
    made = world.layers([layer], int(i[0]) << lod, int(j[0]) << lod, width, height, lod)[layer]
    return np.asarray(made[np.ix_(j - j[0], i - i[0])])
