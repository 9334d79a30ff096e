"""Worlds: heights and other layers of any rectangle, of batches of tiles and at points, statistics and maps."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .arguments import count, height_range, in_samples, integer, is_any_water, points_in_samples
from .definition import Definition, world_names
from .device import DeviceArray, array_device, device_number, is_on_device, stream_handle
from .errors import InvalidArgumentError
from .facts import Guide, Histogram, Statistics
from .outputs import device_outputs, empty, empty_layer, output_arrays, require_generated
from .parameters import Look, Parameters
from .picture import Picture

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Guide", "Histogram", "Statistics", "World", "world_names"]

Out = TypeVar("Out")
Floats = NDArray[np.float32]

_POINTS_A_CALL = 1 << 20  # greatest number of points per call of the library; Ctrl-C works between calls
_SAMPLES_MAX = 1 << 48  # greatest number of samples for statistics, as in the library


class World(Definition):
    """A world: a few parameters that determine the height at every place, and in worlds of basis fluvial further
    layers.

    name        a world that comes with Terrane (`terrane.world_names()`), the path of a world file, or None: the
                default world
    parameters  new values for parameters of the world: seed, levels, amplitude, gain, broad, broad_gain, base, basis,
                valley, craters, maria, sea, spacing, and for basis fluvial land, relief, uplift, hills, plateau, ice,
                dryness, continents, warmth, wetness, belts, sand, glaciers, drought, wind, and those of a guide, a
                raster of heights that the land follows: guide (the name of a file, or an array of rows from the north),
                guide_spacing, guide_at, guide_range, guide_vertical, guide_level, guide_surround, guide_lakes,
                guide_endorheic; files or arrays beside the heights: guide_relief, guide_plateau, guide_dryness,
                guide_ice, guide_temperature (deg C), guide_precipitation (mm a year); guide_rivers (the name of a file,
                or a list of arrays of x, z in metres, or of pairs of such an array and a width in metres)
    look        new values for colours of maps
    backend     where heights are computed: "cpu", "cuda", or "auto": CUDA if there is a device, else the CPU
    threads     CPU threads, 0 for all; worlds with the same backend, threads and GPU share them
    gpu         number of the CUDA device

    Coordinates are lattice steps: x grows to the east, z to the south, both from -2**46 to 2**46. A lattice step is
    `spacing` metres long, 1 m in most worlds. Samples of level of detail `lod` are 2**lod lattice steps apart, and x
    and z must be multiples of 2**lod. At levels of detail -1 to -4 samples are 1/2 to 1/16 lattice step apart, and x
    and z may be floats. Samples are equal to the samples of finer levels at the same places, except in worlds of basis
    fluvial from lod 9 on, where samples are means. Heights are metres. The same call gives the same bits on every
    machine and backend.

    A world never changes. Several threads may use it at once, and it can be sent to other processes. Long calls release
    the GIL, and Ctrl-C ends them within a second. A world with a guide takes seconds to make; worlds with equal guides
    share what was made. A world that is sent to another process takes along the name of its guide's file and the
    checksum of its heights, or the guide's array.

    Raises InvalidArgumentError for an unknown world or parameter, or a wrong value; FileError for the file of a
    guide."""

    def __init__(
        self,
        name: str | os.PathLike[str] | None = None,
        *,
        look: Look | None = None,
        backend: Literal["auto", "cpu", "cuda"] = "auto",
        threads: int = 0,
        gpu: int = 0,
        **parameters: Unpack[Parameters],
    ) -> None:
        self._make(name, look or {}, (backend, count("threads", threads, 0), count("gpu", gpu, 0)), dict(parameters))

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        kind = type(self)
        name = "terrane.World" if kind is World else f"{kind.__module__}.{kind.__qualname__}"
        return name, _core.WORLD_FORMAT, self._key()

    # ---- rectangles ----

    def _lod(self, lod: int) -> int:
        """A level of detail of this world."""
        lod = integer("lod", lod)
        if not -_core.FINE_LODS <= lod <= self.levels:
            raise InvalidArgumentError(f"lod is {lod}, expected {-_core.FINE_LODS} to {self.levels}")
        return lod

    def _rect(self, x: float, z: float, width: int, height: int, lod: int) -> tuple[int, int, int, int, int]:
        lod = self._lod(lod)
        return (
            self.levels - lod,
            in_samples("x", x, lod),
            in_samples("z", z, lod),
            integer("width", width),
            integer("height", height),
        )

    def _large_rect(self, x: float, z: float, width: int, height: int, lod: int) -> tuple[int, int, int, int, int]:
        """A rectangle for calls that make no array. It may have up to 2**48 samples."""
        rect = self._rect(x, z, width, height, lod)
        for name, side in (("width", rect[3]), ("height", rect[4])):
            if side < 1:
                raise InvalidArgumentError(f"{name} is {side}, expected 1 or more")
        if rect[3] * rect[4] > _SAMPLES_MAX:
            raise InvalidArgumentError(f"a rectangle of {rect[3]} x {rect[4]} samples, expected at most 2**48 in all")
        return rect

    def layers(
        self,
        names: Sequence[str],
        x: float,
        z: float,
        width: int,
        height: int,
        lod: int = 0,
        *,
        water: Literal["point", "any"] = "point",
        out: dict[str, Any] | None = None,
        device: str = "cpu",
        stream: Any = None,
    ) -> dict[str, Any]:
        """Layers of a rectangle by name, each an array of shape (height, width). All are made together.

        names  names of layers: those of `layer_names`, and layers that are derived from heights. `terrane.LAYERS` has
               their units
        water  "any": a sample of layer water is wet if any water lies in its cell, which reaches half way to the
               neighbouring samples, so that narrow rivers stay connected. Pictures that show water use these samples.
               The same as `terrane export --water any`
        out    arrays by name; for other names new arrays are made

        The other arguments are those of heights(). A layer is NaN where it has no value, for example water on dry land.
        Pictures (`normal`, `splat` and `forest`) have shape (height, width, channels) and type uint8; with an array of
        uint16 in `out` they have 16 bits. Derived layers have the values of `terrane export`. Derived layers and
        water="any" are made only in host memory.

        Raises InvalidArgumentError for a layer that does not exist or that the world does not have, and if a derived
        layer needs samples beyond the end of the world. Also raises what heights() raises"""
        rect = self._rect(x, z, count("width", width), count("height", height), lod)
        number = device_number(device)
        shape = (rect[4], rect[3])
        if number is None:
            arrays = output_arrays(names, out, lambda name: empty_layer(name, shape))
            _core.fill(self._generator, self._world, rect, list(arrays.items()), is_any_water(water))
        else:
            require_generated(names, water)
            handle, generator = stream_handle(stream), self._on_device(number)
            arrays = output_arrays(names, out, lambda name: DeviceArray.empty(shape, number, handle))
            _core.fill_device(generator, self._world, rect, device_outputs(arrays), handle)
        return arrays

    @overload
    def heights(
        self, x: float, z: float, width: int, height: int, lod: int = 0, *, out: Out, stream: Any = None
    ) -> Out: ...
    @overload
    def heights(
        self, x: float, z: float, width: int, height: int, lod: int = 0, *, device: Literal["cpu"] = "cpu"
    ) -> Floats: ...
    @overload
    def heights(
        self, x: float, z: float, width: int, height: int, lod: int = 0, *, device: str, stream: Any = None
    ) -> Floats | DeviceArray: ...

    def heights(
        self,
        x: float,
        z: float,
        width: int,
        height: int,
        lod: int = 0,
        *,
        out: Any = None,
        device: str = "cpu",
        stream: Any = None,
    ) -> Any:
        """Heights of a rectangle: metres, shape (height, width), float32; row 0 is the north edge, column 0 the west
        edge.

        x, z           lattice coordinates of the north-west sample, multiples of 2**lod; floats only where lod is below
                       0; all samples lie within -2**46 to 2**46
        width, height  samples, 1 to 2**31 - 1
        lod            level of detail, -4 to `levels`: samples are 2**lod lattice steps apart
        out            array to fill and return instead of a new one: numpy, or anything with DLPack, also on a CUDA
                       device; there may be gaps between its rows
        device         "cpu" gives a numpy array; "cuda" or "cuda:N" a DeviceArray, which torch.from_dlpack() and cupy
                       read
        stream         CUDA stream on which device memory is filled: an integer, or a stream of PyTorch or CuPy; None:
                       the default stream. The call returns when the work is queued

        Raises InvalidArgumentError, OutOfMemoryError, BackendError, DeviceError; KeyboardInterrupt"""
        where = f"cuda:{array_device(out)}" if out is not None and is_on_device(out) else device
        given = None if out is None else {"height": out}
        return self.layers(["height"], x, z, width, height, lod, out=given, device=where, stream=stream)["height"]

    def tiles(
        self,
        places: ArrayLike,
        width: int,
        height: int,
        *,
        out: Any = None,
        device: str = "cpu",
        stream: Any = None,
    ) -> Any:
        """Heights of a batch of tiles, of any mixture of levels of detail: shape (tiles, height, width), float32,
        metres.

        places         shape (tiles, 3): x, z of the north-west sample, multiples of 2**lod, and lod; may be empty.
                       Integers; floats if a lod is below 0
        width, height  samples of every tile, 1 to 2**31 - 1

        The other arguments and the exceptions are those of heights(). Many small tiles are much faster in one call than
        in many calls."""
        where = f"cuda:{array_device(out)}" if out is not None and is_on_device(out) else device
        given = None if out is None else {"height": out}
        return self.tile_layers(["height"], places, width, height, out=given, device=where, stream=stream)["height"]

    def tile_layers(
        self,
        names: Sequence[str],
        places: ArrayLike,
        width: int,
        height: int,
        *,
        water: Literal["point", "any"] = "point",
        out: dict[str, Any] | None = None,
        device: str = "cpu",
        stream: Any = None,
    ) -> dict[str, Any]:
        """Layers of a batch of tiles by name, each an array of shape (tiles, height, width). All are made together.

        The arguments and the exceptions are those of layers() and tiles()."""
        table = self._tile_table(places)
        width, height = count("width", width), count("height", height)
        shape = (len(table), height, width)
        number = device_number(device)
        if number is None:
            arrays = output_arrays(names, out, lambda name: empty_layer(name, shape))
            is_any, outputs = is_any_water(water), list(arrays.items())
            _core.fill_tiles(self._generator, self._world, table, width, height, outputs, is_any)
        else:
            require_generated(names, water)
            handle, generator = stream_handle(stream), self._on_device(number)
            arrays = output_arrays(names, out, lambda name: DeviceArray.empty(shape, number, handle))
            _core.fill_tiles_device(generator, self._world, table, width, height, device_outputs(arrays), handle)
        return arrays

    def _tile_layers_on(self, device: int | None, names: Sequence[str], places: ArrayLike, side: int) -> dict[str, Any]:
        """As tile_layers(), for square tiles, in host memory. device: number of the CUDA device that makes them; None:
        the backend of the world. A device makes all tiles together in its own memory, and copies each layer at once. So
        thousands of small tiles take less time than by tile_layers()."""
        if device is None and self.backend == "cuda":
            device = self._options[2]
        if device is None:
            return self.tile_layers(names, places, side, side)
        made = self.tile_layers(names, places, side, side, device=f"cuda:{device}")
        return {name: array.to_host() for name, array in made.items()}

    def _tile_table(self, places: ArrayLike) -> NDArray[np.int64]:
        """Convert rows of x, z, lod to rows of level, i, j."""
        given = np.asarray(places)
        if given.size == 0:
            given = np.empty((0, 3), np.int64)
        if given.ndim != 2 or given.shape[1] != 3 or given.dtype.kind not in self._kinds(given[:, 2:]):
            raise InvalidArgumentError(
                f"places has shape {given.shape} and type {given.dtype}, expected integers of shape (n, 3), or floats "
                "if a lod is below 0"
            )
        lod = given[:, 2:].astype(np.int64)
        if np.any((given[:, 2:] < -_core.FINE_LODS) | (given[:, 2:] > self.levels) | (lod != given[:, 2:])):
            raise InvalidArgumentError(f"a tile's lod is not from {-_core.FINE_LODS} to {self.levels}")
        samples = points_in_samples(("places", "a tile's"), given[:, :2], lod)
        return np.ascontiguousarray(np.concatenate([self.levels - lod, samples], axis=1))

    @staticmethod
    def _kinds(lods: NDArray[Any]) -> str:
        """Kinds of numbers that coordinates of samples may be."""
        return "iuf" if np.any(lods < 0) else "iu"

    def _on_device(self, number: int) -> _core.Generator:
        """The generator of a device. It is made when it is first used, and exists as long as the world."""
        if number not in self._device_generators:
            is_own = self.backend == "cuda" and number == self._options[2]
            made = self._generator if is_own else _core.Generator("cuda", 0, number)
            _ = made.backend  # raises now if the device cannot be used
            self._device_generators[number] = made
        return self._device_generators[number]

    # ---- points ----

    def at(self, points: ArrayLike, lod: int = 0) -> Floats:
        """Heights at points: metres, shape (...,), float32.

        points  shape (..., 2): x, z in lattice steps, from -2**46 to 2**46. Integers must be multiples of 2**lod; the
                result is the sample at the point. With floats the height is interpolated bilinearly between the four
                samples around the point
        lod     level of detail, -4 to `levels`

        Raises InvalidArgumentError, also for points outside the world; OutOfMemoryError, DeviceError;
        KeyboardInterrupt"""
        lod = self._lod(lod)
        level = self.levels - lod
        given = np.asarray(points)
        if given.size == 0:
            given = given.reshape(-1, 2).astype(np.int64)
        if given.ndim < 1 or given.shape[-1] != 2 or given.dtype.kind not in "iuf":
            raise InvalidArgumentError(
                f"points has shape {given.shape} and type {given.dtype}, expected numbers of shape (..., 2)"
            )
        out = empty(given.shape[:-1])
        flat, heights = given.reshape(-1, 2), out.reshape(-1)
        for first in range(0, len(flat), _POINTS_A_CALL):
            part = slice(first, first + _POINTS_A_CALL)
            if given.dtype.kind == "f":
                places = np.require(flat[part], np.float64, ["C", "A"])
                _core.heights_between(self._generator, self._world, level, places, heights[part])
            else:
                samples = points_in_samples(("points", "a point's"), flat[part], lod)
                _core.heights_at(self._generator, self._world, level, samples, heights[part])
        return out

    def layers_at(
        self, names: Sequence[str], points: ArrayLike, lod: int = 0, *, water: Literal["point", "any"] = "point"
    ) -> dict[str, NDArray[Any]]:
        """Layers at points by name, each an array of shape (...,), for pictures (..., channels). All are made together.

        names   as for layers(); `water` too
        points  shape (..., 2): x, z in lattice steps, multiples of 2**lod; integers, or floats where lod is below 0.
                Between samples only at() gives values: heights

        Raises what layers() and at() raise"""
        lod = self._lod(lod)
        given = np.asarray(points)
        if given.size == 0:
            given = given.reshape(-1, 2).astype(np.int64)
        if given.ndim < 1 or given.shape[-1] != 2 or given.dtype.kind not in self._kinds(np.asarray(lod)):
            expected = "numbers" if lod < 0 else "integers"
            raise InvalidArgumentError(
                f"points has shape {given.shape} and type {given.dtype}, expected {expected} of shape (..., 2)"
            )
        flat = given.reshape(-1, 2)
        points_in_samples(("points", "a point's"), flat, lod)
        places = np.column_stack([flat, np.full(len(flat), lod, np.int64)])
        tiles = self.tile_layers(names, places, 1, 1, water=water)
        return {name: array.reshape(given.shape[:-1] + array.shape[3:]) for name, array in tiles.items()}

    # ---- statistics ----

    def statistics(self, x: float, z: float, width: int, height: int, lod: int = 0) -> Statistics:
        """Smallest, largest and mean height of a rectangle of up to 2**48 samples, in metres. No array is made.

        The arguments are those of heights(), but the size may be larger. The mean of many samples is computed from the
        exact means of blocks, so its last digits are rounded.

        Raises InvalidArgumentError, DeviceError; KeyboardInterrupt"""
        rect = self._large_rect(x, z, width, height, lod)
        return Statistics(*_core.statistics(self._generator, self._world, rect, None, 0.0, 0.0))

    def histogram(
        self,
        x: float,
        z: float,
        width: int,
        height: int,
        lod: int = 0,
        *,
        bins: int = 256,
        range: tuple[float, float] | None = None,
    ) -> Histogram:
        """Histogram of a rectangle's heights. No array is made.

        bins   1 to 4096
        range  metres, low and high; heights outside are counted in the first or the last bin. None: from the smallest
               to the largest height, which needs a second pass over the land; if both are equal, the range is 1 m wide

        The other arguments and the exceptions are those of statistics()."""
        rect = self._large_rect(x, z, width, height, lod)
        bins = integer("bins", bins)
        if not 1 <= bins <= _core.HISTOGRAM_BINS_MAX:
            raise InvalidArgumentError(f"bins is {bins}, expected 1 to {_core.HISTOGRAM_BINS_MAX}")
        if range is None:
            known = self.statistics(x, z, width, height, lod)
            range = (known.min, known.max if known.max > known.min else known.min + 1.0)
        low, high = height_range(range)
        counts = np.zeros(bins, np.uint64)
        _core.statistics(self._generator, self._world, rect, counts, low, high)
        return Histogram(counts, np.linspace(low, high, bins + 1))

    # ---- rivers ----

    def rivers(self, bbox: Sequence[float], *, min_area: float = 0.0, point_distance: float = 0.0) -> Any:
        """Rivers as lines: a GeoDataFrame of geopandas with a row for each reach, the stretch of a river between two
        confluences. The columns are the fields of `terrane export --features rivers`.

        bbox            west, south, east, north, in the coordinates of files: metres, east x, north -z, times the
                        spacing, or those of the guide's coordinate system
        min_area        km2 that a river drains at least; 0: all rivers that hold water, from about 1 km2 on
        point_distance  lattice steps, 1 or more; greatest distance of two points. 0: only the points that the bed is
                        defined by, about 75 steps apart

        Raises InvalidArgumentError, also in a world without rivers; Error without geopandas; OutOfMemoryError;
        KeyboardInterrupt"""
        from .rivers import rivers_of

        return rivers_of(self, bbox, min_area, point_distance)

    # ---- drainage ----

    def drainage(
        self,
        x: float,
        z: float,
        width: int,
        height: int,
        lod: int = 0,
        *,
        conditioned: bool = False,
        min_area: float = 0.0,
    ) -> dict[str, NDArray[Any]]:
        """The flow of water over the samples of a rectangle (D8): arrays "height", "accumulation" and "direction" of
        shape (height, width), equal to those of `terrane export`. Rivers that enter the rectangle bring their areas.

        conditioned  change heights so that the water follows the rivers of the network
        min_area     if conditioned: least area of these rivers, km2; 0: that of 32 samples, but at least 1.05 km2 at a
                     spacing of 1 m

        The other arguments are those of heights(). Raises what heights() raises, and InvalidArgumentError for too many
        samples, or for conditioned heights in a world without rivers"""
        from .routing import drainage_of

        rect = self._large_rect(x, z, count("width", width), count("height", height), lod)
        return drainage_of(self, rect, (x, z), bool(conditioned), float(min_area))

    # ---- maps ----

    def map(
        self,
        x: float,
        z: float,
        width: int,
        height: int,
        lod: int = 0,
        *,
        style: Literal["relief", "climate", "biome"] = "relief",
    ) -> Picture:
        """A map: shaded relief in the world's colours, one pixel per sample, with a legend below if the map is at least
        360 pixels wide. In worlds of basis fluvial it shows lakes and rivers. A river that is narrower than a pixel is
        a line, whose width depends on the area that the river drains.

        The arguments are those of heights(). The picture is `width` pixels wide, and `height` pixels high plus the
        legend.

        style          colours of the land, in worlds of basis fluvial: "climate" by temperature, precipitation and
                       snow, about as seen from far above; "biome" one for each biome

        Raises what heights() raises; InvalidArgumentError for another style; Error in a build without libpng or stb"""
        rect = self._rect(x, z, count("width", width), count("height", height), lod)
        legend = _core.map_height(rect[3], 1) - 1
        pixels = empty((rect[4] + legend, rect[3], 3), np.uint8)
        _core.draw_map(self._generator, self._world, rect, pixels, style)
        return Picture(pixels)
