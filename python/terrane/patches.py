"""Data sets of square patches of land by index, for learning."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .arguments import count, integer, is_any_water, random_seed
from .device import device_number
from .distribution import Distribution
from .errors import InvalidArgumentError, OutOfRangeError
from .layers import LAYERS
from .measures import Strata
from .outputs import empty
from .philox import high_word
from .placement import VERSION, Grid, KnownPlaces, area_of, first_try_inside, random_words
from .routing import ROUTED_LAYERS, route
from .world import World

__all__ = ["PatchPlace", "Patches"]

_LAND: Mapping[str, Sequence[Any]] = {"land": [0.5, 1.0]}
_SIZE_MAX = 8192
_PATCHES_A_CALL = 256  # greatest number of patches whose water is routed in one call; Ctrl-C works between calls


class PatchPlace(NamedTuple):
    """Where a patch lies."""

    x: float
    """Lattice coordinate of the western samples."""
    z: float
    """Lattice coordinate of the northern samples."""
    lod: int
    world: World
    stratum: int
    """Number of the stratum."""


class Patches:
    """Square patches of land by index. An index always gives the same patch, with the same bits on every machine and
    backend, in any order and in any batch.

    world    a World, the first argument of World, or a mapping of parameters to distributions: a value, a list to
             choose from, or a tuple (low, high). Each of the `worlds` worlds then has its own seed, unless "seed" is
             in the mapping; "name" chooses among the worlds that come with Terrane
    size     samples of a side, 2 to 8192
    lod      level of detail, -4 to the world's `levels`: samples are 2**lod lattice steps apart
    layers   names of terrane.LAYERS and terrane.ROUTED_LAYERS
    seed     seed of the places, 0 to 2**64 - 1
    strata   measures and their classes: {"gradient": [0, 0.1, 0.3, 2], "province": ["hills", "mountains"]}; edges of
             classes, or names of provinces. Indices take turns among all combinations of classes, so each has equally
             many patches. One class is a condition: {"water": [0.01, 1]}. Without classes for land, at least half of a
             patch is land. terrane.MEASURES has the measures
    area     west, north, east, south: lattice coordinates between which the patches lie; None: the extent of the
             world's guide, or -2**32 to 2**32 in both directions if the world has no guide
    count    number of indices
    worlds   number of worlds of a distribution
    water    rule for layer water, as for World.layers(); routed layers always use "any"
    backend, threads, gpu  as for World, for worlds that are made here

    torch.utils.data.DataLoader accepts Patches as a data set, also with worker processes. Patches can be pickled.

    Raises InvalidArgumentError"""

    def __init__(
        self,
        world: World | str | os.PathLike[str] | Mapping[str, Any] | None = None,
        *,
        size: int = 256,
        lod: int = 4,
        layers: Sequence[str] = ("height",),
        seed: int = 0,
        strata: Mapping[str, Sequence[Any]] | None = None,
        area: tuple[int, int, int, int] | None = None,
        count: int = 1_000_000,
        worlds: int = 16,
        water: Literal["point", "any"] = "point",
        backend: Literal["auto", "cpu", "cuda"] = "auto",
        threads: int = 0,
        gpu: int = 0,
    ) -> None:
        options = {"backend": backend, "threads": threads, "gpu": gpu}
        self.seed = random_seed(seed)
        self._worlds: Distribution | World
        if isinstance(world, Mapping):
            self._worlds = Distribution(world, worlds, self.seed, options)
        else:
            self._worlds = world if isinstance(world, World) else World(world, **options)  # type: ignore[arg-type]
        first = self._world(0)
        self.size, self.lod = _side(size), first._lod(lod)
        self.layers = _layer_names(layers, first)
        self.water = water
        is_any_water(water)  # raises now if it is neither
        self.strata = Strata({**_LAND, **(strata or {})})
        if "province" in self.strata.names and "plain" not in first.layer_names:
            raise InvalidArgumentError("strata has 'province', expected a world of basis fluvial, which has provinces")
        self.area = area_of(area, first)
        self._count = _count(count)
        self._grid = Grid(self.size, self.lod, self.area)
        self._grid.starts()
        self._known = KnownPlaces()

    # ---- places ----

    def __len__(self) -> int:
        return self._count

    def _world(self, number: int) -> World:
        return self._worlds.world(number) if isinstance(self._worlds, Distribution) else self._worlds

    def _worlds_of(self, indices: list[int]) -> dict[int, World]:
        """The world of each index."""
        if not isinstance(self._worlds, Distribution):
            return dict.fromkeys(indices, self._worlds)
        words = random_words(self.seed, indices, 0, 1)[:, 0, 2]
        numbers = high_word(words, np.uint64(self._worlds.count)).tolist()
        return {index: self._world(number) for index, number in zip(indices, numbers, strict=True)}

    def _indices(self, given: Any) -> list[int]:
        whole = [integer("index", index) for index in given]
        for index in whole:
            if not 0 <= index < self._count:
                raise OutOfRangeError(f"index is {index}, expected 0 to {self._count - 1}")
        return whole

    def places(self, indices: ArrayLike) -> list[PatchPlace]:
        """Where the patches of some indices lie.

        Raises OutOfRangeError for an index that does not exist; Error for an index whose stratum the world does not
        have"""
        return self._places(indices, None)

    def _places(self, indices: ArrayLike, device: int | None) -> list[PatchPlace]:
        """As places(). device: number of the CUDA device that makes samples; None: the backend of the world"""
        whole = self._indices(np.atleast_1d(np.asarray(indices)).tolist())
        worlds = self._worlds_of(whole)
        found = self._known.find(whole)
        new = [index for index in whole if index not in found]
        if new:
            made = first_try_inside(self._grid, worlds, self.strata, self.seed, new, device)
            self._known.keep(made)
            found.update(made)
        classes = len(self.strata)
        return [PatchPlace(*self._grid.place(*found[n]), self.lod, worlds[n], n % classes) for n in whole]

    # ---- patches ----

    def __getitem__(self, index: Any) -> Any:
        """The layers of a patch by name, each an array of shape (size, size); of a slice, (n, size, size)."""
        if isinstance(index, slice):
            return self.batch(range(*index.indices(self._count)))
        return {name: array[0] for name, array in self.batch([index]).items()}

    def __getitems__(self, indices: Sequence[int]) -> list[dict[str, NDArray[Any]]]:
        """The patches of some indices, made together; torch's DataLoader calls this."""
        made = self.batch(indices)
        return [{name: array[n] for name, array in made.items()} for n in range(len(indices))]

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        for index in range(self._count):
            yield self[index]

    def batch(self, indices: ArrayLike, *, device: str = "cpu", stream: Any = None) -> dict[str, Any]:
        """The layers of many patches by name, each an array of shape (patches, size, size), and for pictures
        (..., channels). They are made together, which is faster than one after another.

        device, stream  as for World.heights(): on a device layers are float32, and the patches must be of one world;
                        derived and routed layers are made in host memory only

        Raises what places() and World.tile_layers() raise"""
        number = device_number(device)
        routed = [name for name in self.layers if name in ROUTED_LAYERS]
        if number is not None and routed:
            raise InvalidArgumentError(f"layer {routed[0]} is made in host memory: leave out the device")
        places = self._places(indices, number)
        return self.batch_at(places) if number is None else self._on_device(places, device, stream)

    def batch_at(self, places: Sequence[PatchPlace]) -> dict[str, NDArray[Any]]:
        """The layers of patches at places that places() has returned, as batch() gives them."""
        made: dict[str, NDArray[Any]] = {}
        for world in {id(place.world): place.world for place in places}.values():
            own = [n for n, place in enumerate(places) if place.world is world]
            for first in range(0, len(own), _PATCHES_A_CALL):
                part = own[first : first + _PATCHES_A_CALL]
                layers = self._make(world, [places[n] for n in part])
                if len(part) == len(places):
                    return layers
                for name, array in layers.items():
                    if name not in made:
                        made[name] = empty((len(places), *array.shape[1:]), array.dtype)
                    made[name][part] = array
        return made if places else self._make(self._world(0), [])

    def delayed(self, indices: ArrayLike) -> Any:
        """batch() as a task of Dask. Raises ImportError without Dask"""
        try:
            from dask.delayed import delayed
        except ImportError as missing:
            raise ImportError(f"Patches.delayed() needs Dask: pip install dask ({missing})") from missing
        return delayed(self.batch, pure=True)(np.asarray(indices).tolist())

    def write(self, path: str | os.PathLike[str], indices: ArrayLike, *, replace: bool = False) -> None:
        """Write the patches of some indices to a shard, see terrane.shards.write_shard()."""
        from .shards import write_shard

        write_shard(self, indices, path, replace=replace)

    def _make(self, world: World, places: Sequence[PatchPlace]) -> dict[str, NDArray[Any]]:
        """The layers of patches of one world."""
        table = [(place.x, place.z, self.lod) for place in places]
        routed = [name for name in self.layers if name in ROUTED_LAYERS]
        has_water = "water" in world.layer_names
        wanted = [name for name in self.layers if name not in ROUTED_LAYERS]
        extra = ["height"] if routed and "height" not in wanted else []
        made: dict[str, NDArray[Any]] = {}
        if wanted or extra:
            made = world.tile_layers(wanted + extra, table, self.size, self.size, water=self.water)
        if routed:
            level = None
            if has_water:
                is_made = "water" in made and self.water == "any"
                level = made["water"] if is_made else self._any_water(world, table)
            made.update(route(routed, world, made["height"], level, world.spacing * 2.0**self.lod))
        return {name: made[name] for name in self.layers}

    def _any_water(self, world: World, table: list[tuple[float, float, int]]) -> NDArray[np.float32]:
        water: NDArray[np.float32] = world.tile_layers(["water"], table, self.size, self.size, water="any")["water"]
        return water

    def _on_device(self, places: list[PatchPlace], device: str, stream: Any) -> dict[str, Any]:
        if len({id(place.world) for place in places}) > 1:
            raise InvalidArgumentError("the patches are of several worlds, expected those of one world on a device")
        world = places[0].world if places else self._world(0)
        table = [(place.x, place.z, self.lod) for place in places]
        return world.tile_layers(
            self.layers, table, self.size, self.size, water=self.water, device=device, stream=stream
        )

    # ---- what determines the patches ----

    def identity(self) -> dict[str, Any]:
        """What determines the patches, in the types of JSON."""
        return {
            "version": VERSION,
            "world_format": _core.WORLD_FORMAT,
            "world": self._worlds.identity(),
            "size": self.size,
            "lod": self.lod,
            "layers": list(self.layers),
            "seed": self.seed,
            "strata": self.strata.given,
            "area": list(self.area),
            "water": self.water,
        }

    def __dask_tokenize__(self) -> tuple[str, str]:
        return "terrane.Patches", json.dumps(self.identity())

    def __repr__(self) -> str:
        return f"terrane.Patches({self._count} of {self.size} x {self.size} samples, lod {self.lod}, {self.layers})"


def _side(given: Any) -> int:
    size = count("size", given, 2)
    if size > _SIZE_MAX:
        raise InvalidArgumentError(f"size is {size}, expected 2 to {_SIZE_MAX} samples")
    return size


def _count(given: Any) -> int:
    number = integer("count", given)
    if number < 1:
        raise InvalidArgumentError(f"count is {number}, expected 1 or more")
    return number


def _layer_names(given: Sequence[str], world: World) -> tuple[str, ...]:
    """Names of layers that patches of a world have."""
    if isinstance(given, str) or not len(given):
        raise InvalidArgumentError(f"layers is {given!r}, expected a list of names: ['height']")
    for name in given:
        derived = name in LAYERS and LAYERS[name].is_derived
        if not (name in world.layer_names or derived or name in ROUTED_LAYERS):
            known = [*world.layer_names, *(n for n in LAYERS if LAYERS[n].is_derived), *ROUTED_LAYERS]
            raise InvalidArgumentError(f"layer is {name!r}, expected some of: {', '.join(known)}")
    if len(set(given)) < len(given):
        raise InvalidArgumentError(f"layers is {list(given)!r}, expected each name once")
    return tuple(given)
