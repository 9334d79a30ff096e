"""channels.py - channels between the nodes of level 8, their courses, and the pieces and beds of the courses."""

from types import SimpleNamespace

import numpy as np

from world_format_3.cells import AROUND, BARE, DX, DY, FIVE, SINK, direction, is_lake
from world_format_3.nodes import Nodes
from world_format_3.numbers import binary32, clamp, fma, frac, integer, least, length, most, number, smoothstep, sym
from world_format_3.slopes import BROOK, RIVER, bed_width, rim, rise, valley, water_drop

END = "x y z slope half wander broad".split()


def exact(x):
    return np.rint(x * np.float32(256.0)) * np.float32(1.0 / 256.0)


@binary32
class Channels(Nodes):
    """The channels of a world."""

    def channels(self, N):
        """Add the channel of every node of level 8, and the node's smoothed place, to the fields of the window N."""
        cx, cy = N.cells()
        N.channel = N.kind != BARE
        N.main, greatest = np.full(N.z.shape, SINK), np.full(N.z.shape, np.float32(-1.0))
        for d in range(8):
            o = N.at(DX[d], DY[d])
            is_greatest = o.channel & (o.to == (d + 4) % 8) & (o.area > greatest)
            N.main, greatest = np.where(is_greatest, d, N.main), np.where(is_greatest, o.area, greatest)
        words, v = self.words(287, cx, cy), self.province_at(8, cx, cy, N.x, N.y)
        N.top, N.upper = v.top, v.upper
        N.floor = least(N.half, 150.0) * (0.4 + 0.6 * frac(words, 0))
        N.broad = 0.75 + 0.6 * frac(words, 1)
        N.roam = 2.2 * least(0.6 * least(N.half, 150.0) + 8.0, 64.0) * smoothstep(N.area * (1.0 / 2.0) - 1.0)
        N.wander = N.roam
        for a, b in AROUND:
            N.wander = most(N.wander, N.at(a, b).roam)
        self.smooth_places(N)
        N.steep, N.inflow = v.slope * (1.0 + 0.4 * sym(words, 2)), np.zeros_like(N.z)
        N.sill, room = np.zeros(N.z.shape, bool), np.full(N.z.shape, np.float32(1e30))
        lake_below = room
        for a, b in FIVE:
            o = N.at(a, b)
            dist = most(length(o.sx - N.sx + number(256 * a), o.sy - N.sy + number(256 * b)), 64.0)
            higher = o.z - N.z
            steep = most(N.steep, least(1.05 * higher / valley(dist, N.floor), 1.4))
            N.steep = np.where(o.channel & (higher > 0.0), steep, N.steep)
            steep = most(N.steep, least((N.lake + 2.0 - N.z) / valley(0.45 * dist, N.floor), 3.0))
            N.steep = np.where(o.channel & is_lake(N.lake) & (o.lake != N.lake) & (o.z < N.lake + 4.0), steep, N.steep)
            if max(abs(a), abs(b)) != 1:
                continue
            comes = o.channel & (o.to == direction(-a, -b))
            N.inflow = np.where(comes, most(N.inflow, higher / dist), N.inflow)
            N.sill |= comes & is_lake(o.lake) & ~is_lake(N.lake)
            room = np.where(comes & (o.z > o.lake), least(room, higher), room)
            lake_below = np.where(comes & (o.z <= o.lake), least(lake_below, o.lake), lake_below)
        up = most(least(least(lake_below - N.z, 0.0) + water_drop(bed_width(N.area)), room), 0.0)
        N.up = np.where(N.sill, up, 0.0)

    def smooth_places(self, N):
        x0, y0 = N.x * 256.0, N.y * 256.0
        N.sx, N.sy = x0, y0
        ia, ib, oa, ob = DX[N.main], DY[N.main], DX[N.to], DY[N.to]
        moves = (N.main != SINK) & (N.to != SINK)
        move, reach = 0.5 * least(1.0, 0.3 + N.half * (1.0 / 256.0)), 0.35 * 256.0
        for _ in range(4):
            I, O = N.at(ia, ib), N.at(oa, ob)
            x = N.sx + move * (0.5 * ((I.sx + number(256 * ia)) + (O.sx + number(256 * oa))) - N.sx)
            y = N.sy + move * (0.5 * ((I.sy + number(256 * ib)) + (O.sy + number(256 * ob))) - N.sy)
            x, y = clamp(x, x0 - reach, x0 + reach), clamp(y, y0 - reach, y0 + reach)
            N.sx, N.sy = np.where(moves, x, N.sx), np.where(moves, y, N.sy)

    def others(self, N, X, Y):
        lowest = np.full(X.shape, np.float32(1e30))
        for a, b in FIVE:
            if not (a or b):
                continue
            o = N.at(a, b)
            ea, eb = DX[o.to], DY[o.to]
            e = N.at(a + ea, b + eb)
            x, y = X - number(256 * a), Y - number(256 * b)
            vx, vy = e.sx + number(256 * ea) - o.sx, e.sy + number(256 * eb) - o.sy
            s = vx * vx + vy * vy
            along = ((x - o.sx) * vx + (y - o.sy) * vy) * np.where(s > 0.0, 1.0 / s, 0.0)
            t, fell = least(most(along, 0.0), 1.0), most(o.z - e.z, 0.0)
            past = most(-along, 0.0) * (1.3 * most(fell, o.inflow * np.sqrt(s))) + most(along - 1.0, 0.0) * (0.5 * fell)
            dist = length(x - o.sx - t * vx, y - o.sy - t * vy)
            z, up = o.z + t * (e.z - o.z), o.steep * valley(dist, o.floor + t * (e.floor - o.floor))
            side = z + rise(N, z, up) + past
            lowest = np.where(o.channel, least(lowest, most(side, o.lake)), lowest)
        return lowest

    def courses(self, N):
        """Points g0 to g3 of the course of each cell, points r0 to r7 of its bed, and the nodes Q and R to which the
        cell's node drains first and second."""
        a, b = DX[N.to], DY[N.to]
        Q = N.at(a, b)
        c, d = a + DX[Q.to], b + DY[Q.to]
        R = N.at(c, d)

        def end(o, a, b):
            return SimpleNamespace(
                x=o.sx + number(256 * a),
                y=o.sy + number(256 * b),
                z=o.z + o.up,
                slope=o.steep,
                half=o.floor,
                wander=o.wander,
                broad=o.broad,
            )

        e0, e1, e2 = end(N, 0, 0), end(Q, a, b), end(R, c, d)
        e1.z = np.where(Q.sill, np.where(N.z > N.lake, e1.z, Q.z), e1.z)
        e2.z = np.where(Q.sill, e1.z, e2.z)
        e2.z = np.where((Q.to != SINK) & (Q.z <= Q.lake), R.z, e2.z)
        g = [SimpleNamespace() for _ in range(4)]
        for name in END:
            p, q, r = [getattr(e, name) for e in (e0, e1, e2)]
            first = np.where(N.main < 8, p + 0.3 * (q - p), p)
            g1, g3 = q + 0.3 * (p - q), q + 0.3 * (r - q)
            for point, value in zip(g, (first, g1, 0.25 * (g1 + g3) + 0.5 * q, g3)):
                setattr(point, name, value)
        g[0].z = np.where(N.sill, e0.z, g[0].z)
        is_river = (N.area > RIVER) & (N.lake <= N.z) & (N.to != SINK)
        for i in (1, 2):
            z = least(most(least(g[i].z, self.others(N, g[i].x, g[i].y)), g[3].z), g[i - 1].z)
            g[i].z = np.where(is_river, z, g[i].z)
        r = self.bed(N, g)
        for p in g:
            dx, dy, _ = self.wandering(N, p)
            p.x, p.y = exact(p.x + dx), exact(p.y + dy)
        return g, r, Q, R

    def wandering(self, N, p):
        """The shifts to the east and to the south by which a point wanders with its valley, and the splines of one more
        octave, by which only beds wander."""
        cx, cy = N.cells()
        X, Y = 65536 * cx + integer(np.trunc(p.x * 256.0)), 65536 * cy + integer(np.trunc(p.y * 256.0))
        s = [self.spline(300 + t, 17 - t, X, Y, 2) for t in range(4)]
        dx, dy = [clamp(p.wander * ((s[0][n] + s[1][n]) + s[2][n]), -64.0, 64.0) for n in (0, 1)]
        return np.where(p.wander > 0.0, dx, 0.0), np.where(p.wander > 0.0, dy, 0.0), s[3]

    def bed(self, N, g):
        """Points r0 to r7 of the bed of each course, from its points g0 to g3 before they wander."""

        def between(a, b, share):
            return SimpleNamespace(**{n: getattr(a, n) + share * (getattr(b, n) - getattr(a, n)) for n in END})

        r = [between(g[0], g[1], np.float32(n) * np.float32(1.0 / 3.0)) for n in range(3)]
        for n in (1, 2, 3):
            r.append(SimpleNamespace(**vars(g[n])))
            if n < 3:
                a, b = (g[1], g[3]) if n == 1 else (g[3], g[1])
                r.append(between(a, g[2], 0.5))
                r[-1].x = 0.375 * a.x + 0.75 * g[2].x - 0.125 * b.x
                r[-1].y = 0.375 * a.y + 0.75 * g[2].y - 0.125 * b.y
        words, roam = self.words(329, *N.cells()), []
        vx, vy = g[3].x - g[0].x, g[3].y - g[0].y
        for n, p in enumerate(r):
            dx, dy, s = self.wandering(N, p)
            roam.append((dx, dy))
            reach = np.where(p.wander > 0.0, least(p.wander, 22.0), 0.0)
            p.x, p.y = p.x + reach * s[0], p.y + reach * s[1]
            if 0 < n < 7:
                shift = least(p.wander, 6.0) * sym(words, n) / most(length(vx, vy), 1.0)
                p.x, p.y = p.x - shift * vy, p.y + shift * vx
        follows = (N.lake <= N.z) & (N.to != SINK)
        for n in range(1, 7):
            over = most(r[n].z - self.others(N, r[n].x, r[n].y), 0.0)
            z = least(most(r[n].z - (over + least(over, 4.0)), g[3].z), r[n - 1].z)
            r[n].z = np.where(follows, z, r[n].z)
        for p, (dx, dy) in zip(r, roam):
            p.x, p.y = exact(p.x + dx), exact(p.y + dy)
        return r

    def reaches(self, r, begin, end, lakes):
        """Fields of the seven reaches between the points of the beds. lakes: levels of the lakes of the three pieces"""
        share, rows = np.array([0.0, 0.13, 0.27, 0.4, 0.55, 0.7, 0.85, 1.0], np.float32), []
        for i in range(7):
            p, q, f = r[i], r[i + 1], {}
            for name in ("x", "y", "z"):
                f[name], f["d" + name] = getattr(p, name), getattr(q, name) - getattr(p, name)
            s = f["dx"] * f["dx"] + f["dy"] * f["dy"]
            f["inv"] = np.where(s > 0.0, 1.0 / s, 0.0)
            f["area"], last = begin + share[i] * (end - begin), begin + share[i + 1] * (end - begin)
            f["darea"] = last - f["area"]
            width, last = bed_width(f["area"]), bed_width(last)
            f["width"], f["fall"] = width * p.broad, water_drop(width)
            f["dwidth"], f["dfall"] = last * q.broad - f["width"], water_drop(last) - f["fall"]
            f["lake"] = lakes[0 if i < 3 else 1 if i < 5 else 2]
            rows.append(f)
        return rows

    def make_survey(self, x0, y0, x1, y1):
        """All pieces, and all reaches, of the cells (x0, y0) to (x1, y1), cell by cell: two namespaces with one array
        for each field."""
        N = self.nodes(8, x0 - 10, y0 - 10, x1 + 10, y1 + 10)
        self.channels(N)
        g, r, Q, R = self.courses(N)
        begin = np.where(N.main < 8, N.area, least(N.area, 1.0))
        end = np.where((N.to != SINK) & (Q.main == (N.to + 4) % 8), Q.area, N.area)
        cut = most(water_drop(bed_width(end)) - rim(end), 0.0)
        part, upstream, rows = np.array([0.0, 0.4, 0.7, 1.0], np.float32), N.inflow, []
        for i in range(3):
            p, q, f = g[i], g[i + 1], {}
            for name in ("x", "y", "z", "slope", "half"):
                f[name], f["d" + name] = getattr(p, name), getattr(q, name) - getattr(p, name)
            s = f["dx"] * f["dx"] + f["dy"] * f["dy"]
            f["inv"] = np.where(s > 0.0, 1.0 / s, 0.0)
            steep = np.where(s > 0.0, most(-f["dz"] / np.sqrt(s), 0.0), 0.0)
            f["before"], f["after"] = 1.3 * most(steep, upstream) * np.sqrt(s), 0.5 * steep * np.sqrt(s)
            upstream = most(steep, 0.7 * upstream)
            f["area"], f["darea"] = begin + part[i] * (end - begin), (part[i + 1] - part[i]) * (end - begin)
            lake = most(N.lake, Q.lake)
            f["lake"] = np.where(q.z - cut < R.lake, most(lake, R.lake), lake)
            rows.append(f)
        cx, cy = np.broadcast_arrays(*N.cells())
        inner = N.channel & (cx >= x0) & (cx <= x1) & (cy >= y0) & (cy <= y1)

        def listed(rows, where):
            found = {name: np.stack([row[name] for row in rows], 2)[where].ravel() for name in rows[0]}
            assert all(f.dtype == np.float32 for f in found.values())
            return SimpleNamespace(cx=np.repeat(cx[where], len(rows)), cy=np.repeat(cy[where], len(rows)), **found)

        has_bed = inner & (rows[2]["area"] + rows[2]["darea"] > BROOK)
        beds = self.reaches(r, begin, end, [row["lake"] for row in rows])
        return listed(rows, inner), listed(beds, has_bed)

    def survey(self, X, Y):
        """Pieces and reaches of a window with all cells that are up to 6 cells away from the places."""
        rect = (X.min() >> 16) - 6, (Y.min() >> 16) - 6, (X.max() >> 16) + 6, (Y.max() >> 16) + 6
        for known, found in self.surveys:
            if known[0] <= rect[0] and known[1] <= rect[1] and known[2] >= rect[2] and known[3] >= rect[3]:
                return found
        rect = rect[0] - 4, rect[1] - 4, rect[2] + 4, rect[3] + 4
        self.surveys.append((rect, self.make_survey(*rect)))
        return self.surveys[-1][1]

    def feet(self, X, Y, p):
        """The numbers along, t and q of the document for each place and each piece: arrays with a row for each place
        and a column for each piece."""
        rx = number(X[:, None] - 65536 * p.cx) / 256.0 - p.x
        ry = number(Y[:, None] - 65536 * p.cy) / 256.0 - p.y
        along = (rx * p.dx + ry * p.dy) * p.inv
        t = least(most(along, 0.0), 1.0)
        ax, ay = fma(-t, p.dx, rx), fma(-t, p.dy, ry)
        return along, t, fma(ax, ax, ay * ay)
