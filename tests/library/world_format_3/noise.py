"""noise.py - random words, splines, the warp, and places in the plane of the network."""

import numpy as np

from world_format_3.numbers import binary32, fma, four, integer, number, sym, weights
from world_format_3.remembered import remembered


@binary32
class Noise:
    """Random fields of a world. `key` holds the two halves of its seed, `known` the values that have been computed."""

    def words(self, tag, i, j):
        i, j = np.broadcast_arrays(np.asarray(i, np.int64), np.asarray(j, np.int64))
        low = np.uint64(0xFFFFFFFF)
        c = [i & 0xFFFFFFFF, (i >> 32) & 0xFFFF, j & 0xFFFFFFFF, ((j >> 32) & 0xFFFF) | tag << 16]
        c = [word.astype(np.uint64) for word in c]
        k0, k1 = self.key
        for _ in range(10):
            p0, p1 = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
            half = np.uint64(32)
            c = [(p1 >> half) ^ c[1] ^ np.uint64(k0), p1 & low, (p0 >> half) ^ c[3] ^ np.uint64(k1), p0 & low]
            k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
        return np.stack(c)

    def byte(self, tag, i, j):
        word = np.take_along_axis(self.words(tag, i >> 2, j >> 2), (j & 3)[None], 0)[0]
        return integer(word >> (8 * (i & 3)).astype(np.uint64)) & 0xFF

    def spline(self, tag, h, X, Y, channels):
        """Values of a random spline of pitch 2^h, one array for each knot value sym(0), sym(1), ..."""
        i, j = X >> h, Y >> h
        size = np.float32(2.0) ** np.float32(-h)
        w, z = weights(number(X & (1 << h) - 1) * size), weights(number(Y & (1 << h) - 1) * size)
        i0, j0 = i.min() - 1, j.min() - 1
        words = self.words(tag, np.arange(i0, i.max() + 3)[None, :], np.arange(j0, j.max() + 3)[:, None])
        knots = np.stack([sym(words, c) for c in range(channels)])
        i, j = i - i0 - 1, j - j0 - 1
        value = np.zeros((channels,) + X.shape, np.float32)
        for n in range(4):
            row = np.zeros_like(value)
            for k in range(4):
                row = fma(w[k], knots[:, j + n, i + k], row)
            value = fma(z[n], row, value)
        return value

    def halved(self, at, x, y, s):
        """Values at points of spacing s, from those of spacing 2 s, for which at() returns a list of fields. Places are
        in metres."""
        u, v, values = x // (2 * s) * (2 * s), y // (2 * s) * (2 * s), None
        around = np.arange(-1, 3) * (2 * s)
        for odd_x in (False, True):
            for odd_y in (False, True):
                which = np.flatnonzero(((x != u) == odd_x) & ((y != v) == odd_y))
                if which.size == 0:
                    continue
                us = u[which, None, None] + (around if odd_x else np.zeros(1, np.int64))[None, None, :]
                vs = v[which, None, None] + (around if odd_y else np.zeros(1, np.int64))[None, :, None]
                found = at(us, vs)
                values = values or [np.empty(x.shape, np.float32) for _ in found]
                for value, f in zip(values, found):
                    rows = four(*[f[:, :, t] for t in range(4)]) if odd_x else f[:, :, 0]
                    value[which] = four(*[rows[:, t] for t in range(4)]) if odd_y else rows[:, 0]
        return values

    def corners(self, x, y, S):
        u, v = x // S * S, y // S * S
        return np.stack((u, u + S * (x > u), u, u + S * (x > u))), np.stack((v, v, v + S * (y > v), v + S * (y > v)))

    def linear(self, at, x, y, S):
        a, b = number(x % S) / number(S), number(y % S) / number(S)
        values = []
        for nw, ne, sw, se in at(*self.corners(x, y, S)):
            north, south = fma(a, ne - nw, nw), fma(a, se - sw, sw)
            values.append(fma(b, south - north, north))
        return values

    def warp_size(self, m):
        """How far octave m of the warp shifts points, in metres."""
        return (0.15 if m < 5 else 0.14 if m < 9 else 0.1) * number(131072 >> m)

    def broad_warp(self, count, x, y):
        """The shifts of the first `count` octaves of the warp to the east and to the south."""
        east, south = np.zeros((2,) + x.shape, np.float32)
        for m in range(count):
            s, size = self.spline(288 + m, 17 - m, x, y, 2), self.warp_size(m)
            east, south = fma(size, s[0], east), fma(size, s[1], south)
        return east, south

    @remembered
    def warp(self, x, y):
        """The warp at points of spacing 32 m: its shifts to the east and to the south, and patch."""
        east, south, patch = [np.full(x.shape, np.float32(start)) for start in (0, 0, 0.5)]
        for m in range(11):
            s = self.spline(288 + m, 17 - m, x, y, 3)
            size = self.warp_size(m)
            east, south = fma(size, s[0], east), fma(size, s[1], south)
            if m >= 8:
                patch = fma(0.42, s[2], patch)
        return east, south, patch

    def warp_at(self, x, y):
        """The shifts of the warp to the east and to the south, at points of any spacing."""

        def coarse(x, y):
            return self.warp(x, y)[:2]

        def shifted(at, s, tag, size):
            def values(x, y):
                x, y = np.broadcast_arrays(x, y)
                new = (x % (2 * s) != 0) | (y % (2 * s) != 0)
                found = self.halved(at, x.ravel(), y.ravel(), s)
                for n, f in enumerate(found):
                    shift = (number(self.byte(tag + n, x.ravel() // s, y.ravel() // s)) - 127.5) * (size * (1.0 / 127.5))
                    found[n] = f + np.where(new.ravel(), shift, 0.0)
                return [f.reshape(x.shape) for f in found]

            return values

        fine = shifted(shifted(coarse, 16, 325, 2.4), 8, 327, 0.6)

        return self.linear(fine, x, y, 8)

    def place(self, x, y, east, south):
        east, south = [integer(np.rint(f * 128.0)) for f in (east, south)]
        return (59 * x - 25 * y) * 2 + east, (25 * x + 59 * y) * 2 + south
