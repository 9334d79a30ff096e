"""fine.py - samples of levels of detail below 0, which lie less than a metre apart."""

import math

import numpy as np

from world_format_3.numbers import binary32, clamp, fma, four, length, most, number, smoothstep
from world_format_3.slopes import BROOK, bed_width

HEIGHT, WATER, FLOW, SHORE, DRYNESS, LAND, TOP, GLACIER, SAND, LAYERS = 0, 1, 2, 3, 8, 9, 10, 11, 12, 13


@binary32
class Fine:
    """Microrelief, heights and layers below the metre. point() gives the layers of points whose coordinates are whole
    metres."""

    MICRO = np.array(
        (
            (0.1, 0.06, 0.034, 0.019, -0.4),
            (0.11, 0.085, 0.05, 0.022, 0.9),
            (0.022, 0.028, 0.026, 0.015, 0.7),
            (0.012, 0.006, 0.003, 0.0015, 0.0),
            (0.02, 0.013, 0.009, 0.005, 0.2),
            (0.014, 0.012, 0.01, 0.006, 0.3),
            (0.03, 0.02, 0.012, 0.006, -0.3),
            (0.004, 0.002, 0.001, 0.0005, 0.0),
        ),
        np.float32,
    )

    def layers_of(self, x, y):
        """The layers of a point whose coordinates are whole metres. They are computed only once."""
        known = self.known.setdefault("layers_of", {})
        if (x, y) not in known:
            known[x, y] = self.point(x, y)
        return known[x, y]

    def materials(self, slope, hollow, altitude, drained, gap, dryness, blotch, ice, dune):
        """Shares of rock, scree, gravel, sand, soil, grass, ice and dune sand."""
        steep = slope + 0.2 * (blotch - 0.5)
        bed = smoothstep(1.0 - most(gap, 0.0) * (1.0 / 8.0)) * smoothstep(drained * (1.0 / BROOK) - 1.0)
        beach = smoothstep((2.5 - altitude) * 0.5)
        desert = smoothstep((dryness - 0.65) * 5.0) * smoothstep((0.25 - slope) * 6.0)
        left = 1.0 - ice
        dunes = left * dune
        left = left - dunes
        rock = left * smoothstep((steep - 0.7) * 2.0)
        left = left - rock
        scree = left * smoothstep((steep - 0.45) * 4.0) * clamp(0.7 + 15.0 * hollow, 0.3, 1.0)
        left = left - scree
        gravel = left * most(bed, 0.4 * smoothstep((dryness - 0.5) * 4.0))
        left = left - gravel
        sand = left * most(beach, desert * (0.4 + 0.6 * blotch))
        left = left - sand
        soil = left * smoothstep((dryness - 0.25) * 2.0)
        return rock, scree, gravel, sand, soil, left - soil, ice, dunes

    def land_at(self, h):
        """The layer land of a sample of height h."""
        return np.float32(0.0) if h < self.sea else np.float32(1.0)

    def micro_of_site(self, i, j):
        """The six numbers of the microrelief of a point (i, j) of spacing 8 m."""
        known = self.known.setdefault("micro", {})
        if (i, j) in known:
            return known[i, j]
        own = self.layers_of(8 * i, 8 * j)
        north, south = [self.layers_of(8 * i, 8 * (j + b))[HEIGHT] for b in (-1, 1)]
        west, east = [self.layers_of(8 * (i + a), 8 * j)[HEIGHT] for a in (-1, 1)]
        slope = length(east - west, south - north) * (1.0 / 16.0)
        hollow = ((north + south) + (west + east) - 4.0 * own[HEIGHT]) * (1.0 / 64.0)
        drained = own[FLOW] / (262144.0 * (self.spacing * self.spacing))
        gap = own[SHORE] / self.spacing - bed_width(drained)
        around = np.arange(-1, 2)
        total = self.byte(334, (i + around)[None, :], (j + around)[:, None]).sum()
        blotch = clamp((number(total) - 765.0) * (1.0 / 765.0), 0.0, 1.0)
        ice = smoothstep(own[GLACIER] * 0.5) if self.glaciers > 0.0 else np.float32(0.0)
        dune = smoothstep(own[SAND] * 2.0) if self.sand > 0.0 else np.float32(0.0)
        shares = self.materials(slope, hollow, own[HEIGHT] - self.sea, drained, gap, own[DRYNESS], blotch, ice, dune)
        mixed, factor = np.zeros(6, np.float32), 0.75 + 0.5 * blotch
        for share, numbers in zip(shares, self.MICRO):
            mixed[:5] = fma(share, numbers, mixed[:5])
        mixed[:4] = factor * mixed[:4]
        mixed[5] = 0.008 * factor * shares[7] * (1.0 - smoothstep((slope - 0.35) * 6.25))
        known[i, j] = mixed
        return mixed

    def micro(self, x, y):
        """The microrelief of a point whose coordinates are whole metres."""
        a, b = number(x % 8) * 0.125, number(y % 8) * 0.125
        corners = self.corners(np.array([x]), np.array([y]), 8)
        nw, ne, sw, se = [self.micro_of_site(int(u) // 8, int(v) // 8) for u, v in zip(*[c[:, 0] for c in corners])]
        north, south = fma(a, ne - nw, nw), fma(a, se - sw, sw)
        return fma(b, south - north, north)

    def fine_height(self, n, i, j):
        """Height of point (i, j) of level of detail -n."""
        if n == 0:
            return self.layers_of(i, j)[HEIGHT]
        known = self.known.setdefault("fine_height", {})
        if (n, i, j) not in known:
            known[n, i, j] = self.new_fine_height(n, i, j)
        return known[n, i, j]

    def new_fine_height(self, n, i, j):
        u, v = i >> 1, j >> 1
        columns = range(u - 1, u + 3) if i & 1 else [u]
        rows = range(v - 1, v + 3) if j & 1 else [v]
        found = [[self.fine_height(n - 1, column, row) for column in columns] for row in rows]
        along = [four(*row) if i & 1 else row[0] for row in found]
        h = four(*along) if j & 1 else along[0]
        if not (i & 1 or j & 1):
            return h
        micro = self.micro(i >> n, j >> n)
        byte = self.byte(329 + n, np.array([i]), np.array([j]))[0]
        t = (number(byte) - 127.5) * (1.0 / 127.5)
        return fma(fma(micro[4], fma(t, t, -1.0 / 3.0), t), micro[n - 1], h)

    def shift_of(self, x, y):
        """By how much the phase of ripples differs from that of even waves, at a point of whole metres."""
        u = self.wx * x + self.wy * y
        draw = 2 + (int(self.byte(346, np.array([x]), np.array([y]))[0]) >> 6)
        return number(8 * ((u + draw) >> 3) - u) * 0.125

    def ripple(self, n, i, j):
        """Height of waves whose crests are 1 high, at point (i, j) of level of detail -n."""
        a, b = [smoothstep(number(k & (1 << n) - 1) * np.float32(0.5**n)) for k in (i, j)]
        nw, ne, sw, se = [self.shift_of((i >> n) + (k & 1), (j >> n) + (k >> 1)) for k in range(4)]
        north, south = fma(a, ne - nw, nw), fma(a, se - sw, sw)
        even = number((self.wx * i + self.wy * j) & (16 << n) - 1) * np.float32(0.5 ** (n + 3))
        phase = even + fma(b, south - north, north)
        t = phase - 2.0 * number(math.floor(0.5 * phase))
        r = t - 1.0
        return 1.0 - abs(2.0 * t - 1.0) if r < 0.0 else -3.0 * r * (1.0 - r)

    def rippled(self, n, i, j, h):
        """Height h of point (i, j) of level of detail -n with ripples of sand."""
        crest = self.micro(i >> n, j >> n)[5]
        return fma(crest, self.ripple(n, i, j), h) if crest > 0.0 else h

    def fine_water(self, corners, surface_of, a, b, h):
        """Level of water between four corners, nw ne sw se, or not a number."""
        is_wet = [bool(c[WATER] > c[HEIGHT]) for c in corners]
        if not any(is_wet):
            return np.float32(math.nan)
        levels = [corners[next(k for k in (n, n ^ 1, n ^ 2, n ^ 3) if is_wet[k])][WATER] for n in range(4)]
        has_open_border = any(not is_wet[n] and corners[n][HEIGHT] < levels[n] for n in range(4))
        nearest, surface = int(a > 0.5) + 2 * int(b > 0.5), surface_of(*levels)
        is_under = surface > h and (not has_open_border or is_wet[nearest])
        return surface if is_under else np.float32(math.nan)

    def fine_sample(self, n, i, j):
        """The layers of point (i, j) of level of detail -n."""
        h = self.rippled(n, i, j, self.fine_height(n, i, j))
        a, b = [number(k & (1 << n) - 1) * np.float32(0.5**n) for k in (i, j)]
        u, v = (i >> n, (i >> n) + (a > 0.0)), (j >> n, (j >> n) + (b > 0.0))
        corners = [self.layers_of(int(u[k & 1]), int(v[k >> 1])) for k in range(4)]

        def between(nw, ne, sw, se):
            north, south = fma(a, ne - nw, nw), fma(a, se - sw, sw)
            return fma(b, south - north, north)

        layers = [between(*[c[layer] for c in corners]) for layer in range(LAYERS)]
        layers[HEIGHT] = layers[TOP] = h
        layers[WATER] = self.fine_water(corners, between, a, b, h)
        layers[LAND] = self.land_at(h)
        return tuple(np.float32(value) for value in layers)
