"""The layers of a world: numbers that every sample has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from . import _core

__all__ = ["LAYERS", "Layer"]


class Layer(NamedTuple):
    """What one layer holds; samples are 32-bit floats."""

    name: str
    unit: str
    description: str
    has_gaps: bool
    """NaN where the layer has no value."""


LAYERS: Mapping[str, Layer] = MappingProxyType({words[0]: Layer(*words) for words in _core.layers()})
"""All layers by name."""
