"""ground.py - the ground beside the channels at points of spacing 32 m."""

from types import SimpleNamespace

import numpy as np

from world_format_3.cells import NO_LAKE, is_lake
from world_format_3.channels import Channels
from world_format_3.numbers import binary32, clamp, fma, least, most, smoothstep
from world_format_3.remembered import remembered
from world_format_3.slopes import RIVER, rise, valley

GROUND = "height lake above strength alpine rate gain fade distance area rough".split()


@binary32
class Ground(Channels):
    """The ground of a world."""

    @remembered
    def ground(self, x, y):
        east, south, patch = self.warp(x, y)
        X, Y = self.place(x, y, east, south)
        v, every = self.province_between(X, Y), np.arange(x.size)
        values = self.over_pieces(self.ground_of_cell, len(GROUND), X, Y, v, every, patch)
        return self.dried_ground(x, y, values) if self.drought > 0.0 else values

    def over_pieces(self, found, count, X, Y, v, which, *more):
        """The `count` numbers that found(X, Y, v, pieces, *more) gives for places, with the pieces of all cells that
        are up to 6 cells away from them. `which` are the indices of the places in v."""
        pieces, v = self.survey(X, Y)[0], SimpleNamespace(**{k: f[which] for k, f in vars(v).items()})
        cells, values = (Y >> 16) * (1 << 40) + (X >> 16), [np.empty(X.shape, np.float32) for _ in range(count)]
        for cell in np.unique(cells):
            here = np.flatnonzero(cells == cell)
            cx, cy = X[here[0]] >> 16, Y[here[0]] >> 16
            near = np.flatnonzero((abs(pieces.cx - cx) <= 6) & (abs(pieces.cy - cy) <= 6))
            p = SimpleNamespace(**{k: f[near] for k, f in vars(pieces).items()})
            own = SimpleNamespace(**{k: f[here] for k, f in vars(v).items()})
            for value, f in zip(values, found(X[here], Y[here], own, p, *[f[here] for f in more])):
                value[here] = f
        return values

    def sides(self, X, Y, v, p):
        """The pieces that count at any of the places, and their numbers there: arrays with a row for each place and a
        column for each piece. s is the height of the side, ring the same, but nearer to the channel."""
        q = self.feet(X, Y, p)[2]
        keep = (q < 2.8 * 2.8 * 256.0 * 256.0).any(0)
        p = SimpleNamespace(**{k: f[keep] for k, f in vars(p).items()})
        along, t, q = self.feet(X, Y, p)
        column = SimpleNamespace(top=v.top[:, None], upper=v.upper[:, None])
        z, slope, half = fma(t, p.dz, p.z), fma(t, p.dslope, p.slope), fma(t, p.dhalf, p.half)
        past = np.where(along < 0.0, -along * p.before, (along - t) * p.after)

        def side(dist, dd):
            far = most(0.0, dd * (1.0 / (256.0 * 256.0)) - 2.0 * 2.0) * (1.0 / (2.8 * 2.8 - 2.0 * 2.0))
            return z + rise(column, z, slope * valley(dist, half)) + past + 8.0 * 256.0 * far * far

        d, found = most(np.sqrt(q) - 80.0, 0.0), SimpleNamespace(q=q, z=z, slope=slope, area=fma(t, p.darea, p.area))
        found.counts, found.s, found.ring = q < 2.8 * 2.8 * 256.0 * 256.0, side(np.sqrt(q), q), side(d, d * d)
        return p, found

    def ground_of_cell(self, X, Y, v, p, patch):
        p, f = self.sides(X, Y, v, p)
        counts, q, z, slope, s, ring = f.counts, f.q, f.z, f.slope, f.s, f.ring
        blend = least(0.36 * 256.0 * slope, 0.7 * (s - z))
        lowest = np.argmin(np.where(counts, s, np.float32(np.inf)), 1)

        def of_lowest(f):
            return np.take_along_axis(np.broadcast_to(f, s.shape), lowest[:, None], 1)

        low, z0, q0, lake0, area0 = map(of_lowest, (s, z, q, p.lake, f.area))
        drained = np.where((area0 > RIVER) & ~is_lake(lake0), z0, np.float32(1e30))
        over = s - low

        def least_of(values):
            return np.where(counts, values, np.float32(np.inf)).min(1, keepdims=True)

        def raised_to(mask, values):
            return np.where(mask, values, NO_LAKE).max(1, keepdims=True)

        blend0 = least_of(fma(2.0, s, blend)) - 2.0 * low
        high = least_of(fma(12.0, s, s - z)) - 12.0 * low
        r = least(blend0, blend)
        k = 1.0 - over / r
        k = np.where(counts & (over < r), k * k, 0.0)
        total = np.cumsum(k, 1)[:, -1:]
        raised = np.cumsum(np.where(k > 0.0, k * over, 0.0), 1)[:, -1:]
        beyond, is_held = least(ring, s - 80.0 * slope) - p.lake - 1.0, counts & is_lake(p.lake)
        is_inside = (s < p.lake) & (p.lake <= drained)
        held = raised_to(is_held & (beyond < 0.0), p.lake)
        inside = raised_to(is_held & is_inside, p.lake)
        dam = raised_to(is_held & ~is_inside & (beyond < 15.0), least(p.lake, p.lake - 2.0 * beyond))
        crest = np.where(total > 0.0, low + raised / total, low)
        height = np.where(dam > inside, most(crest, dam), crest)
        above = least(high + (height - low), height - held)
        return self.ground_fields(*[f[:, 0] for f in (height, held, above, q0, area0)], v, patch)

    def ground_fields(self, height, lake, above, q0, area0, v, patch):
        plateau, slope_m = (1.0 - v.upper) * (1.0 / 0.93), v.slope * (1.0 / 2.0)
        strength = least(1.6 * slope_m, 1.2) * (1.0 - plateau * smoothstep((height - v.top + 40.0) * (1.0 / 80.0)))
        strength = strength * (0.1 + 0.9 * smoothstep((height - self.sea + 30.0) * (1.0 / 60.0)))
        strength = strength * smoothstep(slope_m * (1.0 / 0.06))
        rate = 1.0 / (2.0 * (1.0 + 1.5 * v.ice) * most(strength, 0.01))
        gain = 0.75 * (1.0 - 0.8 * plateau)
        hillside = 0.8 * most(slope_m, 0.005) * 512.0
        fade = clamp(2.0 * above / hillside - 1.0, -0.1, 1.0)
        pp = clamp(patch, 0.0, 1.0)
        pp = pp * pp
        rough = fma(6.0, pp * pp, 0.3) * (0.3 + 0.7 * smoothstep(most(above, 0.0) / hillside * (1.0 / 0.15)))
        rough = least(rough, 1.4 / most(strength, 0.01))
        return height, lake, above, strength, v.alpine, rate, gain, fade, 2.0 * np.sqrt(q0), area0 * 262144.0, rough

    def ground_at(self, x, y, *names):
        """Fields of the ground, interpolated linearly between the points of spacing 32 m."""
        wanted = [GROUND.index(name) for name in names]
        return self.linear(lambda u, v: [self.ground(u, v)[k] for k in wanted], x, y, 32)

    def around(self, x, y, name):
        """A field of the ground at the four points of spacing 32 m around each point."""
        return self.ground(*self.corners(x, y, 32))[GROUND.index(name)]
