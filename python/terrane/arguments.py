"""Checks and converts the arguments of World's methods. A wrong argument raises InvalidArgumentError with a sentence
that names the argument."""

from __future__ import annotations

import math
import numbers
import operator
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import InvalidArgumentError


def world_file_texts(values: dict[str, Any]) -> dict[str, str]:
    """Values as texts of a world file. Floats keep every bit."""
    return {key: world_file_text(key, value) for key, value in values.items()}


def world_file_text(key: str, value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return os.fsdecode(value)
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


def random_seed(given: Any) -> int:
    """A seed of 64 bits."""
    try:
        seed = operator.index(given)
    except TypeError:
        seed = -1
    if not 0 <= seed < 2**64:
        raise InvalidArgumentError(f"seed is {given!r}, expected an integer from 0 to 2**64 - 1")
    return seed


def is_any_water(value: Any) -> bool:
    """True for "any": a sample of layer water is wet if water lies anywhere in its cell. False for "point": only if
    water lies at its point."""
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


def multiple(lod: int) -> str:
    """The end of a message about a wrong coordinate. It tells of which number the coordinate must be a multiple."""
    return f"a multiple of {2.0**lod:.15g}: samples are that many steps apart"


def in_samples(name: str, value: Any, lod: int) -> int:
    """A lattice coordinate in units of samples. Below level of detail 0 it may be a float."""
    if lod < 0 and isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral):
        place = float(value) * 2.0**-lod
        if not math.isfinite(place) or place != math.floor(place):
            raise InvalidArgumentError(f"{name} is {value}, expected {multiple(lod)}")
        return integer(name, int(place))
    number = integer(name, value)
    if lod < 0:
        return integer(name, number << -lod)
    if number % (1 << lod):
        raise InvalidArgumentError(f"{name} is {number}, expected {multiple(lod)}")
    return number >> lod


def int64_array(name: str, given: NDArray[Any]) -> NDArray[np.int64]:
    """An array of any integer type as int64."""
    if given.dtype.kind == "u" and given.size > 0 and given.max() > np.iinfo(np.int64).max:
        raise InvalidArgumentError(f"{name} has the coordinate {given.max()}, expected -2**46 to 2**46")
    return given.astype(np.int64)


def points_in_samples(
    names: tuple[str, str], given: NDArray[Any], lods: int | NDArray[np.int64]
) -> NDArray[np.int64]:
    """Convert lattice coordinates, integers or floats, to units of samples of their level of detail.

    names  for messages: the argument, and the owner of the coordinates, such as "a tile's"
    lods   one level for all coordinates, or an array that broadcasts against them"""
    argument, whose = names
    if given.dtype.kind != "f":
        given = int64_array(argument, given)
        places = np.where(np.less(lods, 0), given << np.maximum(np.negative(lods), 0), given >> np.maximum(lods, 0))
        is_sample = given & ((1 << np.maximum(lods, 0)) - 1) == 0
    else:
        exact = np.ldexp(given.astype(np.float64), np.negative(lods))
        is_sample = exact == np.floor(exact)
        places = np.where(np.abs(exact) < 2.0**62, exact, 0).astype(np.int64)
    if not np.all(is_sample):
        step = f"of {2.0**lods:.15g}: samples are that many steps apart" if isinstance(lods, int) else "of 2**lod"
        raise InvalidArgumentError(f"{whose} x or z is no multiple {step}")
    is_far = np.abs(given.astype(np.float64)) > 2.0**47  # products would overflow; the library checks the exact limit
    if np.any(is_far):
        raise InvalidArgumentError(f"{whose} x or z is {given[is_far][0]}, expected -2**46 to 2**46")
    return np.ascontiguousarray(places)
