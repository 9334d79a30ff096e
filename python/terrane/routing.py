"""Layers of patches that follow from the flow of water over the patch's own grid. For each cell they tell: the
neighbour that it drains to, the area that drains through it, its catchment, and its height above open water and its
distance from it along the flow.

The grid is the patch alone. Water leaves it at cells of the sea, and at cells of the edge that have no lower neighbour.
Water that flows into the patch from outside is not in `accumulation`; layer flow has it. If the water of a cell leaves
the patch before it meets a wet cell, `hand` and `water-distance` of the cell are NaN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import InvalidArgumentError
from .outputs import empty
from .world import World

__all__ = ["ROUTED_LAYERS", "RoutedLayer", "drainage_of", "route"]


class RoutedLayer(NamedTuple):
    """Facts about a layer that only patches have."""

    name: str
    unit: str
    description: str
    dtype: str


ROUTED_LAYERS: Mapping[str, RoutedLayer] = MappingProxyType(
    {
        layer.name: layer
        for layer in (
            RoutedLayer(
                "direction",
                "",
                "neighbour that the cell drains to: 1 east, 2 south-east, 4 south, ... 128 north-east; 0: the water "
                "leaves the patch",
                "uint8",
            ),
            RoutedLayer("accumulation", "m2", "area of the patch's cells whose water passes the cell", "float32"),
            RoutedLayer(
                "catchment", "", "number of the cell where the water leaves the patch, counted along rows", "int32"
            ),
            RoutedLayer(
                "hand", "m", "height above the first wet cell on the water's way; 0 where it is wet", "float32"
            ),
            RoutedLayer(
                "water-distance", "m", "length of the water's way to the first wet cell; 0 where it is wet", "float32"
            ),
            RoutedLayer("wet", "", "1 where any water lies in the cell: rivers, lakes, the sea", "uint8"),
            RoutedLayer("sea", "", "1 where the ground lies below the sea", "uint8"),
        )
    }
)
"""Layers that patches have in addition to those of terrane.LAYERS."""

_BY_FLOOD = ("direction", "accumulation", "catchment", "hand", "water-distance")


def route(
    names: Sequence[str], world: World, height: NDArray[np.float32], level: NDArray[np.float32] | None, step_m: float
) -> dict[str, NDArray[Any]]:
    """Layers of a batch of patches by name.

    height, level  shape (patches, rows, columns); level is layer water with water="any", or None for a world without
                   that layer: there only the sea is wet
    step_m         distance between samples, metres"""
    sea = np.float32(world.parameters["sea"])
    if level is None:
        level = np.where(height < sea, sea, np.float32(np.nan))
    made: dict[str, NDArray[Any]] = {}
    if any(name in _BY_FLOOD for name in names):
        arrays = [empty(height.shape, ROUTED_LAYERS[name].dtype) for name in _BY_FLOOD]
        _core.drain(np.ascontiguousarray(height), np.ascontiguousarray(level), float(sea), step_m, *arrays)
        made.update(zip(_BY_FLOOD, arrays, strict=True))
    made["wet"] = np.isfinite(level).astype(np.uint8)
    made["sea"] = (height < sea).astype(np.uint8)
    return {name: made[name] for name in names}


def drainage_of(
    world: World, rect: Sequence[int], place: tuple[float, float], conditioned: bool, min_area: float
) -> dict[str, NDArray[Any]]:
    """The arrays of World.drainage(). rect: level, column, row, width, height; place: x, z"""
    level, i, j, width, height = rect
    lod = int(world.parameters["levels"]) - level
    step = 2**lod
    has_rivers = "flow" in world.layer_names
    if conditioned and not has_rivers:
        raise InvalidArgumentError("conditioned: this world has no rivers; worlds of basis fluvial have")
    if min_area != 0.0 and not conditioned:
        raise InvalidArgumentError("min_area needs conditioned=True: only conditioned heights follow rivers")
    _core.check_drainage(world._world, level, width, height, min_area)
    names = ["height", "water"] if has_rivers else ["height"]
    around = world.layers(names, place[0] - step, place[1] - step, width + 2, height + 2, lod)
    water = around["water"] if has_rivers else np.full_like(around["height"], np.nan)
    made: dict[str, NDArray[Any]] = {
        "height": empty((height, width), "float32"),
        "accumulation": empty((height, width), "float32"),
        "direction": empty((height, width), "uint8"),
    }
    _core.drainage(world._world, (level, i, j), conditioned, min_area, around["height"], water, *made.values())
    return made
