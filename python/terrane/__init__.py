"""Terrane: endless terrain as arrays.

    >>> import terrane
    >>> w = terrane.World("alps")
    >>> w.heights(44224, 17920, 512, 512)     # numpy, metres, shape (512, 512)

World            heights, tiles, points, statistics and maps of a world
open_world()     a whole world as a lazy xarray Dataset; terrane.cluster starts clusters of Dask with a worker for each
                 GPU
open_levels()    several levels of detail of a whole world as a DataTree
write_zarr()     write a part of such a Dataset, or data computed from it, to Zarr; an interrupted call can be resumed
world_names()    worlds that come with Terrane
Patches          a data set of square patches of land by index
robots           ground for robots by index and difficulty, with adapters for simulators; it must be imported as
                 terrane.robots
LAYERS           the layers of a world
ROUTED_LAYERS    the layers that only patches have
MEASURES         measures by which patches can be divided into strata
BIOMES           names of the numbers of layer biome
devices()        CUDA devices
Error            base of all exceptions of this package
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core

from .device import Device, DeviceArray, devices
from .errors import (
    BackendError,
    DeviceError,
    Error,
    FileError,
    InvalidArgumentError,
    OutOfMemoryError,
    OutOfRangeError,
)
from .layers import BIOMES, LAYERS, Layer
from .measures import MEASURES, PROVINCES
from .parameters import Look, Parameters
from .patches import Patches, PatchPlace
from .picture import Picture
from .routing import ROUTED_LAYERS, RoutedLayer
from .world import Guide, Histogram, Statistics, World, world_names

if TYPE_CHECKING:
    from .dataset import open_levels as open_levels
    from .dataset import open_world as open_world
    from .store import write_zarr as write_zarr

__version__: str = _core.VERSION
COORDINATE_MAX: int = _core.COORDINATE_MAX
"""Lattice steps from the origin to the end of the world, in every direction: 2**46."""

__all__ = [
    "BIOMES",
    "COORDINATE_MAX",
    "LAYERS",
    "MEASURES",
    "PROVINCES",
    "ROUTED_LAYERS",
    "BackendError",
    "Device",
    "DeviceArray",
    "DeviceError",
    "Error",
    "FileError",
    "Guide",
    "Histogram",
    "InvalidArgumentError",
    "Layer",
    "Look",
    "OutOfMemoryError",
    "OutOfRangeError",
    "Parameters",
    "PatchPlace",
    "Patches",
    "Picture",
    "RoutedLayer",
    "Statistics",
    "World",
    "devices",
    "open_levels",
    "open_world",
    "world_names",
    "write_zarr",
]


def __getattr__(name: str) -> Any:
    if name in ("open_world", "open_levels"):  # xarray and dask are imported at their first use
        from . import dataset

        return getattr(dataset, name)
    if name == "write_zarr":
        from .store import write_zarr

        return write_zarr
    raise AttributeError(f"module 'terrane' has no attribute {name!r}")
