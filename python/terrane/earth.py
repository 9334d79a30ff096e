"""Where the samples of a world lie on the Earth: the coordinate system of Datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .world import World

__all__ = ["System", "system_of"]

# The coordinate system of the program's GeoTIFF files: a plane in metres without a place on the Earth.
_LOCAL = 'LOCAL_CS["terrane",UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH]]'


class System(NamedTuple):
    """A coordinate system, and where lattice point (0, 0) lies in it."""

    epsg: int
    """Number of EPSG. 0: a local system without a place on the Earth."""
    east: float
    """In units of the system."""
    north: float
    """In units of the system."""
    metres: float
    """Length of a unit."""

    @property
    def units(self) -> str:
        """The unit as UDUNITS writes it."""
        return "m" if self.metres == 1.0 else f"{self.metres!r} m"

    def attributes(self) -> dict[str, Any]:
        """Attributes of the variable spatial_ref, as CF and rioxarray read them."""
        if self.epsg == 0:
            return {"crs_wkt": _LOCAL, "grid_mapping_name": "unknown"}
        known = _attributes_of(self.epsg)
        return {**known, "spatial_ref": known["crs_wkt"]}


def system_of(world: World) -> System:
    """The coordinate system of the guide's file; without one a local system."""
    guide = world.guide
    if guide is None or guide.place is None:
        return System(0, 0.0, 0.0, 1.0)
    epsg, east, north, metres = guide.place
    x, z = (round(at / world.spacing) * world.spacing for at in guide.at)  # as the library rounds to lattice steps
    return System(epsg, east - x / metres, north + z / metres, metres)


def _attributes_of(epsg: int) -> dict[str, Any]:
    """Attributes of CF if pyproj is installed; otherwise only the WKT of the system."""
    try:
        import pyproj  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        return {"crs_wkt": _text_of(epsg), "grid_mapping_name": "unknown"}
    return {"grid_mapping_name": "unknown", **pyproj.CRS.from_epsg(epsg).to_cf()}


def _text_of(epsg: int) -> str:
    """WKT of a coordinate system. If rasterio is missing, its number, which rioxarray also reads."""
    try:
        from rasterio.crs import CRS  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        return f"EPSG:{epsg}"
    return str(CRS.from_epsg(epsg).to_wkt())
