"""provinces.py - what a region of the world is like: relief, plateaus, ice, dryness."""

from types import SimpleNamespace

import numpy as np

from world_format_3.noise import Noise
from world_format_3.numbers import binary32, clamp, fma, integer, length, most, number, smoothstep
from world_format_3.remembered import remembered
from world_format_3.slopes import hillslope

PROVINCE = "relief cap round top upper ice breadth flat slope alpine dry height".split()


@binary32
class Provinces(Noise):
    """The provinces of a world."""

    WEIGHTS = np.array(
        (
            (1.0, 0.62, 0.3844, 0.238328, 0.14776336, 0.0, 0.0, 0.0),
            (0.5, 1.0, 0.45, 0.2, 0.08, 0.0, 0.0, 0.0),
            (0.0, 1.0, 0.7, 0.35, 0.15, 0.08, 0.0, 0.0),
            (0.0, 1.0, 0.8, 0.5, 0.3, 0.15, 0.0, 0.0),
            (0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 0.6, 0.5),
            (0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.2, 0.5),
        ),
        np.float32,
    )

    def continents_of(self, X, Y):
        """Sums of the octaves of continents: inland, margin, high, rolling."""
        sums = np.zeros((4,) + X.shape, np.float32)
        for k in range(3, -1, -1):
            sums = fma(np.float32((0.55, 0.75, 0.95, 0.7)[k]), self.spline(312 + k, 27 + k, X, Y, 4), sums)
        return sums

    def continents_at(self, X, Y):
        """The same sums, interpolated linearly between knots."""

        def knot(i, j):
            return self.continents_of(i << 24, j << 24)

        i, j = X >> 24, Y >> 24
        a, b = [number(Z & (1 << 24) - 1) * (np.float32(2.0) ** np.float32(-24)) for Z in (X, Y)]
        nw, ne, sw, se = knot(i, j), knot(i + 1, j), knot(i, j + 1), knot(i + 1, j + 1)
        north, south = fma(a, ne - nw, nw), fma(a, se - sw, sw)
        return fma(b, south - north, north)

    def province(self, X, Y, F, has_knots=True):
        sums = [np.full(X.shape, np.float32(start)) for start in (0, 0, 0, 0, 1, 0)]
        gate = np.zeros(X.shape, np.float32)
        for m in range(F):
            s = self.spline(304 + m, 26 - m, X, Y, 4)
            for n, of in enumerate((0, 1, 2, 3, 0, 1)):
                sums[n] = fma(self.WEIGHTS[n][m], s[of], sums[n])
            gate = s[3] if m == 0 else fma(0.5, s[2], gate) if m == 1 else gate
        land, belt, plate, hills, local, rock = sums
        inland, margin, high, rolling = (self.continents_at if has_knots else self.continents_of)(X, Y)
        hx, hy = number(X + 223287296) * (1.0 / 128000.0), number(Y - 172767232) * (1.0 / 128000.0)
        away = self.continents * smoothstep((length(hx, hy) - 1500.0) * (1.0 / 1500.0))
        over = inland - 0.02
        land = land + away * (0.3 * smoothstep(over * (1.0 / 0.12)) - 2.3 * smoothstep(-over * (1.0 / 0.35)))
        plate = plate + away * (0.7 * high - 0.12)
        hills = hills + away * 0.5 * rolling
        coast, beside = (over - 0.12) * 4.0, smoothstep(margin * 6.0) * away
        belt = belt + beside * (np.where(abs(coast) < abs(belt), coast, belt) - belt)
        gate = gate + beside * 0.35 * smoothstep((0.22 - abs(coast)) * (1.0 / 0.22))
        belt_width = 0.22 * (1.0 + 0.9 * self.uplift)
        across = most(0.0, 1.0 - abs(belt) / belt_width)
        BELT = across * across * (3.0 - 2.0 * across) * smoothstep((gate + 0.5 * self.uplift + 0.12) * (1.0 / 0.22))
        HILL = smoothstep((hills + 0.7 * self.hills + 0.2) * (1.0 / 0.6))
        table = plate + 0.6 * self.plateau
        PLATEAU = smoothstep((table - 0.24) * 6.25) * (1.0 - BELT)
        PLAIN = (1.0 - BELT) * (1.0 - PLATEAU)
        DRY = smoothstep((plate - 0.35 * gate + self.dryness + 0.45) * (1.0 / 1.1))
        base = 1500.0 * (land + 0.5 * self.land) + 60.0
        shelf = 260.0 * (1.0 - BELT)
        base = np.where(shelf > 1.0, base * abs(base) / (abs(base) + shelf), base)
        INLAND = smoothstep((base + 250.0) * (1.0 / 230.0))
        M = (0.035 + 0.75 * HILL * HILL) * (1.0 - BELT) + 3.2 * BELT
        M = np.where(M < 1.9, M + PLATEAU * (1.9 - M), M)
        BAD = DRY * most(self.dryness, 0.0) * HILL
        HARD = clamp(1.0 + 0.6 * rock, 0.3, 2.0)
        v = SimpleNamespace()
        v.relief = HARD * M * most(local, 0.35) * (0.06 + 0.94 * INLAND) * self.relief
        v.cap = HARD * ((0.72 + 0.16 * HILL - 0.1 * BELT) * (1.0 - PLATEAU) + 1.6 * PLATEAU)
        v.round = 12.0 + 28.0 * PLATEAU + (388.0 * (1.0 - HILL) + 90.0 * HILL) * PLAIN * (1.0 - 0.8 * BAD)
        v.top = most(base, 0.0) + 420.0 + 250.0 * table
        v.upper = 1.0 - 0.93 * PLATEAU
        v.ice = clamp(BELT * (1.0 - PLATEAU) * (1.0 + self.ice) + most(self.ice, 0.0) * HILL * PLAIN, 0.0, 1.0)
        breadth = (0.020 - 0.004 * HILL + 0.012 * most(self.ice, 0.0) * v.ice) * (1.0 - PLATEAU) + 0.0044 * PLATEAU
        v.breadth = breadth * (1.4 * most(1.0 + 1.5 * (1.0 - HARD), 0.2))
        v.flat = (1.0 - HILL) * PLAIN
        v.slope = hillslope(v.relief, v.cap, v.round, 8)
        v.alpine = most(BELT + PLATEAU * (1.0 - BELT), BAD)
        v.dry = DRY
        v.height = base + 350.0 * BELT + 220.0 * PLATEAU * INLAND
        return v

    @remembered
    def knot(self, i, j):
        v = self.province(i << 19, j << 19, 8)
        return [getattr(v, name) for name in PROVINCE]

    def province_between(self, X, Y):
        i, j = X >> 19, Y >> 19
        i0, j0 = i.min(), j.min()
        rows, columns = np.mgrid[j0 : j.max() + 2, i0 : i.max() + 2]
        knots = dict(zip(PROVINCE, self.knot(columns, rows)))
        i, j = i - i0, j - j0
        a, b = [number(Z & (1 << 19) - 1) * (np.float32(2.0) ** np.float32(-19)) for Z in (X, Y)]
        v = SimpleNamespace()
        for name in PROVINCE[:-1]:
            f = knots[name]
            north, south = [fma(a, f[j + n, i + 1] - f[j + n, i], f[j + n, i]) for n in (0, 1)]
            setattr(v, name, fma(b, south - north, north))
        return v

    def province_at(self, n, cx, cy, x, y):
        """The province at a node (x, y) of the cell (cx, cy) of level n."""
        size = 1 << 24 - n
        X, Y = [c * size + integer(np.floor(z * number(size))) for c, z in ((cx, x), (cy, y))]
        return self.province(X, Y, min(n + 5, 8)) if n < 5 else self.province_between(X, Y)
