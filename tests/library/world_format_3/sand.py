"""sand.py - the sand of deserts: where it lies, and its dunes."""

from types import SimpleNamespace

import numpy as np

from world_format_3.cells import is_lake
from world_format_3.numbers import binary32, clamp, fma, least, length, most, number, smoothstep, sym, turn, weights
from world_format_3.remembered import remembered

SHIFTS, RIDGES = (17, 15, 13, 16), 3


def slopes(a):
    """Derivatives of weights()."""
    t, two, half = np.float32(1) - a, np.float32(2), np.float32(0.5)
    middle = np.float32(1.5)
    return -half * t * t, a * (middle * a - two), -t * (middle * t - two), half * a * a


@binary32
class Sand:
    """The sand of a world. set_sand() sets its parameters, and lay() adds sand to the layers of a point."""

    BEND = np.array((0.0, 6000.0, 2500.0, 900.0), np.float32)
    SUPPLY = np.array((0.9, 0.7, 0.5, 0.35), np.float32)
    TURNING = np.array((1.1, 0.7, 0.0, 0.0), np.float32)

    def set_sand(self, sand, wind):
        self.sand = np.float32(sand)
        c, s = turn(np.float32(wind) * (1.0 / 360.0))
        self.wx, self.wy = int(np.rint(-64.0 * s)), int(np.rint(64.0 * c))
        self.wind_length = length(number(self.wx), number(self.wy)) * (1.0 / 64.0)

    def sand_fields(self, count, x, y):
        """bend, supply, turning and the gradient of bend."""
        value, gx, gy = np.zeros((3,) + x.shape, np.float32), np.float32(0.0), np.float32(0.0)
        for m in range(count):
            h = 17 - m
            i, j, size = x >> h, y >> h, np.float32(2.0) ** np.float32(-h)
            a, b = number(x & (1 << h) - 1) * size, number(y & (1 << h) - 1) * size
            w, z, dw, dz = weights(a), weights(b), slopes(a), slopes(b)
            total, east, south = np.zeros_like(value), np.float32(0.0), np.float32(0.0)
            for n in range(4):
                row, slope = np.zeros_like(value), np.float32(0.0)
                for k in range(4):
                    words = self.words(338 + m, i - 1 + k, j - 1 + n)
                    knot = np.stack([sym(words, c) for c in range(3)])
                    slope, row = fma(dw[k], knot[0], slope), fma(w[k], knot, row)
                east, south, total = fma(z[n], slope, east), fma(dz[n], row[0], south), fma(z[n], row, total)
            for k, weight in enumerate((self.BEND[m], self.SUPPLY[m], self.TURNING[m])):
                value[k] = fma(weight, total[k], value[k])
            gx, gy = fma(self.BEND[m] * size, east, gx), fma(self.BEND[m] * size, south, gy)
        return value, gx, gy

    def aridity(self, x, y, over):
        mean, span, summer, winter, land = self.climate_at(0, int(x), int(y))
        T, both = fma(over, -0.0065, mean), summer + winter
        season, d = (summer - winter) / most(both, 1.0), over - land
        rain, arid = both * (1.0 + 0.5 * (d / (abs(d) + 900.0))), 20.0 * T + 140.0 * (1.0 + season)
        return smoothstep((0.6 * arid - rain) * (1.0 / 160.0))

    def supply(self, x, y, field, relief, height):
        """Supply of sand at points, without rivers and lakes."""
        over = height - self.sea
        share = clamp(1.6 * self.sand - 0.55 + field, 0.0, 1.0) * (1.0 - smoothstep((relief - 0.12) * 2.5))
        share = share * smoothstep((over - 4.0) * (1.0 / 12.0))
        dry = [self.aridity(u, v, o) if s > 0.0 else np.float32(0.0) for u, v, o, s in zip(x, y, over, share)]
        return np.where(share > 0.0, share * np.array(dry, np.float32), 0.0)

    def left(self, X, Y, height):
        """Share of the sand that rivers and lakes leave at one place."""
        p = self.survey(X, Y)[0]
        cx, cy = X[0] >> 16, Y[0] >> 16
        counts = (abs(p.cx - cx) <= 6) & (abs(p.cy - cy) <= 6) & ((p.area + p.darea > 150.0) | is_lake(p.lake))
        if not counts.any():
            return np.float32(1.0)
        p = SimpleNamespace(**{k: f[counts] for k, f in vars(p).items()})
        t, q = self.feet(X, Y, p)[1:]
        away, area = np.sqrt(q), fma(t, p.darea, p.area)
        side = smoothstep((away - 40.0 - fma(t, p.dhalf, p.half)) * (1.0 / 440.0))
        river = smoothstep((area - 150.0) * (1.0 / 450.0)) * (1.0 - side)
        high = smoothstep((height - p.lake - 2.0) * (1.0 / 6.0))
        lake = (1.0 - high) * (1.0 - smoothstep((away - 256.0) * (2.0 / 256.0)))
        return (1.0 - most(river, np.where(is_lake(p.lake), lake, 0.0))).min()

    @remembered
    def sand_of(self, x, y):
        """shift, stretch, supply, sheet, turning and left at points of the ground."""
        X, Y = self.place(x, y, *self.warp(x, y)[:2])
        v = self.province_between(X, Y)
        height, _, above = self.ground(x, y)[:3]
        (bend, field, turning), gx, gy = self.sand_fields(4, x, y)
        supply = self.supply(x, y, field, v.relief, height)
        left = [self.left(X[n : n + 1], Y[n : n + 1], height[n]) if supply[n] > 0.0 else 1.0 for n in range(x.size)]
        deep = most(16.0 - most(above, 0.0), 0.0)
        stretch = length(number(self.wx) * (1.0 / 64.0) + gx, number(self.wy) * (1.0 / 64.0) + gy)
        sheet = 2.0 * smoothstep(3.0 * supply) + supply * (deep * deep * (1.0 / 32.0))
        return bend, stretch, supply, sheet, clamp(0.45 + turning, 0.0, 1.0), np.array(left, np.float32)

    def row_of_dunes(self, k, knot, row, a, along, size, cover, stretch):
        """Height and openness of the dune of one row at one place."""
        spacing = number(1 << SHIFTS[k]) * (1.0 / 64.0)
        words = [self.words(342 + k, knot - 1 + n, row) for n in range(3)]
        p, h = [[sym(w, c) for w in words] for c in (0, 1)]
        b = 1.0 - a
        w0, w2 = 0.5 * b * b, 0.5 * a * a
        w1 = 1.0 - w0 - w2
        (place, place_slope), (rough, rough_slope) = [
            (fma(w2, f[2], fma(w1, f[1], w0 * f[0])), fma(a, f[2] - f[1], b * (f[1] - f[0]))) for f in (p, h)
        ]
        if k == RIDGES:
            t = clamp(fma(0.5, rough, 0.7 * cover), 0.0, 1.0)
            lean, brink = 0.25 * place_slope, size * (t * (2.0 - t))
            inverse = 1.0 / np.sqrt(fma(lean, lean, 1.0))
            away = abs((along - 0.25 * place) * spacing * inverse / stretch)
            side = most(1.0 - away / most(5.0 * brink, 1.0), 0.0)
            height = brink * side * (0.3 + side * (0.2 + 0.5 * side))
            past = (away - 0.4 * brink) / (2.0 * brink + 1.0)
        else:
            t = clamp(fma(1.1, rough, 0.6 * cover), 0.0, 1.0)
            share, slip = t * (2.0 - t), np.float32(0.5) if k == 0 else np.float32(1.0)
            rise = 2.2 * rough_slope * (1.0 - t)
            crest, lean = fma(0.2, place, 0.42 * (1.0 - share)), fma(0.2, place_slope, -0.42 * rise)
            brink, inverse = size * share, 1.0 / np.sqrt(fma(lean, lean, 1.0))
            away = (along - crest) * spacing * inverse / stretch
            climb = size * rise * inverse / spacing
            fall = away * np.sqrt(most(0.64940759 * 0.64940759 - climb * climb, 0.1))
            side = clamp(1.0 + away / most(7.0 * brink, 1.0), 0.0, 1.0)
            lee = most(most(brink - fall, brink * (1.0 - slip) - 0.2 * away), 0.0)
            height = least(brink * side * side * (3.0 - 2.0 * side), lee)
            past = most(-away / (1.5 * brink + 1.0), (fall - 1.4 * slip * brink) / (0.7 * brink + 1.0))
            near = most(1.0 - abs(away) * (1.0 / 4.0), 0.0)
            height = height - least(0.64940759, 0.4 * brink) * near * near
        high = least(brink * (100.0 / spacing), 1.0)
        return height, 1.0 - high * high * (1.0 - smoothstep(past))

    def dunes(self, k, u, v, size, cover, stretch):
        h = SHIFTS[k]
        half, mask, scale = 1 << h - 1, (1 << h) - 1, np.float32(2.0) ** np.float32(-h)
        along, a = number(u - half & mask) * scale, number(v + half & mask) * scale
        found = [
            self.row_of_dunes(k, v + half >> h, (u - half >> h) + n, a, along - number(n), size, cover, stretch)
            for n in (0, 1)
        ]
        return most(most(0.0, found[0][0]), found[1][0]), least(least(1.0, found[0][1]), found[1][1])

    @remembered
    def coarse_sand(self, x, y):
        """Height of the sand at points of spacing 4 m."""
        shift, stretch, supply, sheet, turning, left = self.linear(self.sand_of, x, y, 32)
        value = np.zeros(x.shape, np.float32)
        for n in np.flatnonzero(supply > 0.0):
            u = self.wx * int(x[n]) + self.wy * int(y[n]) + int(np.rint(shift[n] * 64.0))
            v = self.wx * int(y[n]) - self.wy * int(x[n])
            value[n] = self.sand_height(u, v, stretch[n], supply[n], sheet[n], turning[n], left[n])
        return [value]

    def sand_height(self, u, v, stretch, supply, sheet, turning, left):
        ridges = smoothstep((turning - 0.4) * 8.0)
        across = most(1.0 - ridges, smoothstep((turning - 0.7) * 8.0))
        none = np.float32(0.0), np.float32(1.0)
        wide = self.dunes(0, u, v, 100.0 * across, 2.4 * supply - 1.5, stretch) if across > 0.0 else none
        ridge = self.dunes(RIDGES, v, u, 70.0 * ridges, 3.2 * supply - 1.0, self.wind_length) if ridges > 0.0 else none
        middle = self.dunes(1, u, v, 30.0 * (1.0 - 0.7 * ridges), 2.6 * supply - 0.75, stretch)
        small = self.dunes(2, u, v, np.float32(8.5), 2.4 * supply - 0.4, stretch)
        free = least(wide[1], ridge[1])
        large = most(wide[0], ridge[0]) + middle[0] * free
        return smoothstep(supply * 6.0) * left * (large + small[0] * free * middle[1] + sheet)

    def sand_of_point(self, x, y):
        def at(s):
            def values(u, v):
                u, v = np.broadcast_arrays(u, v)
                flat = u.ravel(), v.ravel()
                found = self.coarse_sand(*flat)[0] if s == 4 else self.halved(at(2 * s), *flat, s)[0]
                return [np.asarray(found, np.float32).reshape(u.shape)]

            return values

        x, y = np.array([x], np.int64), np.array([y], np.int64)
        return most(at(1)(x, y)[0][0], 0.0)

    def lay(self, x, y, layers):
        """The layers of a point with sand."""
        sand = self.sand_of_point(x, y)
        h = layers[0] + sand
        water = layers[1] if layers[1] > h else np.float32(np.nan)
        return (h, water) + layers[2:10] + (h, layers[11], sand)

    def lay_mean(self, d, x, y, layers):
        """The layers of a sample of an overview with sand."""
        if d > 15 or layers[1] > layers[0]:
            return layers
        at = np.array([x], np.int64), np.array([y], np.int64)
        field = self.sand_fields(min(18 - d, 4), *at)[0][1]
        supply = self.supply(*at, field, layers[4] * self.spacing, np.array([layers[0]]))[0]
        mean = supply * (7.0 + supply * 35.0)
        return (layers[0] + mean,) + layers[1:10] + (layers[10] + mean, layers[11], mean)
