"""Distributions over the parameters of worlds: a fixed number of worlds, each with parameters drawn at random.

The parameters are sorted by name. Parameter n of world k is drawn with word n of the raw output of
numpy.random.Philox(key=[seed, 1], counter=[0, k, 1, 0])."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .arguments import count
from .errors import InvalidArgumentError
from .placement import VERSION, scaled
from .world import World

__all__ = ["Distribution"]


class Distribution:
    """Worlds 0 to `count` - 1.

    given    maps names of parameters to their values. A name is that of a parameter of World, or "name" for the name of
             a world that comes with Terrane. A list holds the values from which each world draws one. A tuple (low,
             high) is a range from which each world draws a number: an integer from low to high if both are integers,
             otherwise a float. Anything else is the value in all worlds
    seed     seed of the draws
    worlds   number of worlds
    options  of World: backend, threads, gpu

    Without a value for `seed` each world draws a seed of 32 bits. Raises InvalidArgumentError"""

    def __init__(self, given: Mapping[str, Any], worlds: int, seed: int, options: Mapping[str, Any]) -> None:
        self.given = {"seed": (0, 2**32 - 1), **given}
        self.count = count("worlds", worlds)
        self._seed = seed
        self._options = dict(options)
        self._made: dict[int, World] = {}
        for name, value in self.given.items():
            _check(name, value)
        self.world(0)

    def parameters(self, number: int) -> dict[str, Any]:
        """Arguments of a world."""
        names = sorted(self.given)
        words = np.random.Philox(key=[self._seed, VERSION], counter=[0, number, 1, 0]).random_raw(len(names))
        return {name: _drawn(self.given[name], int(word)) for name, word in zip(names, words, strict=True)}

    def identity(self) -> dict[str, Any]:
        """What determines the worlds, except the seed, in the types of JSON."""
        given = {name: {"between": list(v)} if isinstance(v, tuple) else v for name, v in self.given.items()}
        return {"worlds": self.count, "parameters": given}

    def world(self, number: int) -> World:
        """A world. It is made when it is first used, and kept."""
        if number not in self._made:
            parameters = self.parameters(number)
            self._made[number] = World(parameters.pop("name", None), **self._options, **parameters)
        return self._made[number]


def _check(name: str, value: Any) -> None:
    if isinstance(value, list) and not value:
        raise InvalidArgumentError(f"distribution of {name} is an empty list, expected values to choose from")
    if isinstance(value, tuple):
        try:
            low, high = (float(end) for end in value)
        except (TypeError, ValueError):
            low, high = 1.0, 0.0
        if not low <= high:
            raise InvalidArgumentError(
                f"distribution of {name} is {value!r}, expected two numbers: low, high, with low <= high"
            )


def _drawn(value: Any, word: int) -> Any:
    if isinstance(value, list):
        return value[scaled(word, len(value))]
    if not isinstance(value, tuple):
        return value
    low, high = value
    if all(isinstance(end, (int, np.integer)) for end in value):
        return int(low) + scaled(word, int(high) - int(low) + 1)
    return float(low) + (float(high) - float(low)) * ((word >> 11) / 2.0**53)
