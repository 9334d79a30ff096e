"""Rasters for guides: arrays, and files that this build cannot read itself."""

from __future__ import annotations

import os
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import FileError, InvalidArgumentError

__all__ = ["GisRaster", "guide_texts", "is_path", "of_array", "read", "take_rasters", "take_rivers"]

_RASTERS = ("relief", "plateau", "dryness", "ice", "temperature", "precipitation")

_TYPES = "float32, float64, float16, or integers of at most 32 bits"


def is_path(guide: Any) -> bool:
    """Whether a guide is the name of a file; else it is an array."""
    return isinstance(guide, (str, os.PathLike))


def of_array(given: Any) -> tuple[NDArray[np.float32], float, bool]:
    """Convert an array of two dimensions to 32-bit floats. Returns also the greatest number of its type (1 for floats),
    and whether its type is uint8: such numbers are those of a picture, not metres. Masked elements become NaN, which
    means no data."""
    array = np.ma.asanyarray(given) if np.ma.isMaskedArray(given) else np.asarray(given)
    kind = array.dtype
    if array.ndim != 2 or not (kind.kind == "f" or (kind.kind in "iu" and kind.itemsize <= 4)):
        raise InvalidArgumentError(
            f"guide has shape {array.shape} and type {kind}, expected the name of a file, or an array of two "
            f"dimensions of {_TYPES}"
        )
    greatest = float(np.iinfo(kind).max) if kind.kind in "iu" else 1.0
    with np.errstate(over="ignore"):  # a float64 that is too large becomes infinite, which the library refuses
        numbers = array.astype(np.float32)
    if isinstance(numbers, np.ma.MaskedArray):
        numbers = numbers.filled(np.float32(np.nan))
    return np.ascontiguousarray(numbers), greatest, kind == np.uint8


def take_rasters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Remove the arrays of further rasters, such as guide_ice, from `parameters`. Returns them by their names without
    "guide_", such as "ice"."""
    arrays = {}
    for name in _RASTERS:
        if f"guide_{name}" in parameters and not is_path(parameters[f"guide_{name}"]):
            arrays[name] = of_array(parameters.pop(f"guide_{name}"))
    return arrays


def take_rivers(parameters: dict[str, Any]) -> list[tuple[NDArray[np.float64], float]] | None:
    """Remove the lines of rivers from `parameters`. Returns for each line its vertices x, z, shape (vertices, 2), and
    its width in metres; 0: no width is given. None: there are no lines, or they are in a file"""
    given = parameters.get("guide_rivers")
    if given is None or is_path(given):
        return None
    del parameters["guide_rivers"]
    return [_river(n, river) for n, river in enumerate(given)]


def _river(n: int, given: Any) -> tuple[NDArray[np.float64], float]:
    places, width = given if isinstance(given, tuple) and len(given) == 2 and np.ndim(given[1]) == 0 else (given, 0.0)
    try:
        array = np.ascontiguousarray(places, np.float64)
        metres = float(width)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"guide_rivers: line {n} is no array of numbers: {error}") from None
    if array.ndim != 2 or array.shape[1] != 2 or not 2 <= len(array) < 2**31:
        raise InvalidArgumentError(f"guide_rivers: line {n} has shape {array.shape}, expected (vertices, 2)")
    return array, metres


def guide_texts(parameters: dict[str, Any]) -> dict[str, Any]:
    """Copy of the parameters, in which guide_at and guide_range are texts of a world file, and the name of the guide's
    file is a str."""
    texts = dict(parameters)
    for key in ("guide_at", "guide_range"):
        if key in texts and not isinstance(texts[key], str):
            texts[key] = _pair(key, texts[key])
    if "guide" in texts:
        texts["guide"] = os.fspath(texts["guide"])
        if not isinstance(texts["guide"], str):
            raise InvalidArgumentError(f"guide is {texts['guide']!r}, expected a name of type str")
    return texts


def _pair(key: str, value: Any) -> str:
    try:
        numbers = [float(number) for number in value]
    except (TypeError, ValueError, OverflowError):
        numbers = []
    if len(numbers) != 2:
        what = "x and z" if key == "guide_at" else "low and high"
        raise InvalidArgumentError(f"{key} is {value!r}, expected two numbers: {what}")
    return ",".join(str(int(n)) if n.is_integer() else repr(n) for n in numbers)


class GisRaster(NamedTuple):
    """A raster of a file, and what the file says about it; the members are those of georeference.h."""

    numbers: NDArray[np.float32]
    transform: tuple[float, ...] | None
    is_in_degrees: bool
    metres: float
    epsg: int
    no_data: float | None
    bits: int
    is_image: bool


def read(path: str) -> GisRaster:
    """Read a raster by rasterio. Raises FileError, also if rasterio is missing."""
    try:
        import rasterio  # type: ignore[import-untyped, import-not-found, unused-ignore]
        import rasterio.errors  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError as missing:
        raise FileError(
            f"cannot read {path!r}: this package reads guides as .npy and .r32 alone, and other formats with rasterio: "
            f"pip install rasterio ({missing})"
        ) from missing
    try:
        with warnings.catch_warnings():  # do not warn about a picture without a place
            warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
            with rasterio.open(path) as file:
                return _described(file)
    except rasterio.errors.RasterioError as error:
        raise FileError(f"cannot read {path!r} as a raster: {error}") from error


def _described(file: Any) -> GisRaster:
    if file.count < 1:
        raise FileError(f"{file.name!r} has no raster band")
    transform = None if file.transform.is_identity else file.transform.to_gdal()
    is_projected = bool(file.crs and file.crs.is_projected)
    return GisRaster(
        numbers=np.ascontiguousarray(file.read(1, out_dtype=np.float32)),
        transform=transform,
        is_in_degrees=bool(file.crs and file.crs.is_geographic),
        metres=float(file.crs.linear_units_factor[1]) if is_projected else 1.0,
        epsg=_number_of(file.crs) if is_projected else 0,
        no_data=None if file.nodata is None else float(file.nodata),
        bits={"uint8": 8, "uint16": 16}.get(file.dtypes[0], 0),
        is_image=file.driver == "PNG",
    )


def _number_of(crs: Any) -> int:
    """EPSG's number of a coordinate system; 0: it has none."""
    authority = crs.to_authority()
    number = int(authority[1]) if authority and authority[0] == "EPSG" else 0
    return number if number < 32767 else 0  # GeoTIFF has no room for others
