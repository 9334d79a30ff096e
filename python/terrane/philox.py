"""Random words of many counters at once: Philox 4x64 with 10 rounds (Salmon, Moraes, Dror, Shaw 2011). numpy computes
only one counter after another."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["high_word", "philox"]

_ROUNDS = 10
_MULTIPLIERS = (np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157))
_KEY_STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


def high_word(a: ArrayLike, b: ArrayLike) -> NDArray[np.uint64]:
    """The upper 64 bits of products of 64-bit numbers: floor(a * b / 2**64)."""
    a, b = np.asarray(a, np.uint64), np.asarray(b, np.uint64)
    a_low, a_high, b_low, b_high = a & _LOW, a >> _HALF, b & _LOW, b >> _HALF
    middle = a_high * b_low + (a_low * b_low >> _HALF)
    other = a_low * b_high + (middle & _LOW)
    return np.asarray(a_high * b_high + (middle >> _HALF) + (other >> _HALF))


def philox(key: tuple[int, int], first: ArrayLike, second: ArrayLike, third: int = 0) -> NDArray[np.uint64]:
    """The four words of each block whose counter is (first, second, third, 0): shape (..., 4). `first` and `second` are
    broadcast.

    np.random.Philox(key=key, counter=[n, ...]).random_raw(4) are the words of first = n + 1."""
    one, two = np.broadcast_arrays(np.asarray(first, np.uint64), np.asarray(second, np.uint64))
    c = [one, two, np.full(one.shape, third, np.uint64), np.zeros(one.shape, np.uint64)]
    for n in range(_ROUNDS):
        k = [np.uint64((word + n * step) % 2**64) for word, step in zip(key, _KEY_STEPS, strict=True)]
        low = [m * c[at] for m, at in zip(_MULTIPLIERS, (0, 2), strict=True)]
        high = [high_word(m, c[at]) for m, at in zip(_MULTIPLIERS, (0, 2), strict=True)]
        c = [high[1] ^ c[1] ^ k[0], low[1], high[0] ^ c[3] ^ k[1], low[0]]
    return np.stack(c, axis=-1)
