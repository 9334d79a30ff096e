"""Arrays for the results of World's methods: new arrays, and the caller's."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arguments import is_any_water
from .device import DeviceArray
from .errors import InvalidArgumentError, OutOfMemoryError
from .layers import LAYERS


def empty(shape: tuple[int, ...], kind: Any = np.float32) -> NDArray[Any]:
    """A new array whose values are not set. Raises OutOfMemoryError"""
    try:
        return np.empty(shape, kind)
    except (MemoryError, ValueError):
        gib = np.dtype(kind).itemsize * math.prod(shape) / 2**30
        raise OutOfMemoryError(f"no memory for an array of shape {shape}, which has {gib:.1f} GiB") from None


def empty_layer(name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """A new array for samples of a layer. The C++ module `_core` refuses unknown names later."""
    channels = LAYERS[name].channels if name in LAYERS else 0
    return empty((*shape, channels), np.uint8) if channels else empty(shape)


def output_arrays(names: Iterable[str], out: dict[str, Any] | None, make: Any) -> dict[str, Any]:
    """An array for each name: the caller's, or a new one."""
    if isinstance(names, str):
        raise InvalidArgumentError(f"names is {names!r}, expected a list of names: [{names!r}]")
    given, wanted = out or {}, list(names)
    for name in given:
        if name not in wanted:
            raise InvalidArgumentError(f"out has an array {name!r}, expected only arrays for the names {wanted}")
    if len({id(array) for array in given.values()}) < len(given):
        raise InvalidArgumentError("out has one array for two layers, expected a separate array for each")
    return {name: given[name] if name in given else make(name) for name in wanted}


def require_generated(names: Sequence[str], water: str) -> None:
    """Check that layers can be made in device memory."""
    if is_any_water(water):
        raise InvalidArgumentError("water is 'any', which is computed in host memory: leave out the device")
    for name in names if not isinstance(names, str) else ():
        if name in LAYERS and LAYERS[name].is_derived:
            raise InvalidArgumentError(
                f"layer {name} is derived from heights in host memory: leave out the device"
            )


def device_outputs(arrays: dict[str, Any]) -> list[tuple[str, Any]]:
    """Arrays in the form that the C++ module `_core` takes: the memory of a DeviceArray, and other arrays unchanged."""
    return [(name, a._memory.view() if isinstance(a, DeviceArray) else a) for name, a in arrays.items()]
