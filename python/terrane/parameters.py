"""The parameters of worlds, for type checkers. Their names, ranges and meanings are those of the library, see
docs/worlds.md."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from numpy.typing import ArrayLike


class Parameters(TypedDict, total=False):
    """Section [world] of a world file: the parameters that determine heights."""

    seed: int  #: key of the random field
    levels: int  #: subdivision levels, 1 to 24
    amplitude: float  #: displacement at level 0, metres
    gain: float  #: amplitude ratio from level to level
    broad: int  #: leading levels that use broad_gain
    broad_gain: float  #: amplitude ratio over the broad levels
    base: float  #: mean altitude, metres
    basis: Literal["midpoint", "smooth", "fluvial"]  #: the rules that make heights; only fluvial land has rivers
    valley: float  #: smoothing of low ground, 0 to 1
    sea: float  #: sea level, metres; only the heights of fluvial land depend on it
    spacing: float  #: metres of a lattice step, 0.001 to 1e6
    land: float  #: fluvial: -1 sea, 1 continents
    relief: float  #: fluvial: factor of the steepness of hillsides, 0.1 to 3
    uplift: float  #: fluvial: less or more alpine land, -1 to 1
    hills: float  #: fluvial: -1 plains, 1 hills
    plateau: float  #: fluvial: less or more high plains with canyons, -1 to 1
    ice: float  #: fluvial: less or more land shaped by ice, -1 to 1
    dryness: float  #: fluvial: less or more dry land, -1 to 1
    continents: float  #: fluvial: how much continents and oceans shape land over 1,500 km away, 0 to 1
    warmth: float  #: fluvial: added to temperatures, kelvins, -60 to 60
    wetness: float  #: fluvial: factor of precipitation, 0 to 5
    belts: float  #: fluvial: mean distance from a hot belt of the climate to a cold one, km, 500 to 100,000
    sand: float  #: fluvial: 0 no dunes, 1 nearly all plains of deserts are ergs
    glaciers: float  #: fluvial: 0 no glaciers, 1 as many as the climate allows
    drought: float  #: fluvial: 0 rivers and lakes everywhere, 1 dry beds and salt flats where the climate is dry
    wind: float  #: fluvial: where the wind that makes dunes comes from, degrees clockwise from north, 0 to 360
    craters: float  #: midpoint, smooth: 0 no craters, 1 a surface saturated with craters
    maria: float  #: midpoint, smooth, with craters: how much low ground lava has covered, 0 to 1
    guide: str | os.PathLike[str] | ArrayLike  #: fluvial: file or array of heights that the land follows
    guide_at: tuple[float, float]  #: x, z of the middle of its north-western pixel, whole metres
    guide_spacing: float  #: metres between its pixels
    guide_range: tuple[float, float]  #: heights of the least and the greatest number of a picture, metres
    guide_vertical: float  #: factor of its heights
    guide_level: int  #: level of the drainage network that it sets, 1 to 8; 0: chosen by measure
    guide_surround: Literal["endless", "sea"]  #: what lies around it
    guide_lakes: float  #: its depressions of this depth in metres remain lakes; 0: none does
    guide_endorheic: float  #: its depressions of this depth in metres have no outlet; 0: none has
    guide_rivers: str | os.PathLike[str] | Sequence[Any]  #: file or list of lines that rivers follow
    guide_relief: str | os.PathLike[str] | ArrayLike  #: raster beside it: factor of the steepness of hillsides, 0 to 4
    guide_plateau: str | os.PathLike[str] | ArrayLike  #: raster beside it: share of plateaus with canyons, 0 to 1
    guide_dryness: str | os.PathLike[str] | ArrayLike  #: raster beside it: dryness, 0 to 1
    guide_ice: str | os.PathLike[str] | ArrayLike  #: raster beside it: share of land that glaciers have shaped, 0 to 1
    guide_temperature: str | os.PathLike[str] | ArrayLike  #: raster beside it: mean temperature of a year, deg C
    guide_precipitation: str | os.PathLike[str] | ArrayLike  #: raster beside it: mm of rain and snow a year


class Look(TypedDict, total=False):
    """Section [look] of a world file: colours of maps. Heights do not depend on it."""

    palette: Literal["temperate", "talk", "desert", "badlands", "steppe", "moon"]  #: colours of the ground
    tree_line: float  #: where forest ends, metres over the sea
    snow_line: float  #: where snow begins, metres over the sea
    aridity: float  #: 0 wet, 1 no plants
    strata: float  #: strength of layers in rock, 0 to 1
    haze: float  #: 1 is a clear day
    clouds: float  #: cover of the sky, 0 to 1
    cloud_base: float  #: metres over the sea
    cloud_depth: float  #: metres
    air: float  #: density, 1 is the Earth's
