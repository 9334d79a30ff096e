"""What a world is: its parameters and colours, what determines its land, and how it is compared, copied and sent to
other processes."""

from __future__ import annotations

import os
from typing import Any, cast

import numpy as np

from . import _core
from .arguments import world_file_texts
from .facts import Guide
from .parameters import Look, Parameters
from .raster import guide_texts, is_path, of_array, take_rasters, take_rivers

__all__ = ["Definition", "world_names"]

_SET_BY_MAKE = ("_world", "_options", "_generator", "_device_generators")  # attributes that Definition._make() sets


class _Shown(str):
    """A text whose repr has no quotation marks."""

    def __repr__(self) -> str:
        return str(self)


def world_names() -> list[str]:
    """Names of the worlds that come with Terrane."""
    return _core.world_names()


class Definition:
    """The definition of a world, which never changes. World adds the calls that make land."""

    def _make(
        self,
        name: str | os.PathLike[str] | None,
        look: Look,
        options: tuple[str, int, int],
        parameters: dict[str, Any],
        checksum: str = "",
    ) -> None:
        """Make the world.

        options   backend, threads and number of the GPU
        checksum  SHA-256 that the heights of the guide must have; empty: any heights are accepted"""
        path = None if name is None else os.fspath(name)
        guide = parameters.pop("guide", None)
        parameters = {key: value for key, value in parameters.items() if value is not None or key[:6] != "guide_"}
        if guide is not None and is_path(guide):
            parameters["guide"], guide = guide, None
        rasters = take_rasters(parameters)
        rivers = take_rivers(parameters)
        texts = world_file_texts(guide_texts(parameters))
        array = None if guide is None else of_array(guide)
        self._options = options
        self._world = _core.World(
            path, texts, world_file_texts(dict(look)), array, rasters, rivers, options[1], checksum
        )
        self._generator = _core.Generator(*self._options)
        self._device_generators: dict[int, _core.Generator] = {}
        if options[0] != "auto":
            _ = self._generator.backend  # raises now if the backend cannot run here

    @property
    def parameters(self) -> Parameters:
        """All parameters; World(**parameters) has the same heights."""
        return cast(Parameters, self._world.parameters)

    @property
    def look(self) -> Look:
        """Colours of maps."""
        return cast(Look, self._world.look)

    @property
    def levels(self) -> int:
        """The greatest level of detail: a `lod` can be -4 to this number. At `lod` 0 samples are a lattice step
        apart."""
        return self.parameters["levels"]

    @property
    def spacing(self) -> float:
        """Metres of a lattice step."""
        return self.parameters["spacing"]

    @property
    def layer_names(self) -> tuple[str, ...]:
        """The generated layers of this world: with basis fluvial all layers of `terrane.LAYERS` that are not derived,
        else only the height. Every world also has the layers that are derived from heights."""
        return tuple(self._world.layer_names)

    @property
    def backend(self) -> str:
        """Where heights are computed: "cpu" or "cuda"."""
        return self._generator.backend

    @property
    def guide(self) -> Guide | None:
        """What the guide is, and what the world made of it. None: the world has no guide"""
        facts = self._world.guide
        return None if facts is None else Guide(**cast(Any, facts))

    def identity(self) -> dict[str, Any]:
        """What determines the land, in the types of JSON: the parameters. Instead of the file or the array of a guide
        it has the guide's place and settings, the checksum of its heights, and the checksum of the tables that the
        world made of it."""
        guide = self.guide
        values: dict[str, Any] = {k: v for k, v in self.parameters.items() if not k.startswith("guide")}
        if guide is not None:
            values["guide"] = {
                "sha256": guide.checksum,
                "x": guide.at[0],
                "z": guide.at[1],
                "spacing": guide.spacing,
                "level": self.parameters["guide_level"],
                "surround": guide.surround,
                "lakes": guide.min_lake_depth,
                "endorheic": self.parameters["guide_endorheic"],
                "tables_sha256": guide.tables_checksum,
            }
        return values

    def _key(self) -> tuple[Any, ...]:
        return tuple((k, tuple(v.items()) if isinstance(v, dict) else v) for k, v in self.identity().items())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Definition):
            return NotImplemented
        return self._key() == other._key() and self.look == other.look

    def __hash__(self) -> int:
        return hash(self._key())

    def __getstate__(self) -> dict[str, Any]:
        """Parameters, look and options of the world, and the attributes that a derived class has added."""
        added = {key: value for key, value in self.__dict__.items() if key not in _SET_BY_MAKE}
        guide = self.guide
        checksum = "" if guide is None else guide.checksum
        return {"world": (self.parameters, self.look, *self._options), "added": added, "guide": checksum}

    def __setstate__(self, state: dict[str, Any]) -> None:
        parameters, look, *options = state["world"]
        Definition._make(self, None, look, cast(Any, tuple(options)), dict(parameters), state.get("guide", ""))
        self.__dict__.update(state["added"])

    def __repr__(self) -> str:
        values: dict[str, Any] = dict(self.parameters)
        guide = self.guide
        if guide is not None and guide.file is None:
            values["guide"] = _Shown(f"<{guide.shape[0]} x {guide.shape[1]} heights, SHA-256 {guide.checksum[:12]}>")
        for key, value in values.items():
            if isinstance(value, np.ndarray):
                values[key] = _Shown(f"<{value.shape[0]} x {value.shape[1]} values>")
        if isinstance(values.get("guide_rivers"), list):
            values["guide_rivers"] = _Shown(f"<{len(values['guide_rivers'])} lines>")
        words = ", ".join(f"{key}={value!r}" for key, value in values.items())
        return f"terrane.World({words})"
