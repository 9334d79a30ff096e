"""Arrays of Dask over a rectangle of a world. All layers of a chunk that one computation reads are made together."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence, Set
from typing import Any, Literal

import dask.array
import numpy as np
from dask._task_spec import DataNode, GraphNode, Task, TaskRef
from dask.array.chunk import getitem
from dask.array.core import getter
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph, Layer, MaterializedLayer

from .layers import LAYERS
from .world import World

__all__ = ["layer_array"]

DTYPE = np.dtype(np.float32)
Water = Literal["point", "any"]


def layer_array(
    world: World, layer: str, lod: int, water: Water, chunk: tuple[int, int], rows: range, columns: range
) -> Any:
    """A layer of a rectangle as an array of Dask with chunks of chunk[0] x chunk[1] samples. `rows` and `columns` are
    ranges of sample numbers, counted from the origin of the lattice. water: see World.layers

    The graph of the array has two graph layers, which are layers of tasks. The upper one, LayerOfLand, represents the
    chunks of this array and has no tasks. The lower one, LandLayer, has the same name in the arrays of all layers that
    are made together, so it exists once when their graphs are merged. When Dask culls the graph, LayerOfLand tells
    LandLayer which chunks of which layers are needed, and LandLayer makes their tasks:

        height-T, 0, 0  <-+
                          +-  terrane-T, height+water, 0, 0     both layers of the chunk are needed: one task makes both
        water-T, 0, 0   <-+
        height-T, 0, 1                                          only height is needed: Dask fuses this task with slices
                                                                of the array, so only the samples of slices are made"""
    window = LandWindow(world, lod, water, rows, columns)
    land = LandLayer(window, chunk, layer)
    name = land.array_name(layer)
    graph = HighLevelGraph(
        {land.name: land, name: LayerOfLand(name, layer, land.name)}, {land.name: set(), name: {land.name}}
    )
    sizes = tuple(_sizes(side) for side in land.sides)
    meta = np.empty((0, 0), DTYPE)
    return dask.array.Array(graph, name, sizes, meta=meta)  # type: ignore[no-untyped-call, unused-ignore]


class LandWindow:
    """A rectangle of a world. Its samples are made by the process that reads them. Only the numbers that define the
    rectangle are sent between processes."""

    def __init__(self, world: World, lod: int, water: Water, rows: range, columns: range) -> None:
        self.world = world
        self.rows, self.columns = rows, columns
        self._lod, self._water = lod, water

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return "terrane.LandWindow", self.world.__dask_tokenize__(), self._lod, self._water, self.rows, self.columns

    def make(self, names: Sequence[str], key: tuple[Any, Any]) -> dict[str, Any]:
        """Make several layers of the samples that a key selects."""
        rows, row_pick = _covering(self.rows, key[0])
        columns, column_pick = _covering(self.columns, key[1])
        if not (len(rows) and len(columns)):
            empty = np.empty((len(rows), len(columns)), DTYPE)
            return dict.fromkeys(names, empty[row_pick, column_pick])
        lod = self._lod
        water: Water = self._water if "water" in names else "point"
        x, z = (n << lod if lod >= 0 else n * 2.0**lod for n in (columns.start, rows.start))
        made = self.world.layers(names, x, z, len(columns), len(rows), lod, water=water)
        return {name: np.asarray(array)[row_pick, :][..., column_pick] for name, array in made.items()}


class LayerWindow:
    """One layer of a rectangle as an array whose samples are made by the process that reads them."""

    def __init__(self, window: LandWindow, layer: str) -> None:
        self._window, self._layer = window, layer

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return "terrane.LayerWindow", self._window.__dask_tokenize__(), self._layer

    def __getitem__(self, key: tuple[Any, Any]) -> Any:
        return self._window.make([self._layer], key)[self._layer]


def _covering(axis: range, key: Any) -> tuple[range, Any]:
    """The range of consecutive samples that contains all samples of a key, and the key relative to this range. Dask
    passes slices with steps, integers and lists."""
    if isinstance(key, slice):
        picked = axis[key]
        if len(picked) == 0:
            return range(axis.start, axis.start), slice(None)
        first, last = sorted((picked[0], picked[-1]))
        if picked.step == 1:
            return picked, slice(None)
        return range(first, last + 1), np.asarray(picked) - first
    listed = axis.start + np.where(np.asarray(key) < 0, len(axis), 0) + np.asarray(key)
    if listed.size == 0:
        return range(axis.start, axis.start), listed
    first, last = int(listed.min()), int(listed.max())
    return range(first, last + 1), listed - first


def _cuts(axis: range, chunk: int) -> list[slice]:
    """The chunks along a side. An empty side has one empty chunk."""
    return [slice(n, min(n + chunk, len(axis))) for n in range(0, max(len(axis), 1), chunk)]


def _sizes(cuts: Sequence[slice]) -> tuple[int, ...]:
    return tuple(cut.stop - cut.start for cut in cuts)


def _made_with(world: World, layer: str) -> list[str]:
    """The layers that are made together with a layer: all generated layers, or all derived ones."""
    derived = [name for name, other in LAYERS.items() if other.is_derived and not other.channels]
    return derived if layer in derived else list(world.layer_names)


class LandLayer(Layer):
    """The graph layer with the tasks of a rectangle, for all layers of the land that are made together. The tasks are
    made when Dask culls the graph."""

    has_legacy_tasks = False

    def __init__(self, window: LandWindow, chunk: tuple[int, int], layer: str) -> None:
        super().__init__()
        names = _made_with(window.world, layer)
        self._make = window.make
        self._sources = {name: DataNode(None, LayerWindow(window, name)) for name in names}
        self._token = tokenize(window, chunk, names)
        self.name = f"terrane-{self._token}"  # not "land-...": that is the array of layer land
        self.sides = [_cuts(axis, side) for axis, side in zip((window.rows, window.columns), chunk, strict=True)]

    def array_name(self, layer: str) -> str:
        """The name of the array of one layer; its chunks have the keys (name, row, column)."""
        return f"{layer}-{self._token}"

    def _tasks(self, layers: Sequence[str], row: int, column: int) -> dict[Any, GraphNode]:
        """Tasks that make these layers of one chunk."""
        samples = (self.sides[0][row], self.sides[1][column])
        keys = {layer: (self.array_name(layer), row, column) for layer in layers}
        if len(layers) == 1:
            return {key: Task(key, getter, self._sources[layer], samples, False, False) for layer, key in keys.items()}
        together = (self.name, "+".join(layers), row, column)
        tasks: dict[Any, GraphNode] = {together: Task(together, self._make, list(layers), samples, _data_producer=True)}
        return tasks | {key: Task(key, getitem, TaskRef(together), layer) for layer, key in keys.items()}

    def cull(self, keys: set[Any], all_hlg_keys: Collection[Any]) -> tuple[Layer, dict[Any, set[Any]]]:
        """The tasks of the chunks that LayerOfLand.cull() has requested."""
        needed: dict[tuple[int, int], set[str]] = {}
        for key in keys:
            if isinstance(key, tuple) and key[0] == self.name:
                _, layer, row, column = key
                needed.setdefault((row, column), set()).add(layer)
        tasks: dict[Any, GraphNode] = {}
        for place, layers in sorted(needed.items()):
            tasks |= self._tasks([layer for layer in self._sources if layer in layers], *place)
        return MaterializedLayer(tasks, annotations=self.annotations), {
            key: set(t.dependencies) for key, t in tasks.items()
        }

    # ---- used if Dask does not cull the graph: tasks of every layer of every chunk ----

    def is_materialized(self) -> bool:
        return False

    def get_output_keys(self) -> Set[Any]:
        return self.keys()

    def __getitem__(self, key: Any) -> GraphNode:
        return self._tasks(list(self._sources), *key[-2:])[key]

    def __iter__(self) -> Iterator[Any]:
        for row, column in itertools.product(*(range(len(side)) for side in self.sides)):
            yield from self._tasks(list(self._sources), row, column)

    def __len__(self) -> int:
        n = len(self._sources)
        return len(self.sides[0]) * len(self.sides[1]) * (n + (n > 1))


class LayerOfLand(MaterializedLayer):
    """The graph layer of the array of one layer of the land. Its tasks are in the LandLayer below it."""

    def __init__(self, name: str, layer: str, land: str) -> None:
        super().__init__({})
        self._name, self._layer, self._land = name, layer, land

    def cull(self, keys: set[Any], all_hlg_keys: Collection[Any]) -> tuple[Layer, dict[Any, set[Any]]]:
        """Returns no tasks, but the keys that LandLayer.cull() makes tasks for."""
        chunks = (key for key in keys if isinstance(key, tuple) and key[0] == self._name)
        return self, {key: {(self._land, self._layer, *key[1:])} for key in chunks}
