"""The layers of a world: the numbers or colours of every sample."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from . import _core

__all__ = ["BIOMES", "LAYERS", "Layer"]


class Layer(NamedTuple):
    """Facts about a layer. It has a 32-bit float per sample, or is a picture with 8-bit channels."""

    name: str
    unit: str
    description: str
    has_gaps: bool
    """Whether the layer has places without a value. Samples there are NaN."""
    channels: int
    """Channels of a picture; 0 if each sample is a number."""
    is_derived: bool
    """Whether the layer is computed from heights. Every world has such a layer. It is not listed in World.layer_names,
    and it is made in host memory."""


LAYERS: Mapping[str, Layer] = MappingProxyType({words[0]: Layer(*words) for words in _core.layers()})
"""All layers by name."""

BIOMES: tuple[str, ...] = tuple(_core.biomes())
"""Names of the biomes. The numbers of layer biome are places in this tuple."""
