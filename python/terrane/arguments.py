"""Checks and converts the arguments of World's methods. A wrong argument raises InvalidArgumentError with a sentence
that names the argument."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidArgumentError


def world_file_texts(values: dict[str, Any]) -> dict[str, str]:
    """Values as texts of a world file. Floats keep every bit."""
    return {key: world_file_text(key, value) for key, value in values.items()}


def world_file_text(key: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return str(operator.index(value))
    except TypeError:
        pass
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise InvalidArgumentError(f"{key} is {value!r}, expected a number or a text") from None


def integer(name: str, value: Any) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise InvalidArgumentError(f"{name} is {value!r}, expected an integer") from None
    if not -(2**63) <= number < 2**63:
        raise InvalidArgumentError(f"{name} is {number}, expected an integer of at most 64 bits")
    return number


def count(name: str, value: Any, least: int = 1) -> int:
    number = integer(name, value)
    if not least <= number < 2**31:
        raise InvalidArgumentError(f"{name} is {number}, expected {least} to {2**31 - 1}")
    return number


def is_any_water(value: Any) -> bool:
    """Whether a sample of layer water is wet if any water lies in its cell, not only if water lies at its point."""
    if value not in ("point", "any"):
        raise InvalidArgumentError(f"water is {value!r}, expected 'point' or 'any'")
    return bool(value == "any")


def height_range(given: Any) -> tuple[float, float]:
    """Two heights, rounded to 32-bit floats."""
    try:
        low, high = (float(end) for end in given)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgumentError(f"range is {given!r}, expected two numbers: low and high") from None
    most = float(np.finfo(np.float32).max)
    if not (abs(low) <= most and abs(high) <= most):
        raise InvalidArgumentError(f"range is {given!r}, expected two heights of at most {most:.3g} m")
    return float(np.float32(low)), float(np.float32(high))


def int64_array(name: str, given: NDArray[Any]) -> NDArray[np.int64]:
    """An array of any integer type as int64."""
    if given.dtype.kind == "u" and given.size > 0 and given.max() > np.iinfo(np.int64).max:
        raise InvalidArgumentError(f"{name} has the coordinate {given.max()}, expected -2**46 to 2**46")
    return given.astype(np.int64)


def in_samples(points: NDArray[np.int64], step: int) -> NDArray[np.int64]:
    """Lattice coordinates, which count lattice steps, as numbers of samples that are `step` lattice steps apart."""
    if np.any(points % step):
        raise InvalidArgumentError(f"a point's x or z is no multiple of {step}: samples are that many steps apart")
    return np.ascontiguousarray(points // step)
