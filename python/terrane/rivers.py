"""Rivers as lines, as a GeoDataFrame of geopandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .errors import Error, InvalidArgumentError

if TYPE_CHECKING:
    from .world import World

__all__ = ["rivers_of"]

_CUTS = np.array(["", "start", "end", "both"])


def _packages() -> tuple[Any, Any, Any]:
    try:
        import geopandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
        import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
        import shapely  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError as missing:
        raise Error(
            f"World.rivers() gives a GeoDataFrame, and {missing.name} is missing: pip install 'terrane-land[vectors]'"
        ) from None
    return geopandas, pandas, shapely


def _box(bbox: Sequence[float]) -> tuple[float, float, float, float]:
    given = np.asarray(bbox, np.float64) if len(bbox) == 4 else np.full(4, np.nan)
    west, south, east, north = (float(number) for number in given)
    if not (np.all(np.isfinite(given)) and west < east and south < north):
        raise InvalidArgumentError(
            f"bbox is {bbox!r}, expected (west, south, east, north) with west < east and south < north"
        )
    return west, south, east, north


def rivers_of(world: World, bbox: Sequence[float], min_area: float, point_distance: float) -> Any:
    """The GeoDataFrame of World.rivers()."""
    geopandas, pandas, shapely = _packages()
    found: Any = _core.rivers(world._world, *_box(bbox), float(min_area), float(point_distance))
    real_names, reals, whole_names, wholes, points, ends, epsg = found
    whole = dict(zip(whole_names, wholes.T, strict=True))
    real = dict(zip(real_names, reals.T, strict=True))

    def ids(name: str) -> Any:
        """Integers of 64 bits, also beside missing ones: floats would not hold them."""
        numbers = pandas.array(whole[name], "Int64")
        numbers[whole[f"has_{name}"] == 0] = pandas.NA
        return numbers

    columns: dict[str, Any] = {
        "id": whole["id"],
        "downstream": ids("downstream"),
        "mouth": whole["mouth"],
        "lake": ids("lake"),
    }
    columns["kind"] = np.where(whole["is_lake"] != 0, "lake", "river")
    columns["end"] = np.array(_core.RIVER_ENDS.split(","))[whole["end"]]
    columns["strahler"] = whole["strahler"]
    ends_of_reaches = {name: real.pop(name) for name in ("start_x", "start_y", "end_x", "end_y")}
    columns |= real
    columns |= {"cut": _CUTS[whole["cut"]], "piece": whole["piece"]} | ends_of_reaches
    counts = np.diff(ends[:, 0], prepend=0)
    lines = shapely.linestrings(points, indices=np.repeat(np.arange(len(counts)), counts))
    return geopandas.GeoDataFrame(columns, geometry=lines, crs=f"EPSG:{epsg}" if epsg else None)
