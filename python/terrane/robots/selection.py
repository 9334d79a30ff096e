"""Where the terrain of an index and a difficulty lies.

Version 1. Round r = 0, 1, ... of an index takes 17 blocks of four random words, the raw output of
numpy.random.Philox(key=[seed, 1], counter=[17 r, index, 2, 0]). The first two words of the first block choose the
middle of a neighbourhood, with the same chance for each lattice point of the area. Each of the other blocks gives two
candidates. Two words give the north-western corner of a candidate: its offsets from the middle to the east and to the
south are whole metres, -1,024 to 1,024, and are rounded down to whole lattice steps. A candidate with water at its
middle, or on more than 30 % of its samples, is left out. The search ends after the first round in which a candidate is
within 0.02 of the difficulty, but not later than after round 11. The best candidate of all rounds is the place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import Error
from ..placement import scaled
from ..world import World
from .grid import lod_of
from .roughness import STEP_M, Roughness, difficulty_of, measure_roughness

__all__ = ["ROBOTS_VERSION", "Chosen", "at_place", "choose"]

ROBOTS_VERSION = 1

_BLOCKS, _REACH_M, _ROUNDS = 17, 1024, 12
_WET_SHARE, _NEAR = 0.3, 0.02
_MEASURED_MAX = 257  # samples a side


class Chosen(NamedTuple):
    """The place of a terrain."""

    x: float
    """Lattice coordinates of the north-western corner."""
    z: float
    difficulty: float
    """Difficulty of the ground there."""
    roughness: Roughness


def choose(
    world: World, seed: int, index: int, size: tuple[float, float], difficulty: float, area: tuple[int, int, int, int]
) -> Chosen:
    """Find the place of an index. size: metres to the east and to the north; area: as for Patches

    Raises Error if all candidates are left out because of water"""
    best: Chosen | None = None
    for number in range(_ROUNDS):
        corners = _corners(world, seed, index, number, area)
        found = _best(world, corners, size, difficulty)
        if found is not None and (best is None or _miss(found, difficulty) < _miss(best, difficulty)):
            best = found
        if best is not None and _miss(best, difficulty) <= _NEAR:
            break
    if best is None:
        raise Error(
            f"index {index} has no terrain: {_ROUNDS} neighbourhoods in the area {area} are under water; expected a "
            "world with land, or an area on land"
        )
    return best


def _miss(found: Chosen, difficulty: float) -> float:
    return abs(found.difficulty - difficulty)


def _corners(
    world: World, seed: int, index: int, number: int, area: tuple[int, int, int, int]
) -> NDArray[np.float64]:
    """North-western corners of the candidates of a round: lattice coordinates x, z, shape (32, 2)."""
    bits = np.random.Philox(key=[seed, ROBOTS_VERSION], counter=[_BLOCKS * number, index, 2, 0])
    words = np.asarray(bits.random_raw(4 * _BLOCKS)).reshape(-1, 4)
    west, north, east, south = area
    middle = (west + scaled(words[0, 0], east - west), north + scaled(words[0, 1], south - north))
    offsets = [scaled(word, 2 * _REACH_M + 1) - _REACH_M for word in words[1:].ravel()]
    pairs = np.array(offsets, np.float64).reshape(-1, 2)
    return np.asarray(np.array(middle, np.float64) + np.floor(pairs / world.spacing))


def at_place(world: World, x: float, z: float, size: tuple[float, float]) -> Chosen:
    """Measure a place that the caller has chosen. x, z: lattice coordinates of its north-western corner, multiples of
    0.25 m"""
    figures = measure_roughness(_measured_samples(world, np.array([[x, z]]), size)["height"])
    return Chosen(x, z, float(difficulty_of(figures)[0]), figures)


def _measured_samples(
    world: World, corners: NDArray[np.float64], size: tuple[float, float]
) -> dict[str, NDArray[np.float32]]:
    """Heights of candidates, and layer water if the world has it. Samples are 0.25 m apart, at most 257 along a side.
    If no level of detail has these samples, heights are interpolated bilinearly between samples of the next finer
    level, and water is that of its nearest sample."""
    columns, rows = (min(int(side / STEP_M) + 1, _MEASURED_MAX) for side in size)
    names = ["height", "water"] if "water" in world.layer_names else ["height"]
    lod = lod_of(world, STEP_M)
    step = STEP_M / (world.spacing * 2.0**lod)  # in samples of the level
    at = corners * 2.0**-lod
    first = np.floor(at)
    if step == 1 and np.array_equal(at, first):
        return _tiles(world, names, first, lod, columns, rows)
    u, v = (step * np.arange(n) + (at - first)[:, d, None] for d, n in ((0, columns), (1, rows)))
    made = _tiles(world, names, first, lod, int(u.max()) + 2, int(v.max()) + 2)
    return {name: (_nearest if name == "water" else _between)(array, u, v) for name, array in made.items()}


def _tiles(
    world: World, names: list[str], first: NDArray[np.float64], lod: int, width: int, height: int
) -> dict[str, NDArray[np.float32]]:
    """Layers of a batch of tiles. first: their north-western samples, shape (tiles, 2), in samples of the level"""
    return world.tile_layers(
        names, np.column_stack([first * 2.0**lod, np.full(len(first), float(lod))]), width, height
    )


def _nearest(samples: NDArray[np.float32], u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float32]:
    """Values of the nearest samples. samples: shape (tiles, rows, columns); u, v: shape (tiles, n), in samples"""
    i, j = np.rint(u).astype(np.int64), np.rint(v).astype(np.int64)
    return np.asarray(samples[np.arange(len(samples))[:, None, None], j[:, :, None], i[:, None, :]])


def _between(samples: NDArray[np.float32], u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float32]:
    """Values between samples, as _nearest()."""
    i, j = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    tile, j, i = np.arange(len(samples))[:, None, None], j[:, :, None], i[:, None, :]
    h, a, b = samples.astype(np.float64), u[:, None, :] - i, v[:, :, None] - j
    north = h[tile, j, i] * (1 - a) + h[tile, j, i + 1] * a
    south = h[tile, j + 1, i] * (1 - a) + h[tile, j + 1, i + 1] * a
    return np.asarray(north * (1 - b) + south * b, np.float32)


def _best(
    world: World, corners: NDArray[np.float64], size: tuple[float, float], difficulty: float
) -> Chosen | None:
    """The candidate whose difficulty is nearest to the wanted one, the first of several. None if all are left out
    because of water."""
    tiles = _measured_samples(world, corners, size)
    height = tiles["height"]
    rows, columns = height.shape[1:]
    wet = np.isfinite(tiles["water"]) if "water" in tiles else height < np.float32(world.parameters["sea"])
    is_dry = ~wet[:, rows // 2, columns // 2] & (wet.sum(axis=(1, 2)) <= _WET_SHARE * rows * columns)
    if not is_dry.any():
        return None
    figures = measure_roughness(height)
    found = difficulty_of(figures)
    n = int(np.argmin(np.where(is_dry, np.abs(found - difficulty), np.inf)))
    one = Roughness(*(values[n : n + 1] for values in figures))
    return Chosen(float(corners[n, 0]), float(corners[n, 1]), float(found[n]), one)
