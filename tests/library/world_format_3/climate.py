"""climate.py - layers of the climate: temperature, precipitation, biome and snow, from place and height."""

import math
from types import SimpleNamespace

import numpy as np

from world_format_3.cells import NO_LAKE
from world_format_3.numbers import binary32, clamp, fma, integer, most, number, smoothstep, turn, weights
from world_format_3.overviews import Overviews

SUMMER, WINTER = range(2)


@binary32
class Climate(Overviews):
    """The climate of a world. set_climate() sets its parameters. climate() computes the layers of one sample."""

    def set_climate(self, warmth, wetness, belts):
        self.warmth, self.wetness, self.widths = np.float32(warmth), np.float32(wetness), int(np.rint(8192000 / belts))
        self.bend = self.slow(np.array([-1078272], np.int64), np.array([1921024], np.int64))[0][0]

    def scaled(self, x):
        return (x * self.widths) >> 10

    def slow(self, x, y):
        sums = np.zeros((4,) + x.shape, np.float32)
        for m in range(3):
            s = self.spline(335 + m, 22 - m, self.scaled(x), self.scaled(y), 4)
            sums = fma(np.float32((0.6, 0.4, 0.25)[m]), s, sums)
        return sums

    def latitude(self, y, slow0):
        around = number((self.scaled(y) - self.scaled(np.int64(1921024))) % 32000000) * (1.0 / 32000000.0)
        even = 0.1635 - around + 0.2 * (slow0 - self.bend)
        return fma(turn(2.0 * even)[1], -0.05, even)

    def zone(self, latitude, slow):
        """Lift and wind in summer and in winter."""

        def soft(t):
            return t / np.sqrt(t * t + 0.06)

        c, s = turn(latitude)
        shift = 0.024 * soft(s) * soft(c)
        seasons = []
        for at in (latitude - shift, latitude + shift):
            c, s = turn(at)
            polar, north = s * s, 2.0 * s * c
            tropics = most(1.0 - polar * (1.0 / 0.165), 0.0)
            storms = smoothstep((polar - 0.2) * (1.0 / 0.34))
            storms = storms * (1.0 - 0.35 * smoothstep((polar - 0.6) * (1.0 / 0.4)))
            lift = 0.04 + 0.96 * tropics * tropics + 0.9 * storms
            along = -5.2 * (polar - 0.27) * (polar - 0.84) * (polar + 0.85)
            x, y = along + 1.1 * slow[2], -0.4 * along * north + 1.1 * slow[3]
            inv = 1.0 / np.sqrt(x * x + y * y + 0.08)
            seasons.append((lift, x * inv, y * inv))
        return seasons

    def coarse_land(self, H, x, y):
        X, Y = self.place(x, y, *self.broad_warp(max(4 - (H - 15), 0), x, y))
        v = self.province(X, Y, max(5 - (H - 15), 0), has_knots=False)
        N = SimpleNamespace(z=v.height, lake=np.full(x.shape, NO_LAKE))
        s = self.summary(-1, N, v, 60.0)
        return s.LAND, 1.0 - s.SHARE

    def air(self, H, ground, wind, rows, columns):
        """Moisture, share of land and rise on the paths from knots. ground: land, sea and lift at points; wind: its two
        components at these points"""

        def kept_of(q):
            for _ in range(H - 15):
                q = q * q
            return q

        def between(x, y):
            i, j = np.floor(x), np.floor(y)
            a, b, i, j = x - i, y - j, integer(i) + columns, integer(j) + rows
            found = []
            for f in (*ground, *wind):
                north, south = [fma(a, f[j + n, i + 1] - f[j + n, i], f[j + n, i]) for n in (0, 1)]
                found.append(fma(b, south - north, north))
            return found

        N = 4 if H >= 20 else max(32 >> (H - 15), 4)
        by_sea, by_land = kept_of(np.float32(1.0) - 0.065), kept_of(np.float32(1.0) - 0.03)
        by_way = kept_of(np.float32(1.0) - 0.05)
        at = [f[rows, columns] for f in (*ground, *wind)]
        own, zero = at[0], np.zeros(rows.shape, np.float32)
        x, y, kept, near, moisture, inland, rise = zero, zero, zero + 1.0, zero + 1.0, zero, zero, zero
        for n in range(N):
            before = at[0]
            x, y = x - at[3], y - at[4]
            at = between(x, y)
            land, sea, lift = at[:3]
            kept = kept / (1.0 + most(before - land, 0.0) * (1.0 / 5000.0))
            from_sea, from_land = kept * sea * (1.0 - by_sea), kept * (1.0 - sea) * (1.0 - by_land)
            moisture = moisture + (from_sea + from_land * (0.2 + 0.65 * lift))
            kept = kept - from_sea - from_land
            inland, near = inland + near * (1.0 - by_way) * (1.0 - sea), near * by_way
            rise = own - land if n < 2 else rise
        return moisture + kept * 0.4, inland + near * 0.5, rise

    def knots(self, H, i0, j0):
        """The numbers of 4 x 4 knots from (i0, j0) on: mean, range, summer, winter, land."""
        N = (4 if H >= 20 else max(32 >> (H - 15), 4)) + 1
        j, i = np.mgrid[j0 - N : j0 + 4 + N, i0 - N : i0 + 4 + N].astype(np.int64)
        x, y = i << H, j << H
        slow = self.slow(x, y)
        latitude = self.latitude(y, slow[0])
        land, sea = self.coarse_land(H, x, y)
        rows, columns = np.mgrid[N : N + 4, N : N + 4]
        s = turn(latitude)[1][rows, columns]
        polar, seasons = s * s, []
        for lift, *wind in self.zone(latitude, slow):
            seasons.append((lift[rows, columns],) + self.air(H, (land, sea, lift), wind, rows, columns))
        I = 0.4 * seasons[SUMMER][2] + 0.6 * seasons[WINTER][2]
        mean = 27.0 - polar * (22.0 + polar * (9.0 + 13.0 * polar * polar))
        mean = mean + I * (2.5 - 7.0 * polar) + 4.0 * slow[1][rows, columns]
        mean = mean + self.warmth
        span = 2.5 + 7.0 * polar + I * (3.0 + polar * (70.0 - 32.0 * polar))
        land = land[rows, columns]
        rains = []
        for (lift, moisture, _, rise), sign in zip(seasons, (1.0, -1.0)):
            t = mean - 0.003 * land + np.float32(sign) * (0.3 * span)
            q, over = clamp((t + 45.0) * (1.0 / 72.0), 0.1, 1.15), rise * (1.0 / 1000.0)
            up, down = [0.5 * (a + np.sqrt(a * a + 0.01)) for a in (over, -over)]
            rain = self.wetness * 2200.0 * (q * q) * moisture * np.sqrt(moisture) * (lift + 0.8 * (up - 0.05))
            rains.append(rain / (1.0 + 1.3 * (down - 0.05)))
        return mean, span, *rains, land

    def biome(self, h, T, span, rain, season):
        warmest, coldest = T + 0.5 * span, T - 0.5 * span
        arid, sure = 20.0 * T + 140.0 * (1.0 + season), rain * (1.0 - 0.5 * abs(season))
        conditions = (
            (h < self.sea, 0),
            (warmest < 0.0, 1),
            (warmest < 10.0, 2),
            (rain < 0.5 * arid, 9 if T >= 18.0 else 4),
            (rain < arid, 10 if T >= 18.0 else 5),
            (coldest > 15.0 and sure > 1400.0, 12),
            (coldest > 15.0, 11),
            (T < 3.0, 3),
            (season < -0.3 and coldest > -3.0 and rain < 1000.0, 6),
            (rain > 1500.0 and T < 16.0 and span < 20.0, 8),
            (True, 7),
        )
        return np.float32(next(number for holds, number in conditions if holds))

    def climate_at(self, d, x, y):
        """The five numbers of the climate at a place: mean, range, summer, winter, land."""
        H = max(15, d)
        i, j = int(math.ldexp(x, -d)), int(math.ldexp(y, -d))
        u, v = i >> H - d, j >> H - d
        known = self.known.setdefault("knots", {})
        if (H, u, v) not in known:
            known[H, u, v] = self.knots(H, u - 1, v - 1)
        size = np.float32(2.0) ** np.float32(d - H)
        w, z = [weights(number(k & (1 << H - d) - 1) * size) for k in (i, j)]
        values = []
        for f in known[H, u, v]:
            value = np.float32(0.0)
            for k in range(4):
                column = np.float32(0.0)
                for n in range(4):
                    column = fma(z[n], f[n, k], column)
                value = fma(w[k], column, value)
            values.append(value)
        return values

    def climate(self, d, x, y, h):
        """The layers of a sample of level of detail d with height h: temperature, its range, precipitation, its season,
        biome, snow."""
        mean, span, summer, winter, land = self.climate_at(d, x, y)
        over = most(h - self.sea, 0.0)
        T, both = fma(over, -0.0065, mean), summer + winter
        season, r = (summer - winter) / most(both, 1.0), over - land
        rain = both * (1.0 + 0.5 * (r / (abs(r) + 900.0)))
        t = clamp((1.0 - T) / (0.5 * span + 2.0), -1.0, 1.0)
        cold = 0.5 + t * (0.32 + 0.18 * t * t)
        winter = rain * (1.0 - 0.6 * season * (1.0 - cold))
        snow = cold * (winter / (winter + 60.0 * (1.0 - cold) + 1.0))
        return T, span, rain, season, self.biome(h, T, span, rain, season), snow
