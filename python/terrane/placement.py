"""Where the patch of an index lies.

Version 1. The random words of an index are the raw output of numpy.random.Philox(key=[seed, 1], counter=[t, index, 0,
0]): Philox 4x64 with 10 rounds, whose first block has the counter (t + 1, index, 0, 0). Try t of an index, t = 0, 1,
..., has the four words w0 to w3 of this block. The north-western sample of the patch is at

    i = i0 + floor(w0 * columns / 2**64),   j = j0 + floor(w1 * rows / 2**64)

in units of samples of the level of detail, where i0, j0, columns and rows are those of the samples of the area at which
a patch may begin. An index belongs to stratum index mod number of strata, and to world floor(w2 * worlds / 2**64) of
its try 0. The first try whose land belongs to the stratum gives the place of the patch."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .errors import Error, InvalidArgumentError
from .measures import Strata, measure_layers, measured
from .philox import high_word, philox
from .world import World

__all__ = ["TRIES", "VERSION", "Grid", "KnownPlaces", "first_try_inside", "random_words"]

VERSION = 1
TRIES = 1024
"""Greatest number of tries of an index."""

_PROBE_SAMPLES = 8  # about this number of samples along a patch's side is measured
_FIRST_TRIES, _MOST_TRIES = 1, 32  # tries of an index that are measured together, at first and at most
_MEASURED_TOGETHER = 1 << 14  # greatest number of patches that are measured in one call; Ctrl-C works between calls
_KNOWN_TOGETHER = 4096  # places of as many consecutive indices are kept in one array
_UNKNOWN = -(2**63)  # no patch begins at this sample
_KNOWN_MOST = 1024  # greatest number of such arrays, 64 MiB in all


def random_words(seed: int, indices: ArrayLike, first: int, tries: int) -> NDArray[np.uint64]:
    """Words of tries first .. first + tries - 1 of some indices, shape (indices, tries, 4)."""
    which = np.asarray(indices, np.uint64)
    return philox((seed, VERSION), np.arange(first + 1, first + tries + 1, dtype=np.uint64), which[:, None])


def scaled(word: Any, count: int) -> int:
    """floor(word * count / 2**64): a number from 0 to count - 1."""
    return int(word) * count >> 64


class Grid(NamedTuple):
    """Patches of one size and level of detail, and the part of a world that they lie in."""

    size: int
    """Samples of a side."""
    lod: int
    area: tuple[int, int, int, int]
    """West, north, east, south: lattice coordinates between which the patches lie."""

    def starts(self) -> tuple[int, int, int, int]:
        """i0, j0, columns, rows of the samples at which a patch may begin. Raises InvalidArgumentError if none may"""
        west, north, east, south = (_in_samples(edge, self.lod) for edge in self.area)
        columns, rows = east[0] - (self.size - 1) - west[1] + 1, south[0] - (self.size - 1) - north[1] + 1
        if columns < 1 or rows < 1:
            raise InvalidArgumentError(
                f"area is {self.area}, expected one as large as a patch: {self.size} samples that are "
                f"{2.0**self.lod:g} steps apart"
            )
        return west[1], north[1], columns, rows

    @property
    def probe_lod(self) -> int:
        """Level of detail of the samples from which a patch is measured: there a side has 9 to 16 samples. A patch of
        fewer than 8 samples a side is measured at its own level of detail."""
        return self.lod + max((self.size // _PROBE_SAMPLES).bit_length() - 1, 0)

    def place(self, i: int, j: int) -> tuple[float, float]:
        """Lattice coordinates of a sample: integers from lod 0 on."""
        return (i << self.lod, j << self.lod) if self.lod >= 0 else (i * 2.0**self.lod, j * 2.0**self.lod)


def _in_samples(edge: int, lod: int) -> tuple[int, int]:
    """The last sample at or before a coordinate, and the first one at or after it."""
    return (edge >> lod, -(-edge >> lod)) if lod >= 0 else (edge << -lod, edge << -lod)


class KnownPlaces:
    """Places that have been found: learning visits the same indices again and again, and to find a place takes as long
    as to make its heights. When memory is used up, the places that were kept first are forgotten. Any thread may call.
    A copy or a pickle is empty."""

    def __init__(self) -> None:
        self._arrays: dict[int, NDArray[np.int64]] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[type[KnownPlaces], tuple[()]]:
        return KnownPlaces, ()

    def find(self, indices: Sequence[int]) -> dict[int, tuple[int, int]]:
        """The sample i, j at which the patch begins, for those indices whose place is known."""
        found = {}
        with self._lock:
            for index in indices:
                array = self._arrays.get(index // _KNOWN_TOGETHER)
                if array is not None and array[index % _KNOWN_TOGETHER, 0] != _UNKNOWN:
                    i, j = array[index % _KNOWN_TOGETHER].tolist()
                    found[index] = (i, j)
        return found

    def keep(self, places: Mapping[int, tuple[int, int]]) -> None:
        with self._lock:
            for index, place in places.items():
                number = index // _KNOWN_TOGETHER
                if number not in self._arrays:
                    if len(self._arrays) == _KNOWN_MOST:
                        del self._arrays[next(iter(self._arrays))]
                    self._arrays[number] = np.full((_KNOWN_TOGETHER, 2), _UNKNOWN, np.int64)
                self._arrays[number][index % _KNOWN_TOGETHER] = place


def first_try_inside(
    grid: Grid,
    worlds: Mapping[int, World],
    strata: Strata,
    seed: int,
    indices: Sequence[int],
    device: int | None,
) -> dict[int, tuple[int, int]]:
    """The sample i, j at which the patch of each index begins.

    worlds  the world of each index
    device  number of the CUDA device that makes the samples; None: the backend of each world

    Raises Error if no try of an index belongs to its stratum"""
    starts, found = grid.starts(), dict[int, tuple[int, int]]()
    first, tries = 0, _FIRST_TRIES
    left = list(dict.fromkeys(indices))
    while left and first < TRIES:
        for world, group in _by_world(worlds, left):
            for n in range(0, len(group), _MEASURED_TOGETHER // tries):
                part = group[n : n + _MEASURED_TOGETHER // tries]
                places = _places(starts, random_words(seed, part, first, tries))
                found.update(_accepted(grid, world, strata, part, places, device))
        left = [index for index in left if index not in found]
        first, tries = first + tries, min(2 * tries, _MOST_TRIES)
    if left:
        stratum = left[0] % len(strata)
        raise Error(
            f"index {left[0]} has no patch: none of {first} places in the area {grid.area} has "
            f"{strata.describe(stratum)}; expected strata that the world has, or a larger area"
        )
    return found


def _by_world(worlds: Mapping[int, World], indices: Sequence[int]) -> list[tuple[World, list[int]]]:
    groups: dict[int, tuple[World, list[int]]] = {}
    for index in indices:
        groups.setdefault(id(worlds[index]), (worlds[index], []))[1].append(index)
    return list(groups.values())


def _places(starts: tuple[int, int, int, int], words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Samples at which tries begin. words: shape (indices, tries, 4); returns shape (indices, tries, 2)"""
    i0, j0, columns, rows = starts
    steps = high_word(words[..., :2], np.array([columns, rows], np.uint64)).astype(np.int64)
    return np.asarray(steps + np.array([i0, j0]))


def _accepted(
    grid: Grid, world: World, strata: Strata, group: list[int], places: NDArray[np.int64], device: int | None
) -> dict[int, tuple[int, int]]:
    """For each index, the first place whose land belongs to the stratum of the index. Indices without such a place are
    left out. places: shape (indices, tries, 2)"""
    tries = places.shape[1]
    measures = _measure(grid, world, strata.names, places.reshape(-1, 2), device)
    stratum = np.array([index % len(strata) for index in group])
    inside = np.zeros((len(group), tries), bool)
    for one in np.unique(stratum):
        rows = np.flatnonzero(stratum == one)
        own = {name: values.reshape(-1, tries)[rows] for name, values in measures.items()}
        inside[rows] = strata.accepts(int(one), own)
    first = inside.argmax(axis=1)
    at = places[np.arange(len(group)), first].tolist()
    return {group[n]: (at[n][0], at[n][1]) for n in np.flatnonzero(inside.any(axis=1)).tolist()}


def _measure(
    grid: Grid, world: World, names: Sequence[str], places: NDArray[np.int64], device: int | None
) -> dict[str, NDArray[np.int64]]:
    """Measures of the patches that begin at some samples."""
    lod = min(grid.probe_lod, world.levels)
    shift = lod - grid.lod
    side = (grid.size >> shift) + 1
    layers = measure_layers(names, len(world.layer_names) > 1)
    samples = places >> shift
    tiles = world._tile_layers_on(device, layers, _tiles(samples, lod), side)
    return measured(names, tiles, world.spacing * 2.0**lod, world.parameters["sea"])


def _tiles(samples: NDArray[np.int64], lod: int) -> NDArray[Any]:
    """Places in the form of World.tiles()."""
    corner = samples << lod if lod >= 0 else samples * 2.0**lod
    return np.column_stack([corner, np.full(len(samples), lod, corner.dtype)])


def whole_area(world: World) -> tuple[int, int, int, int]:
    """The area of patches unless one is given: the extent of the pixels of the world's guide; without a guide -2**32 to
    2**32 in both directions."""
    guide = world.guide
    if guide is None:
        return (-(2**32), -(2**32), 2**32, 2**32)
    rows, columns = guide.shape
    x, z = (at / world.spacing for at in guide.at)
    step = guide.spacing / world.spacing
    return (round(x), round(z), round(x + (columns - 1) * step), round(z + (rows - 1) * step))


def area_of(given: Any, world: World) -> tuple[int, int, int, int]:
    """The area of patches: `given`, or whole_area() for None. Raises InvalidArgumentError"""
    if given is None:
        return whole_area(world)
    try:
        west, north, east, south = (int(edge) for edge in given)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgumentError(f"area is {given!r}, expected west, north, east, south") from None
    end = _core.COORDINATE_MAX
    if not (-end <= west < east <= end and -end <= north < south <= end):
        raise InvalidArgumentError(
            f"area is {given!r}, expected west < east and north < south between -2**46 and 2**46"
        )
    return west, north, east, south
