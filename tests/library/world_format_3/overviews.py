"""overviews.py - samples of levels of detail 10 to 24, which are computed from nodes of the network."""

import math
from types import SimpleNamespace

import numpy as np

from world_format_3.cells import DX, DY, FIVE, NO_LAKE, SINK, Window, is_lake
from world_format_3.nodes import Nodes
from world_format_3.numbers import binary32, clamp, fma, least, most, number
from world_format_3.slopes import hillslope

MEANS = "LAND BED SHARE LAKE LEVEL TOP z relief flat plateau ice dry".split()


@binary32
class Overviews(Nodes):
    """The overviews of a world. overview() computes the layers of one sample."""

    A = np.array((0.95, 1.01, 1.02, 1.04, 1.07, 0.99, 0.91, 0.69, 0.3), np.float32)
    B = np.array((2.6, 2.6, 2.6, 2.6, 2.5, 1.9, 1.23, 0.52, 0.17), np.float32)
    C = np.array((0.07, 0.1, 0.075, 0.055, 0.05, 0.045, 0.072, 0.067, 0.1), np.float32)
    E = np.array((1.22, 1.14, 0.88, 0.7, 0.46, 0.32, 0.124, -0.073, 0.0), np.float32)
    R = np.array((0.25, 0.15, 0.065, 0.12, 0.16, 0.37, 0.33, 0.13, 0.0), np.float32)
    SPREAD = np.array((0.0, 175.0, 297.0, 487.0), np.float32)

    def place_of_overview(self, d, x, y):
        """The place of a sample in the plane of the network. Octaves of the warp that are too fine for the sample's
        level are left out."""
        shifts = self.broad_warp(max(0, min(11, 19 - d)), x, y)
        return [int(Z[0]) for Z in self.place(x, y, *shifts)]

    def nodes_around(self, n, cx, cy):
        """The nodes of the 7 x 7 cells around a cell of level n, and their provinces. Below level 0 a cell's node is
        its middle."""
        if n >= 0:
            N = self.nodes(n, cx - 3, cy - 3, cx + 3, cy + 3)
            return N, self.province_at(n, *N.cells(), N.x, N.y)
        middle = np.full((7, 7), np.float32(0.5))
        N = Window(x0=cx - 3, y0=cy - 3, x=middle, y=middle, half=np.zeros_like(middle))
        N.area, N.to, N.lake = np.zeros((7, 7), int), np.full((7, 7), SINK), np.full((7, 7), NO_LAKE)
        X, Y = np.broadcast_arrays(*[(2 * c + 1) << 23 - n for c in N.cells()])
        v = self.province(X, Y, max(n + 4, 0))
        N.z = v.height
        return N, v

    def rises(self, n, N, v):
        """How far the mean of the surroundings lies above each node."""
        k = max(n, 0)
        L, around, inflows, floor = number(65536 >> k), np.zeros_like(N.z), np.zeros(N.z.shape, int), np.float32(0.0)
        if n >= 0:
            for d in range(8):
                o = N.at(DX[d], DY[d])
                around = around + most(o.z - N.z, 0.0)
                inflows = inflows + (o.to == (d + 4) % 8)
            around, floor = 0.125 * around, least(N.half / L, 1.0)
        side = hillslope(v.relief, v.cap, v.round, k) * L
        rise = (v.slope * 256.0) * (self.A[k] - self.B[k] * floor)
        rise = rise + side * (self.E[k] - self.C[k] * number(inflows)) - self.R[k] * around
        return most(rise, 0.0)

    def summary(self, n, N, v, spread=None):
        """The summary of each node. Those of nodes at the border of the window have no meaning."""
        rise = self.rises(n, N, v)
        spread = self.SPREAD[min(max(-n, 0), 3)] if spread is None else np.float32(spread)
        room = most(v.top - N.z, 0.0)
        below = np.where(room < 2.0 * rise, room - room * room / (4.0 * rise), rise)
        up = below * (1.0 - 0.3 * (1.0 - v.upper)) + v.upper * (rise - below)
        middle, low = (N.z - self.sea) + up, (N.z - self.sea) - spread
        high = (N.z - self.sea) + 2.0 * up + spread
        wide = most(high - low, 1.0)
        over, under = clamp(high, 0.0, wide), clamp(-low, 0.0, wide)
        lies_in_lake = is_lake(N.lake) & (N.lake > N.z) & (N.lake > self.sea)
        s = SimpleNamespace(z=N.z, relief=v.relief, flat=v.flat, ice=v.ice, dry=v.dry)
        s.plateau = (1.0 - v.upper) * (1.0 / 0.93)
        s.SHARE = clamp(high / wide, 0.0, 1.0)
        s.LAND = np.where(low >= 0.0, middle, 0.5 * over * over / wide)
        s.BED = np.where(high <= 0.0, middle, np.where(low >= 0.0, 0.0, -0.5 * under * under / wide))
        s.LAKE = np.where(lies_in_lake, clamp((N.lake - N.z) / most(2.0 * up, 1.0), 0.0, 1.0), 0.0)
        s.LEVEL = np.where(lies_in_lake, s.LAKE * N.lake, 0.0)
        s.TOP = N.z + 2.0 * up
        return s

    def sums(self, N, s, fx, fy):
        """The means of the summaries of the 5 x 5 nodes around a sample, the sample's share of land, and the tilt."""
        S, W, z0 = np.zeros(len(MEANS), np.float32), np.float32(0.0), N.z[3, 3]
        Mx = My = Mxx = Mxy = Myy = Mxz = Myz = np.float32(0.0)
        fields = np.stack([getattr(s, name) for name in MEANS])
        assert fields.dtype == np.float32
        for a, b in FIVE:
            at = 3 + b, 3 + a
            dx, dy = number(a) + (N.x[at] - fx), number(b) + (N.y[at] - fy)
            e = most(1.0 - 0.25 * (dx * dx + dy * dy), 0.0)
            w = e * e
            W, S = W + w, fma(w, fields[(slice(None),) + at], S)
            wx, wy, h = w * dx, w * dy, N.z[at] - z0
            Mx, My = Mx + wx, My + wy
            Mxx, Mxy, Myy = fma(wx, dx, Mxx), fma(wx, dy, Mxy), fma(wy, dy, Myy)
            Mxz, Myz = fma(wx, h, Mxz), fma(wy, h, Myz)
        inv = 1.0 / W
        mean = SimpleNamespace(**dict(zip(MEANS, S * inv)))
        x, y, z = Mx * inv, My * inv, mean.z - z0
        xx, xy, yy = Mxx * inv - x * x, Mxy * inv - x * y, Myy * inv - y * y
        xz, yz = Mxz * inv - x * z, Myz * inv - y * z
        part = 1.0 / (xx * yy - xy * xy)
        tilt = -(((xz * yy - yz * xy) * part) * x + ((yz * xx - xz * xy) * part) * y)
        return mean, S[MEANS.index("SHARE")] / W, tilt

    def river_of_overview(self, N, fx, fy):
        """The area that a sample's river drains, and the square of the river's distance from the sample, in cells."""
        T, best, nearest = N.at(DX[N.to], DY[N.to]), None, None
        for a, b in FIVE:
            at = 3 + b, 3 + a
            dx, dy = number(a) + (N.x[at] - fx), number(b) + (N.y[at] - fy)
            vx = number(DX[N.to[at]]) + (T.x[at] - N.x[at])
            vy = number(DY[N.to[at]]) + (T.y[at] - N.y[at])
            square = vx * vx + vy * vy
            along = clamp(-(dx * vx + dy * vy) / square, 0.0, 1.0) if square > 0.0 else np.float32(0.0)
            ax, ay = fma(along, vx, dx), fma(along, vy, dy)
            dist = fma(ax, ax, ay * ay)
            is_candidate = dist < 1.0 and fma(along, T.z[at] - N.z[at], N.z[at]) > self.sea
            if is_candidate and (best is None or N.area[at] > best[0]):
                best = N.area[at], dist
            if nearest is None or dist < nearest[1]:
                nearest = N.area[at], dist
        return best or nearest

    def overview(self, d, x, y):
        """The layers of one sample of level of detail d."""
        n = 18 - d
        X, Y = self.place_of_overview(d, np.array([x], np.int64), np.array([y], np.int64))
        cx, cy = X >> 24 - n, Y >> 24 - n
        fx, fy = [number(Z & (1 << 24 - n) - 1) * (np.float32(2.0) ** np.float32(n - 24)) for Z in (X, Y)]
        N, v = self.nodes_around(n, cx, cy)
        mean, share, tilt = self.sums(N, self.summary(n, N, v), fx, fy)
        land, bed = mean.LAND + tilt * share, mean.BED + tilt * (1.0 - share)
        h = clamp(4.0 * share - 2.0, 0.0, 1.0) * land + clamp(2.0 - 4.0 * share, 0.0, 1.0) * bed + self.sea
        level = np.float32(math.nan)
        if share < 0.5:
            h, level = least(h, self.sea - 0.01), self.sea
        elif mean.LAKE > 0.5:
            level = mean.LEVEL / mean.LAKE
            h = least(h, level - 1.0)
        flow, shore = np.float32(0.0), number(65536 << -n) * 2.0 if n < 0 else None
        if n >= 0:
            area, dist = self.river_of_overview(N, fx, fy)
            flow, shore = number(area) * 262144.0, np.sqrt(dist) * number(65536 >> n) * 2.0
        return (
            h,
            level,
            flow * (self.spacing * self.spacing),
            shore * self.spacing,
            mean.relief / self.spacing,
            mean.flat,
            mean.plateau,
            mean.ice,
            mean.dry,
            share,
            most(mean.TOP + tilt, h),
            np.float32(0.0),
            np.float32(0.0),
        )
