"""glaciers.py - glaciers: the altitude where more snow falls than melts, and the surface of the ice."""

import numpy as np

from world_format_3.drought import rainfall
from world_format_3.ground import GROUND
from world_format_3.numbers import binary32, clamp, fma, least, most, number, smoothstep
from world_format_3.remembered import remembered


@binary32
def catmull_rom(a):
    t = 1.0 - a
    return (
        -0.5 * a * t * t,
        fma(a * a, fma(1.5, a, -2.5), 1.0),
        fma(t * t, fma(1.5, t, -2.5), 1.0),
        -0.5 * t * a * a,
    )


@binary32
def thickness(area, over, steep):
    """Thickness of the ice over a channel that lies `over` above the equilibrium line."""
    root = np.sqrt(np.sqrt(np.sqrt(most(area, 1.0))))
    power = (root * root) * root
    flat, sheet = 18.0 / most(steep, 0.03), 50.0 + 1000.0 * steep
    thick = power * (40.0 * flat / (40.0 + flat)) * (1.0 + clamp(over * (1.0 / 800.0), 0.0, 1.0))
    return least(least(thick, sheet), 320.0)


@binary32
class Glaciers:
    """The glaciers of a world. set_glaciers() sets their parameter, and freeze() adds ice to the layers of a point."""

    def set_glaciers(self, glaciers):
        self.glaciers = np.float32(glaciers)

    def equilibrium(self, x, y, over):
        """Height above the sea of the equilibrium line, for land at the height `over` above the sea."""
        mean, span, summer, winter, land = self.climate_of(x, y)
        rain, raised = rainfall(summer + winter, over, land), 1000.0 * (1.0 - self.glaciers)
        warm = (np.sqrt(fma(36.0, rain, 64396.0)) - 296.0) * (1.0 / 18.0)
        return (fma(0.45, span, mean) - warm) * (1.0 / 0.0065) + raised

    @remembered
    def ice_of(self, x, y):
        """Height of the ice at points of spacing 32 m or more."""
        X, Y = self.place(x, y, *self.warp(x, y)[:2])
        v, height = self.province_between(X, Y), self.ground(x, y)[GROUND.index("height")]
        line = self.equilibrium(x, y, most(height - self.sea, 0.0)) + self.sea
        ice = height - 100.0
        which = np.flatnonzero(~(height < line - 600.0 - 150.0))
        if which.size:
            more = height[which], line[which]
            ice[which] = self.over_pieces(self.ice_of_cell, 1, X[which], Y[which], v, which, *more)[0]
        return [ice]

    def ice_of_cell(self, X, Y, v, p, height, line):
        p, side = self.sides(X, Y, v, p)
        steep = v.slope * (1.0 / 2.0)
        total, weight = np.zeros(X.shape, np.float32), np.zeros(X.shape, np.float32)
        for n in range(side.s.shape[1]):
            z, area = side.z[:, n], side.area[:, n]
            q = 1.0 - most(side.s[:, n] - height, 0.0) * (1.0 / 120.0)
            over = z - line
            tongue = least(60.0 * np.sqrt(np.sqrt(area) * 3.0), 600.0) * smoothstep((v.relief - 0.2) * (1.0 / 0.8))
            full = clamp((over + tongue) * (1.0 / 150.0), -1.0, 1.0)
            surface = z + full * thickness(area, over, steep)
            counts = side.counts[:, n] & (q > 0.0)
            total = np.where(counts, fma(q * q, surface, total), total)
            weight = np.where(counts, fma(q, q, weight), weight)
        bare = height - 100.0
        return [most(np.where(weight > 0.0, total / weight, bare), bare)]

    def ice_at(self, x, y):
        """Height of the ice at one point."""
        a, b = [catmull_rom(number(k % 32) * (1.0 / 32.0)) for k in (x, y)]
        at = np.arange(-1, 3) * 32
        f = self.ice_of((x // 32 * 32 + at)[None, :], (y // 32 * 32 + at)[:, None])[0]
        columns = fma(b[3], f[3], fma(b[2], f[2], fma(b[1], f[1], b[0] * f[0])))
        return fma(a[3], columns[3], fma(a[2], columns[2], fma(a[1], columns[1], a[0] * columns[0])))

    def freeze(self, x, y, layers):
        """The layers of a point with glaciers."""
        is_coarse = x % 32 == 0 and y % 32 == 0
        ice = self.ice_of(np.array([x]), np.array([y]))[0][0] if is_coarse else self.ice_at(x, y)
        h = most(layers[0], ice)
        water = layers[1] if layers[1] > h else np.float32(np.nan)
        return (h, water) + layers[2:10] + (h, most(ice - layers[0], 0.0)) + layers[12:]

    def freeze_mean(self, d, x, y, layers):
        """The layers of a sample of an overview with glaciers."""
        h, at = layers[0], (np.array([x], np.int64), np.array([y], np.int64))
        if d > 15 or layers[1] > h:
            return layers
        line = self.equilibrium(*at, h - self.sea)[0] + self.sea
        ice = 30.0 * smoothstep((h - line + 350.0) * (1.0 / 700.0))
        h = h + ice
        return (h,) + layers[1:10] + (most(layers[10], h), ice) + layers[12:]
