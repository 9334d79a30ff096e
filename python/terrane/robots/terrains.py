"""Ground for robots by index and difficulty."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arguments import integer, random_seed
from ..errors import InvalidArgumentError, OutOfRangeError
from ..placement import area_of
from ..world import World
from .border import level_border
from .grid import GroundGrid, metres, resolution_of, sides_of
from .ground import MATERIALS, materials_at
from .selection import Chosen, at_place, choose
from .spawns import dry_flat_places

__all__ = ["Terrain", "terrain", "terrain_at"]

VERTICAL_SCALE_M = 0.005  # default unit of the heights in height fields of Isaac Lab


@dataclass(frozen=True)
class Terrain:
    """A rectangle of ground. Arrays have row 0 at the north edge and column 0 at the west edge. Positions are metres
    from the middle: x to the east, y to the north, z upwards."""

    heights: NDArray[np.float32]
    """Heights of the ground, also of the bed under water: metres above `base`, shape (rows, columns)."""
    water: NDArray[np.float32]
    """Depth of the water, metres; 0 where the ground is dry."""
    material: NDArray[np.uint8]
    """Material of each sample: an index of terrane.robots.MATERIALS."""
    resolution: float
    """Metres between samples."""
    base: float
    """Altitude of height 0, metres."""
    x: float
    """Lattice coordinates of the north-western sample."""
    z: float
    world: World
    index: int | None
    difficulty: float
    """Difficulty of the ground without the border, 0 to 1: the share of the pieces of land in a calibrated sample that
    are easier."""
    gradient: float
    """Gradient of the plane that fits the ground best, metres per metre."""
    step: float
    """95th percentile of the differences in height above that plane between neighbours 0.25 m apart, metres."""
    deviation: float
    """Root mean square of the heights above that plane, metres."""
    spawns: NDArray[np.float32]
    """Positions x, y, z where the ground is dry and flat, the nearest to the middle first, shape (n, 3); n may be 0."""

    @property
    def size(self) -> tuple[float, float]:
        """Metres to the east and to the north."""
        rows, columns = self.heights.shape
        return (columns - 1) * self.resolution, (rows - 1) * self.resolution

    @property
    def friction(self) -> NDArray[np.float32]:
        """Coefficient of friction of each sample."""
        return np.array([m.friction for m in MATERIALS], np.float32)[self.material]

    @property
    def restitution(self) -> NDArray[np.float32]:
        """Restitution of each sample."""
        return np.array([m.restitution for m in MATERIALS], np.float32)[self.material]

    def int16(self, vertical_scale: float = VERTICAL_SCALE_M) -> NDArray[np.int16]:
        """Heights in the form of height fields of Isaac Lab: integers in units of `vertical_scale` metres, shape
        (columns, rows). The first axis points to the east (x), the second to the north (y).

        Raises InvalidArgumentError if a height does not fit into 16 bits"""
        scale = metres("vertical_scale", vertical_scale, 1e-6, 1000)
        whole = np.rint(self.heights[::-1].T.astype(np.float64) / scale)
        if np.abs(whole).max() > 32767:
            raise InvalidArgumentError(
                f"heights reach {np.abs(self.heights).max():.1f} m, expected at most {32767 * scale:.1f} m with "
                f"vertical_scale {scale:g} m"
            )
        return whole.astype(np.int16)

    def height_at(self, points: ArrayLike) -> NDArray[np.float64]:
        """Heights at positions x, y, shape (..., 2), interpolated bilinearly. Positions outside have the height of the
        edge."""
        at = np.asarray(points, np.float64)
        rows, columns = self.heights.shape
        u = np.clip(at[..., 0] / self.resolution + (columns - 1) / 2, 0, columns - 1)
        v = np.clip((rows - 1) / 2 - at[..., 1] / self.resolution, 0, rows - 1)
        i, j = np.minimum(u.astype(np.int64), columns - 2), np.minimum(v.astype(np.int64), rows - 2)
        h, a, b = self.heights.astype(np.float64), u - i, v - j
        north, south = (h[j + n, i] * (1 - a) + h[j + n, i + 1] * a for n in (0, 1))
        return np.asarray(north * (1 - b) + south * b)


def terrain(
    index: int,
    size: tuple[float, float] = (8.0, 8.0),
    resolution: float = 0.05,
    difficulty: float = 0.5,
    *,
    world: World | str | os.PathLike[str] | None = None,
    seed: int = 0,
    border: float = 0.0,
    area: tuple[int, int, int, int] | None = None,
) -> Terrain:
    """The ground of an index. The same arguments always give the same ground.

    index       0 to 2**63 - 1
    size        metres to the east and to the north, 1 to 64 each, at least 2 * resolution
    resolution  metres between samples, 0.025 to 4. In a world with a spacing of 1 m, levels of detail have samples
                2**lod m apart, down to 6.25 cm (lod -4). For another resolution heights are interpolated bilinearly
                between the samples of the next finer level of detail; below 6.25 cm there is no finer detail
    difficulty  0 to 1: the share of the pieces of land in a calibrated sample that are easier, by slope, height of
                steps and roughness. The search usually ends at ground within 0.02 of it; `difficulty` of the result is
                that of the ground which was found
    world       a World, or the first argument of World; its spacing must be 0.25 to 4 m
    seed        seed of the places, 0 to 2**64 - 1
    border      width of a level rim of height 0, metres, up to a quarter of the shorter side of the size; 0: no rim.
                Inside the rim the heights blend into those of the ground, over up to another quarter
    area        lattice coordinates between which the ground is searched: west, north, east, south; as for
                terrane.Patches

    Heights are relative to the mean height of the edge of the ground. The place and its difficulty do not depend on the
    resolution.

    Raises InvalidArgumentError, OutOfRangeError; Error if all ground that was searched is under water"""
    w, sides = _world_and_sides(world, size, resolution)
    number = integer("index", index)
    if number < 0:
        raise OutOfRangeError(f"index is {number}, expected 0 to 2**63 - 1")
    wanted = _share("difficulty", difficulty)
    rim = metres("border", border, 0.0, min(size) / 4)
    place = choose(w, random_seed(seed), number, (float(size[0]), float(size[1])), wanted, area_of(area, w))
    return _ground(w, place, sides, float(resolution), number, rim)


def terrain_at(
    x: float,
    z: float,
    size: tuple[float, float] = (8.0, 8.0),
    resolution: float = 0.05,
    *,
    world: World | str | os.PathLike[str] | None = None,
    border: float = 0.0,
) -> Terrain:
    """The ground at a place. x, z: lattice coordinates of the north-western sample, multiples of 0.25 m; the other
    arguments are those of terrain(). `index` of the result is None.

    Raises InvalidArgumentError"""
    w, sides = _world_and_sides(world, size, resolution)
    rim = metres("border", border, 0.0, min(size) / 4)
    place = at_place(w, float(x), float(z), (float(size[0]), float(size[1])))
    return _ground(w, place, sides, float(resolution), None, rim)


def _world_and_sides(
    world: World | str | os.PathLike[str] | None, size: tuple[float, float], resolution: float
) -> tuple[World, tuple[int, int]]:
    """The world, and columns and rows of the ground. Raises InvalidArgumentError"""
    w = world if isinstance(world, World) else World(world)
    if not 0.25 <= w.spacing <= 4:
        raise InvalidArgumentError(f"spacing of the world is {w.spacing:g} m, expected 0.25 to 4 m")
    sides = sides_of(size, resolution_of(resolution))
    for side in size:
        metres("size", side, 1.0, 64.0)
    return w, sides


def _share(name: str, given: Any) -> float:
    try:
        value = float(given)
    except (TypeError, ValueError, OverflowError):
        value = -1.0
    if not 0 <= value <= 1:
        raise InvalidArgumentError(f"{name} is {given!r}, expected 0 to 1")
    return value


def _ground(
    world: World, place: Chosen, sides: tuple[int, int], resolution: float, index: int | None, border: float
) -> Terrain:
    """The ground of a place. sides: columns and rows"""
    grid = GroundGrid(world, place.x, place.z, *sides, resolution)
    names = ["height", "water"] if "water" in world.layer_names else ["height"]
    made = grid.layers(names)
    altitude, sea = made["height"], np.float32(world.parameters["sea"])
    level = made.get("water", np.where(altitude < sea, sea, np.float32(np.nan)))
    depth = np.nan_to_num(np.maximum(level - altitude, np.float32(0)), nan=0.0).astype(np.float32)
    edge = np.concatenate([altitude[0], altitude[-1], altitude[:, 0], altitude[:, -1]]).astype(np.float64)
    base = float(np.rint(edge.mean() * 1000) / 1000)
    heights = (altitude.astype(np.float64) - base).astype(np.float32)
    if border > 0:
        heights, depth = level_border(heights, depth, resolution, border)
    return Terrain(
        heights,
        depth,
        materials_at(world, grid.x, grid.z, depth),
        resolution,
        base,
        place.x,
        place.z,
        world,
        index,
        place.difficulty,
        float(place.roughness.gradient[0]),
        float(place.roughness.step[0]),
        float(place.roughness.deviation[0]),
        dry_flat_places(heights, depth, resolution),
    )
