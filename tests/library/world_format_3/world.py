"""world.py - heights, water and all layers of a sample of any level of detail."""

import math
from types import SimpleNamespace

import numpy as np

from world_format_3.cells import NO_LAKE, is_lake
from world_format_3.climate import Climate
from world_format_3.drought import Drought
from world_format_3.fine import Fine
from world_format_3.glaciers import Glaciers
from world_format_3.gullies import Gullies
from world_format_3.numbers import binary32, fma, least, most, smoothstep
from world_format_3.remembered import remembered
from world_format_3.sand import Sand
from world_format_3.slopes import BROOK, bed_depth, rim


@binary32
class World(Gullies, Climate, Fine, Drought, Glaciers, Sand):
    """A world. sample() computes the layers of one sample."""

    def __init__(self, seed, land, relief, uplift, hills, plateau, ice, dryness, continents, sea, spacing):
        self.key = (seed & 0xFFFFFFFF, seed >> 32)
        self.land, self.relief, self.uplift, self.hills = map(np.float32, (land, relief, uplift, hills))
        self.plateau, self.ice, self.dryness = map(np.float32, (plateau, ice, dryness))
        self.continents, self.sea, self.spacing = map(np.float32, (continents, sea, spacing))
        self.known, self.surveys = {}, []
        self.set_climate(0, 1, 8000)
        self.set_drought(0)
        self.set_glaciers(0)
        self.set_sand(0, 60)

    @remembered
    def height(self, x, y):
        """Heights before rivers, shores and beaches."""
        value = np.empty(x.shape, np.float32)
        for s in (16, 8, 4, 2, 1):
            has_point = (x % s == 0) & (y % s == 0)
            which = np.flatnonzero(has_point & ((s == 16) | (x % (2 * s) != 0) | (y % (2 * s) != 0)))
            if which.size:
                value[which] = (self.height_16 if s == 16 else self.new_height)(s, x[which], y[which])
        return [value]

    def height_16(self, s, x, y):
        z = self.halved(lambda u, v: [self.ground(u, v)[0]], x, y, 16)[0]
        lake, kept = self.around(x, y, "lake").min(0), self.kept(x, y)
        z = np.where(is_lake(lake), most(z, self.around(x, y, "height").min(0)), z)
        return z + np.where(is_lake(lake), kept * smoothstep((z - lake) * (1.0 / 8.0)), kept)

    def new_height(self, s, x, y):
        m = self.halved(self.height, x, y, s)[0]
        corners = self.square(s, x, y)
        nw = corners[0][0], corners[1][0]
        around = self.height(*corners)[0]
        d = self.displaced(s, x, y, around, self.ground_at(*nw, "rough")[0])
        lake = self.around(*nw, "lake").min(0)
        held = most(m + d * smoothstep((m - lake) * (1.0 / 8.0)), around.min(0))
        return np.where(is_lake(lake), held, m + d)

    def river(self, x, y, X, Y):
        """The nearest river at one sample; if there is none, gap is 1e30."""
        reaches = self.survey(X, Y)[1]
        near = (abs(reaches.cx - (X >> 16)) <= 3) & (abs(reaches.cy - (Y >> 16)) <= 3)
        near &= reaches.area + reaches.darea > BROOK
        p = SimpleNamespace(**{k: f[near] for k, f in vars(reaches).items()})
        r = SimpleNamespace(gap=np.float32(1e30), extent=np.float32(0.0), bank=NO_LAKE)
        along, t, q = [f[0] for f in self.feet(X, Y, p)]
        w = fma(t, p.dwidth, p.width)
        gap, extent = 2.0 * np.sqrt(q) - w, least(12.0 + 6.0 * w, 36.0)
        a, under = fma(t, p.darea, p.area), fma(t, p.dfall, p.fall)
        over, counts = rim(a), np.flatnonzero(gap < extent)
        if counts.size == 0:
            return r
        broad, back = least(extent * (1.0 / 3.0), 8.0), most(along, 0.0) - 4.0 * np.sqrt(p.inv)
        low = 1.0 - least(most(gap, 0.0) / broad, 1.0)
        crown = most(fma(back, p.dz, p.z) + over - under * low, p.lake) + 0.02
        bank = np.where(a >= 1.8 * BROOK, crown - 0.6 * most(gap - broad, 0.0), NO_LAKE)
        n = counts[np.argmin(gap[counts])]
        r = SimpleNamespace(
            gap=gap[n],
            extent=extent[n],
            width=w[n],
            fall=under[n],
            lake=p.lake[n],
            off=q[n] * (2.0 * 2.0),
            area=a[n] * 262144.0,
            wet=a[n] >= 2.0 * BROOK,
            bank=bank[counts].max(),
        )
        r.z = most(fma(t, p.dz, p.z) + over, p.lake)[n]
        above = self.ground_at(x, y, "height")[0][0] + 2.0
        r.z = most(least(r.z, above), r.lake)
        r.bank = least(r.bank, most(above, r.z) + 8.0)
        return r

    def beach(self, a):
        d = a - self.sea
        return d * (0.75 * d * d / (d * d + 36.0) + 0.25) + self.sea

    def water(self, h, lake, r):
        """Height and level of water of one sample."""
        drowned = h < lake
        level, close = lake if drowned else NO_LAKE, r.gap < r.extent
        if close:
            k = most(r.gap, 0.0)
            bevel = most(fma(k, fma(k, 0.03, 0.2 + 0.5 / (1.0 + r.width)), r.z), lake)
            soften = 3.0 * least(k * (1.0 / 6.0), 1.0) * least((r.extent - r.gap) * 4.0 / r.extent, 1.0)
            t = most(1.0 - abs(h - bevel) / soften, 0.0) if soften > 0.0 else 0.0
            h = least(h, bevel) - 0.25 * soften * t * t
        rim = False
        if r.gap < 0.0:
            bed = r.z - bed_depth(r.width) * (1.0 - r.off / (r.width * r.width))
            h = least(h, bed)
            if r.wet:
                level = most(level, r.lake if drowned else most(r.z - r.fall, r.lake))
            rim = not drowned and bed >= level
        if close and (h >= level - 0.01 or rim):
            h = most(h, most(r.bank, lake))
        h = self.beach(h)
        if is_lake(level):
            level = self.beach(level)
        return h, most(level, self.sea) if h < self.sea else level

    def point(self, x, y):
        """The layers of one point, a sample of levels of detail 0 to 8."""
        x, y = np.array([x], np.int64), np.array([y], np.int64)
        X, Y = self.place(x, y, *self.warp_at(x, y))
        v, r = self.province_between(X, Y), self.river(x, y, X, Y)
        h, level = self.water(self.height(x, y)[0][0], self.around(x, y, "lake").min(0)[0], r)
        distance, area = [f[0] for f in self.ground_at(x, y, "distance", "area")]
        is_bed = r.gap < 0.0
        layers = (
            h,
            level if level > h else np.float32(math.nan),
            (r.area if is_bed else area) * (self.spacing * self.spacing),
            (np.sqrt(r.off) if is_bed else distance) * self.spacing,
            v.relief[0] / self.spacing,
            v.flat[0],
            ((1.0 - v.upper) * (1.0 / 0.93))[0],
            v.ice[0],
            v.dry[0],
            self.land_at(h),
            h,
            np.float32(0.0),
            np.float32(0.0),
        )
        return self.covered(int(x[0]), int(y[0]), layers)

    def covered(self, x, y, layers):
        """The layers of a point with drought, glaciers and sand."""
        if self.drought > 0.0:
            layers = self.dried(x, y, layers)
        if self.glaciers > 0.0:
            layers = self.freeze(x, y, layers)
        layers = layers[:9] + (self.land_at(layers[0]),) + layers[10:]
        return self.lay(x, y, layers) if self.sand > 0.0 else layers

    def covered_mean(self, d, x, y, layers):
        """The layers of a sample of an overview with drought, glaciers and sand."""
        if self.drought > 0.0:
            layers = self.dried_mean(d, x, y, layers)
        if self.glaciers > 0.0:
            layers = self.freeze_mean(d, x, y, layers)
        return self.lay_mean(d, x, y, layers) if self.sand > 0.0 else layers

    def mean_of_points(self, x, y):
        """The layers of one sample of level of detail 9, from its own point and the four points around."""
        around = [self.point(x + 512 * a, y + 512 * b) for a, b in ((0, 0), (0, -1), (-1, 0), (1, 0), (0, 1))]

        def mean(layer):
            own, north, west, east, south = [values[layer] for values in around]
            return 0.7 * own + 0.075 * ((north + west) + (east + south))

        water = around[0][1]
        h = most(mean(0), self.sea) if np.isnan(water) else least(mean(0), water - 0.01)
        top = max([values[0] for values in around] + [h])
        return (h,) + around[0][1:9] + (mean(9), top) + around[0][11:]

    def sample(self, lod, x, y):
        """All layers of one sample."""
        if lod < 0:
            return self.fine_sample(-lod, int(x * 2**-lod), int(y * 2**-lod))
        if lod > 9:
            layers = self.covered_mean(lod, x, y, self.overview(lod, x, y))
        else:
            layers = self.point(x, y) if lod < 9 else self.mean_of_points(x, y)
        assert all(value.dtype == np.float32 for value in layers)
        return layers
