"""Measures of the land in a patch, and strata: classes of land by these measures. Patches are drawn evenly from the
strata.

A measure is computed from a coarse grid of samples in the patch, in integers, so that it is the same on every machine
and in every version of numpy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidArgumentError

__all__ = ["MEASURES", "PROVINCES", "Strata", "measure_layers", "measured"]

PROVINCES = ("plain", "plateau", "hills", "mountains", "ice")
"""Classes of provinces, by the layers of the patch's middle: plain or plateau if that share is at least half; else ice
if layer ice is at least half; else mountains if layer relief is at least 1.1, else hills."""

MEASURES: Mapping[str, str] = {
    "land": "share of samples at or above the sea, 0 to 1",
    "water": "share of samples in rivers, lakes and the sea, 0 to 1",
    "height": "mean height, metres",
    "relief": "greatest less smallest height, metres",
    "gradient": "mean steepness between neighbouring samples, metres per metre",
    "province": "class of the province: " + ", ".join(PROVINCES),
}
"""Measures by which patches can be divided into strata, with their meanings."""

_LAYERS = {"land": "land", "water": "water", "height": "height", "relief": "height", "gradient": "height"}
_PROVINCE_LAYERS = ("plain", "plateau", "ice", "relief")
_UNIT = 1_000_000  # measures are integers in millionths


class Strata:
    """Classes of land: all combinations of the classes of each measure.

    Raises InvalidArgumentError for wrong measures or classes"""

    def __init__(self, given: Mapping[str, Sequence[Any]]) -> None:
        for name in given:
            if name not in MEASURES:
                raise InvalidArgumentError(f"strata has {name!r}, expected some of: {', '.join(MEASURES)}")
        self.given = {name: list(given[name]) if hasattr(given[name], "__len__") else given[name] for name in given}
        self.names = tuple(given)
        self.classes = list(itertools.product(*(_classes(name, given[name]) for name in self.names)))

    def __len__(self) -> int:
        return len(self.classes)

    def accepts(self, stratum: int, measures: Mapping[str, NDArray[np.int64]]) -> NDArray[np.bool_]:
        """Which patches belong to a stratum."""
        inside = [_inside(measures[name], part) for name, part in zip(self.names, self.classes[stratum], strict=True)]
        return np.asarray(np.logical_and.reduce(inside))

    def describe(self, stratum: int) -> str:
        """What a stratum is, for messages."""
        parts = zip(self.names, self.classes[stratum], strict=True)
        return ", ".join(f"{name} {part.text}" for name, part in parts)


class _Class(NamedTuple):
    """A class of one measure: from `low` to below `high`, in millionths; the last class contains its upper end."""

    low: int
    high: int
    text: str


def _classes(name: str, given: Sequence[Any]) -> list[_Class]:
    if isinstance(given, str) or not hasattr(given, "__len__"):
        raise InvalidArgumentError(f"stratum {name} is {given!r}, expected a list")
    if name == "province":
        for each in given:
            if each not in PROVINCES:
                raise InvalidArgumentError(f"stratum province has {each!r}, expected some of: {', '.join(PROVINCES)}")
        if not given:
            raise InvalidArgumentError("stratum province is empty, expected some of: " + ", ".join(PROVINCES))
        return [_Class(PROVINCES.index(p), PROVINCES.index(p) + 1, str(p)) for p in given]
    try:
        edges = [float(edge) for edge in given]
    except (TypeError, ValueError):
        edges = []
    if len(edges) < 2 or not all(a < b for a, b in itertools.pairwise(edges)) or any(map(math.isnan, edges)):
        raise InvalidArgumentError(f"stratum {name} is {given!r}, expected two or more rising edges of classes")
    whole = [_millionths(edge) for edge in edges]
    whole[-1] += 1
    spans = zip(itertools.pairwise(whole), itertools.pairwise(edges), strict=True)
    return [_Class(low, high, f"from {a:g} to {b:g}") for (low, high), (a, b) in spans]


def _millionths(value: float) -> int:
    return round(min(max(value * _UNIT, -(2.0**62)), 2.0**62))


def _inside(values: NDArray[np.int64], part: _Class) -> NDArray[np.bool_]:
    return (values >= part.low) & (values < part.high)


# ---- measuring ----


def measure_layers(names: Sequence[str], has_layers: bool) -> list[str]:
    """Layers that the measures need. has_layers: whether the world has other layers than heights"""
    wanted = {"height"} | {_LAYERS[name] for name in names if name != "province" and has_layers}
    if "province" in names:
        wanted |= set(_PROVINCE_LAYERS)
    return sorted(wanted)


def measured(
    names: Sequence[str], tiles: Mapping[str, NDArray[np.float32]], step_m: float, sea_m: float
) -> dict[str, NDArray[np.int64]]:
    """Measures of tiles in millionths, each of shape (tiles,)."""
    return {name: _measure(name, tiles, step_m, sea_m) for name in names}


def _measure(
    name: str, tiles: Mapping[str, NDArray[np.float32]], step_m: float, sea_m: float
) -> NDArray[np.int64]:
    height = tiles["height"]
    if name == "land":
        return _mean(_whole(tiles["land"] if "land" in tiles else height >= np.float32(sea_m)))
    if name == "water":
        return _mean(_whole(np.isfinite(tiles["water"]) if "water" in tiles else height < np.float32(sea_m)))
    if name == "province":
        return _province(tiles)
    if name == "height":
        return _mean(_whole(height))
    if name == "relief":
        whole = _whole(height)
        return np.asarray(whole.max(axis=(1, 2)) - whole.min(axis=(1, 2)))
    return _mean(_whole(_steepness(height, step_m)))


def _steepness(height: NDArray[np.float32], step_m: float) -> NDArray[np.float64]:
    """Steepness of each square between four samples, from the differences of height along its northern and western
    sides."""
    h = height.astype(np.float64)
    east, south = h[:, :-1, 1:] - h[:, :-1, :-1], h[:, 1:, :-1] - h[:, :-1, :-1]
    return np.asarray(np.sqrt(east * east + south * south) / step_m)


def _whole(values: NDArray[Any]) -> NDArray[np.int64]:
    """Numbers in millionths."""
    return np.rint(values.astype(np.float64) * _UNIT).astype(np.int64)


def _mean(whole: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(whole.sum(axis=(1, 2)) // (whole.shape[1] * whole.shape[2]))


def _province(tiles: Mapping[str, NDArray[np.float32]]) -> NDArray[np.int64]:
    rows, columns = tiles["plain"].shape[1:]
    plain, plateau, ice, relief = (tiles[name][:, rows // 2, columns // 2] for name in _PROVINCE_LAYERS)
    rest = np.where(ice >= 0.5, 4, np.where(relief >= np.float32(1.1), 3, 2))
    return np.where(plain >= 0.5, 0, np.where(plateau >= 0.5, 1, rest)).astype(np.int64)
