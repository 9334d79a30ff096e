"""A world as a Dataset of xarray over Dask."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import dask._task_spec
    import dask.array  # noqa: F401
    import xarray as xr
    from xarray.indexes import CoordinateTransform  # noqa: F401
except ImportError as missing:
    needs = "xarray from 2025.8 and Dask from 2025.7 on, with Python 3.11 or later"
    raise ImportError(f"open_world() needs {needs}: pip install xarray 'dask[array]' ({missing})") from missing

from . import _core
from .arguments import is_any_water
from .earth import System, system_of
from .endless import EndlessLayer, EndlessVariable
from .errors import InvalidArgumentError
from .graph import Water
from .lattice import LatticeIndex, LatticeTransform
from .layers import BIOMES, LAYERS
from .parameters import Parameters
from .world import World

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["open_levels", "open_world"]

_SIDES = {
    "x": {"standard_name": "projection_x_coordinate", "long_name": "east of the origin", "axis": "X"},
    "y": {"standard_name": "projection_y_coordinate", "long_name": "north of the origin", "axis": "Y"},
}


def open_world(
    world: World | str | os.PathLike[str] | None = None,
    *,
    lod: int = 0,
    water: Water = "point",
    layers: Sequence[str] | None = None,
    chunks: int = 2048,
    **parameters: Unpack[Parameters],
) -> xr.Dataset:
    """A whole world as a lazy Dataset. Select a part of it: its samples are made by the process that reads them, at the
    time when it reads them.

    world       a World, or the first argument of World
    lod         level of detail, -4 to the world's `levels`: samples are 2**lod lattice steps apart
    water       "any": a sample of layer water is wet if any water lies in its cell, see World.layers(); the Dataset
                then has the attribute `water`
    layers      names of terrane.LAYERS; None: all layers of the world
    chunks      samples per side of Dask's chunks; ds.chunk(x=..., y=...) of the whole world changes this number
    parameters  keyword arguments of World

    The attribute `samples` is "means" in worlds of basis fluvial from lod 9 on, where each sample is a mean over its
    surroundings. Otherwise it is "points".

    Dimensions are y and x, in metres: x = spacing * lattice x grows to the east, y = -spacing * lattice z grows to the
    north, and rows begin in the north. So slices of y go from the larger to the smaller value: ds.sel(x=slice(0, 999),
    y=slice(999, 0)). If the guide's file has a projected coordinate system with an EPSG code, x and y are coordinates
    of that system, in its unit, and `spatial_ref` describes it.

    A selection is an array of Dask with an ordinary index, and all functions of xarray work on it. Points are selected
    by arrays: ds.height.sel(x=xs, y=ys, method="nearest") with two DataArrays of one dimension.

    Raises InvalidArgumentError; ImportError without xarray and Dask."""
    w = world if isinstance(world, World) else World(world, **parameters)
    if isinstance(world, World) and parameters:
        raise InvalidArgumentError("open_world() has a World and parameters, expected the parameters in World()")
    lod = int(lod) if isinstance(lod, np.integer) else lod
    if not isinstance(lod, int) or not -_core.FINE_LODS <= lod <= w.levels:
        raise InvalidArgumentError(f"lod is {lod!r}, expected {-_core.FINE_LODS} to {w.levels}")
    if not isinstance(chunks, (int, np.integer)) or chunks < 1:
        raise InvalidArgumentError(f"chunks is {chunks!r}, expected 1 or more")
    end = _core.COORDINATE_MAX >> lod if lod >= 0 else _core.COORDINATE_MAX << -lod
    side = range(-end, end + 1)
    if isinstance(layers, str):
        raise InvalidArgumentError(f"layers is {layers!r}, expected a list of names: [{layers!r}]")
    names = list(w.layer_names if layers is None else layers)
    for name in names:
        _check_layer(w, name)
    if is_any_water(water) and "water" not in names:
        raise InvalidArgumentError(f"water is 'any', expected layer water among the layers: {', '.join(names)}")
    arrays = {n: EndlessLayer(w, n, lod, water, (int(chunks), int(chunks)), (side, side)) for n in names}
    coordinates = _coordinates(side, w.spacing * 2.0**lod, system_of(w))
    return xr.Dataset(
        {n: EndlessVariable(("y", "x"), a, _layer_attributes(n), _layer_encoding(n)) for n, a in arrays.items()},
        coordinates,
        {
            "title": "land made by Terrane",
            "source": f"terrane {_core.VERSION}, world format {_core.WORLD_FORMAT}",
            "world": json.dumps(w.identity()),
            "lod": lod,
            "samples": "means" if w.parameters["basis"] == "fluvial" and lod >= _core.MEANS_LOD else "points",
            **({"water": water} if water == "any" else {}),
        },
    )


def open_levels(
    world: World | str | os.PathLike[str] | None = None,
    lods: Sequence[int] = range(7),
    *,
    water: Water = "point",
    layers: Sequence[str] | None = None,
    chunks: int = 2048,
    **parameters: Unpack[Parameters],
) -> xr.DataTree:
    """Several levels of detail of a whole world as a lazy DataTree: the group lod_D is open_world(world, lod=D).

    lods    levels of detail, in any order; levels whose samples are points and levels whose samples are means can be
            combined
    others  arguments of open_world()

    A selection is made in every level: tree.sel(x=slice(0, 9999), y=slice(0, -9999)) has the samples of each level that
    lie there, and its to_zarr() writes a pyramid.

    Raises InvalidArgumentError; ImportError without xarray and Dask."""
    w = world if isinstance(world, World) else World(world, **parameters)
    rest = parameters if w is world else Parameters()
    if isinstance(lods, (int, np.integer)) or not len(lods):
        raise InvalidArgumentError(f"lods is {lods!r}, expected levels of detail, such as range(7)")
    levels = {lod: open_world(w, lod=lod, water=water, layers=layers, chunks=chunks, **rest) for lod in lods}
    return xr.DataTree.from_dict({f"/lod_{lod}": level for lod, level in levels.items()})


def _check_layer(world: World, name: str) -> None:
    if name not in LAYERS:
        raise InvalidArgumentError(f"layer is {name!r}, expected one of: {', '.join(LAYERS)}")
    if LAYERS[name].channels:
        raise InvalidArgumentError(
            f"layer is {name!r}, which is a picture, expected numbers: World.layers() makes pictures"
        )
    if name not in world.layer_names and not LAYERS[name].is_derived:
        basis = world.parameters["basis"]
        raise InvalidArgumentError(
            f"layer is {name!r}, but a world of basis {basis} has: {', '.join(world.layer_names)}"
        )


def _layer_attributes(name: str) -> dict[str, Any]:
    classes: dict[str, Any] = {}
    if name == "biome":
        classes["flag_values"] = np.arange(len(BIOMES), dtype=np.float32)
        classes["flag_meanings"] = " ".join(biome.replace(" ", "_") for biome in BIOMES)
    return {"units": LAYERS[name].unit, "long_name": LAYERS[name].description, **classes}


def _layer_encoding(name: str) -> dict[str, Any]:
    """Encoding of a layer in files: its coordinate system, and the value for missing data."""
    gaps = {"_FillValue": np.float32(np.nan)} if LAYERS[name].has_gaps else {}
    return {"grid_mapping": "spatial_ref", **gaps}


def _coordinates(side: range, step_m: float, system: System) -> xr.Coordinates:
    step = step_m / system.metres
    north = range(-side.start, -side.stop, -1)
    x = LatticeIndex(LatticeTransform("x", side, step, system.east))
    y = LatticeIndex(LatticeTransform("y", north, step, system.north))
    both = xr.Coordinates.from_xindex(x).merge(xr.Coordinates.from_xindex(y)).coords
    for name, attributes in _SIDES.items():
        both[name].attrs.update(attributes, units=system.units)
    both["spatial_ref"] = xr.Variable((), np.int32(system.epsg), system.attributes())
    return both
