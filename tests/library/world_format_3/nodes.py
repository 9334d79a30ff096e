"""nodes.py - the nodes of the network, level by level."""

from types import SimpleNamespace

import numpy as np

from world_format_3.cells import (
    AROUND,
    BARE,
    CORNER,
    DX,
    DY,
    ENTRY,
    EXIT,
    FIVE,
    FREE,
    NO_LAKE,
    OLD,
    SINK,
    Window,
    children_of,
    direction,
    is_lake,
    look,
    woven,
)
from world_format_3.numbers import binary32, clamp, default, frac, least, length, most, number, rounded, sym
from world_format_3.provinces import Provinces
from world_format_3.slopes import hillslope, profile, rise, root

NODE = "x y z area own half lake to kind".split()


@binary32
class Nodes(Provinces):
    """The nodes of a world. nodes() makes the nodes of any level."""

    def roots(self, x0, y0, x1, y1):
        cx, cy = np.arange(x0, x1 + 1)[None, :], np.arange(y0, y1 + 1)[:, None]
        words = self.words(256, cx, cy)
        x, y = rounded(default(frac(words, 0))), rounded(default(frac(words, 1)))
        v = self.province_at(0, cx, cy, x, y)
        z = v.height * (1.0 + 0.3 * sym(words, 2)) + 25.0 * sym(words, 3)
        N = Window(x0=x0, y0=y0, x=x, y=y, z=z, to=np.full(z.shape, SINK), area=np.full(z.shape, 65536))
        low = z
        for d in range(8):
            there = N.at(DX[d], DY[d]).z
            N.to = np.where(there < low, d, N.to)
            low = least(there, low)
        low = np.full(z.shape, np.float32(1e30))
        for a, b in FIVE:
            o = N.at(a, b)
            comes = (o.to != SINK) & (a + DX[o.to] == 0) & (b + DY[o.to] == 0)
            if a or b:
                low = np.where(comes, low, least(low, o.z))
        N.lake = np.where((N.to == SINK) & (z > 0.0), z + least(60.0, 0.4 * (low - z)), NO_LAKE)
        for _ in range(16):
            area = np.full(z.shape, 65536)
            for d in range(8):
                o = N.at(DX[d], DY[d])
                area = area + np.where(o.to == (d + 4) % 8, o.area, 0)
            N.lake = np.where(N.to == SINK, N.lake, N.at(DX[N.to], DY[N.to]).lake)
            N.area = area
        N.half = v.breadth * root(N.area)
        N.own, N.kind = np.zeros_like(N.area), np.full(z.shape, OLD)
        return N

    def nodes(self, n, x0, y0, x1, y1):
        """Nodes of level n, cells (x0, y0) to (x1, y1)."""
        if n == 0:
            return self.roots(x0 - 19, y0 - 19, x1 + 19, y1 + 19).cropped(x0, y0, x1, y1)
        coarse = self.nodes(n - 1, (x0 >> 1) - 7, (y0 >> 1) - 7, (x1 >> 1) + 7, (y1 >> 1) + 7)
        return self.refined(n, coarse).cropped(x0, y0, x1, y1)

    def refined(self, n, P):
        cx, cy = P.cells()
        v = self.province_at(n - 1, cx, cy, P.x, P.y)
        h, w = P.x.shape
        cells = 2 * P.x0 + np.arange(2 * w)[None, :], 2 * P.y0 + np.arange(2 * h)[:, None]
        words = self.words(256 + n, *cells)
        e = self.edges(n, P, v, default(frac(words, 0)), default(frac(words, 1)))
        N = self.children(n, P, e, words, cells)
        of_child = self.province_at(n, *cells, N.x, N.y)
        is_new = (N.kind == EXIT) | (N.kind == ENTRY)
        N.half = np.where(is_new, most(N.half, of_child.breadth * root(N.area)), N.half)
        N = self.corner_nodes(n, P, e, N)
        return self.free_nodes(n, N, words, of_child)

    def edges(self, n, P, v, default_x, default_y):
        """Steps 1 and 2: the edge of each coarse cell, with a field for each quantity. In cells without an edge the
        values have no meaning."""
        cx, cy = P.cells()
        dx, dy = DX[P.to], DY[P.to]
        Q = P.at(dx, dy)
        e = Window(x0=P.x0, y0=P.y0, x=P.x, dx=dx, dy=dy, L=number(65536 >> n), is_edge=P.to != SINK, P=P, Q=Q)
        e.default_x, e.default_y, e.words = default_x, default_y, self.words(272 + n, cx, cy)
        e.px, e.py, e.qx, e.qy = 2.0 * P.x, 2.0 * P.y, number(2 * dx) + 2.0 * Q.x, number(2 * dy) + 2.0 * Q.y
        e.exit_x, e.exit_y = (dx > 0).astype(int), (dy > 0).astype(int)
        e.entry_x, e.entry_y = 2 * dx + (dx < 0), 2 * dy + (dy < 0)
        wall = np.where(dx > 0, 2.0, 0.0)
        c = e.py + (wall - e.px) / (e.qx - e.px) * (e.qy - e.py) + 0.5 * sym(e.words, 0)
        e.exit_y, e.entry_y = [np.where(dy == 0, c > 1.0, f).astype(int) for f in (e.exit_y, e.entry_y)]
        wall = np.where(dy > 0, 2.0, 0.0)
        c = e.px + (wall - e.py) / (e.qy - e.py) * (e.qx - e.px) + 0.5 * sym(e.words, 0)
        e.exit_x, e.entry_x = [np.where(dx == 0, c > 1.0, f).astype(int) for f in (e.exit_x, e.entry_x)]
        straight = 0.45 if n > 3 else 0.315
        e.straight, e.pull = straight, straight + 0.35 * v.flat if n in (6, 7) else straight
        e.old_x, e.old_y = (P.x >= 0.5).astype(int), (P.y >= 0.5).astype(int)
        e.exits_old = (e.exit_x == e.old_x) & (e.exit_y == e.old_y)
        e.depth = self.lake_depth(n, P, e, v)
        x, y = self.edge_place(e, e.exit_x, e.exit_y, 0.15, 0.6, e.pull)
        e.out_x, e.out_y = rounded(x - number(e.exit_x)), rounded(y - number(e.exit_y))
        e.out_half = self.narrowing(e, x, y)
        e.exit_z = np.where(e.exits_old, P.z, np.where(e.depth > 0.0, Q.z - e.depth, self.descent(e, x, y)))
        x, y = self.edge_place(e, e.entry_x, e.entry_y, 0.4, 0.85, e.pull)
        e.in_x, e.in_y = rounded(x - number(e.entry_x)), rounded(y - number(e.entry_y))
        e.in_half = self.narrowing(e, x, y)
        f = self.descent(e, x, y)
        f = np.where((f >= e.exit_z) & (P.z > Q.z), 0.5 * (e.exit_z + Q.z), f)
        e.in_z = np.where(e.depth > 0.0, Q.z - e.depth, f)
        return e

    def edge_place(self, e, a, b, low, high, pull):
        vx, vy, fa, fb = e.qx - e.px, e.qy - e.py, number(a), number(b)
        t = clamp(((fa + 0.5 - e.px) * vx + (fb + 0.5 - e.py) * vy) / (vx * vx + vy * vy), low, high)
        ax = clamp(e.px + t * vx, fa + 0.08, fa + 1.0 - 0.08)
        ay = clamp(e.py + t * vy, fb + 0.08, fb + 1.0 - 0.08)
        x, y = children_of(e.default_x, a, b), children_of(e.default_y, a, b)
        return ax + pull * (fa + x - ax), ay + pull * (fb + y - ay)

    def narrowing(self, e, x, y):
        d1, d2 = length(x - e.px, y - e.py), length(x - e.qx, y - e.qy)
        return most(e.P.half - d1 * e.L, e.Q.half - d2 * e.L)

    def descent(self, e, x, y):
        d1, d2 = length(x - e.px, y - e.py), length(x - e.qx, y - e.qy)
        s, f = d1 / (d1 + d2), e.P.z - e.Q.z
        k = 0.6 * (1.0 - 1.15 * clamp(2.0 * f / (length(e.qx - e.px, e.qy - e.py) * e.L), 0.0, 1.0))
        return e.P.z - f * s * (1.0 + k * (1.0 - s))

    def lake_depth(self, n, P, e, v):
        if not 4 <= n <= 7:
            return np.zeros_like(P.z)
        dx, dy, Q = e.dx, e.dy, e.Q
        there = e.at(dx, dy)  # Q's cell
        in_x, in_y = e.entry_x - 2 * dx, e.entry_y - 2 * dy
        rx, ry = dx + DX[Q.to], dy + DY[Q.to]
        holds = e.is_edge & ~is_lake(P.lake) & ~is_lake(Q.lake) & (Q.z > 1.0) & (Q.to != SINK) & (P.z - Q.z > 4.0)
        holds &= ~e.exits_old & ~((in_x == there.old_x) & (in_y == there.old_y))
        holds &= ~((in_x == there.exit_x) & (in_y == there.exit_y)) & ((abs(rx) > 1) | (abs(ry) > 1))
        for a, b in AROUND + [(0, 0)]:
            is_q = (a == dx) & (b == dy)
            holds &= is_q | (P.at(a, b).z >= Q.z + 4.0)
        for a, b in AROUND:
            o = P.at(dx + a, dy + b)
            is_p, is_r = (dx + a == 0) & (dy + b == 0), (dx + a == rx) & (dy + b == ry)
            holds &= is_r | (o.z >= Q.z + 4.0)
            comes = (o.to == direction(-a, -b)) & ~is_p
            holds &= ~comes | ((o.area < P.area) & (o.area <= 3052))
        ice = look(v.ice, dx, dy)
        holds &= frac(e.words, 1) < 0.9 * (ice + 0.1 * (1.0 - ice))
        return np.where(holds, least(0.03 * e.L, 0.35 * (P.z - Q.z) + 3.0), 0.0)

    def children(self, n, Q, e, words, cells):
        """Step 3; refined() widens the valley floors afterwards. Each field of `C` has the four children of every
        coarse cell."""
        place = [rounded(default(frac(words, k))) for k in (0, 1)]
        C = Window(x0=0, y0=0, x=[], y=[])
        quarters = [(slice(k >> 1, None, 2), slice(k & 1, None, 2)) for k in range(4)]
        C.x, C.y = [np.stack([f[q] for q in quarters]) for f in place]
        shape, O = C.x.shape, Q.at(e.dx, e.dy)
        C.z, C.half = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        C.area, C.own, C.lake = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.full(shape, NO_LAKE)
        C.to, C.kind = np.full(shape, SINK), np.full(shape, FREE)
        ax, ay = np.array([0, 1, 0, 1])[:, None, None], np.array([0, 0, 1, 1])[:, None, None]

        def put(where, **fields):
            for name, value in fields.items():
                setattr(C, name, np.where(where, value, getattr(C, name)))

        is_old = (ax == e.old_x) & (ay == e.old_y)
        put(
            is_old,
            x=2.0 * Q.x - number(e.old_x),
            y=2.0 * Q.y - number(e.old_y),
            z=Q.z,
            area=Q.area,
            own=Q.own,
            half=Q.half,
            lake=Q.lake,
            kind=OLD,
            to=Q.to,
        )
        put(
            is_old & e.is_edge,
            to=np.where(
                e.exits_old,
                direction(e.entry_x - e.old_x, e.entry_y - e.old_y),
                direction(e.exit_x - e.old_x, e.exit_y - e.old_y),
            ),
        )
        has_exit = e.is_edge & ~e.exits_old
        is_exit = has_exit & (ax == e.exit_x) & (ay == e.exit_y)
        put(
            is_exit,
            x=e.out_x,
            y=e.out_y,
            z=e.exit_z,
            half=e.out_half,
            kind=EXIT,
            lake=np.where(e.depth > 0.0, O.z, most(Q.lake, O.lake)),
            to=direction(e.entry_x - e.exit_x, e.entry_y - e.exit_y),
        )
        best, direct, come = np.full(shape, -1), np.zeros(shape, np.int64), np.zeros(Q.area.shape, np.int64)
        for a, b in AROUND:
            P, i = Q.at(a, b), e.at(a, b)
            comes = P.to == direction(-a, -b)
            here = comes & (ax == i.entry_x + 2 * a) & (ay == i.entry_y + 2 * b)
            put(here & (C.kind == EXIT) & ~is_lake(Q.lake) & (is_lake(P.lake) | (i.depth > 0.0)), z=most(C.z, Q.z))
            come, direct = come + np.where(comes, P.area, 0), direct + np.where(here, P.area, 0)
            put(here & (C.kind == FREE), z=np.float32(1e30), kind=ENTRY)
            here = here & (C.kind == ENTRY)
            put(here & (P.area > best), x=i.in_x, y=i.in_y)
            best = np.where(here, np.maximum(best, P.area), best)
            put(
                here,
                z=least(C.z, i.in_z),
                lake=most(C.lake, np.where(i.depth > 0.0, Q.z, most(P.lake, Q.lake))),
                half=most(C.half, i.in_half),
            )

        def chosen(field, mask):
            return np.where(mask, field, 0).sum(0, dtype=field.dtype)

        old_x, old_y, out_x, out_y = [chosen(f, m) for m in (is_old, is_exit) for f in (C.x, C.y)]
        to_exit = has_exit & ~is_lake(C.lake) & (e.depth == 0.0) & (chosen(C.z, is_exit) < C.z)
        to_exit &= abs(ax - e.exit_x) + abs(ay - e.exit_y) == 1
        to_exit &= length(number(ax - e.exit_x) + (C.x - out_x), number(ay - e.exit_y) + (C.y - out_y)) < length(
            number(ax - e.old_x) + (C.x - old_x), number(ay - e.old_y) + (C.y - old_y)
        )
        is_entry = C.kind == ENTRY
        to_x, to_y = np.where(to_exit, e.exit_x, e.old_x), np.where(to_exit, e.exit_y, e.old_y)
        put(is_entry, to=direction(to_x - ax, to_y - ay))
        count, rest = (C.kind != FREE).sum(0), np.maximum(Q.area - come, 0)
        each = rest // count
        is_last = np.where(has_exit, is_exit, is_old)
        put(C.kind != FREE, own=np.where(is_last, rest - each * (count - 1), each))
        put(is_entry, area=direct + C.own)
        old = chosen(direct + C.own, is_old) + chosen(C.area, is_entry & ~to_exit)
        put(is_old, area=old)
        put(is_exit, area=chosen(direct + C.own, is_exit) + old + chosen(C.area, is_entry & to_exit))
        fields = {name: woven(getattr(C, name)) for name in NODE}
        return Window(x0=2 * Q.x0, y0=2 * Q.y0, **fields)

    def corner_nodes(self, n, P, e, N):
        """Step 4: corners."""
        cx, cy = P.cells()
        kx, ky = np.where(e.dx > 0, 2.0, 0.0), np.where(e.dy > 0, 2.0, 0.0)
        off = (e.py + (kx - e.px) / (e.qx - e.px) * (e.qy - e.py) - ky) + 0.5 * sym(e.words, 2)
        same = (off > 0.0) == (e.dy > 0)
        mx, my = np.where(same, e.exit_x, e.entry_x), np.where(same, e.entry_y, e.exit_y)
        h, w = N.x.shape
        rows, columns = 2 * np.arange(h // 2)[:, None] + my, 2 * np.arange(w // 2) + mx
        claims = (e.dx != 0) & (e.dy != 0) & ~(abs(off) < 0.15) & (children_of(N.kind, mx, my) == FREE)
        claims &= (rows >= 0) & (rows < h) & (columns >= 0) & (columns < w)
        E = SimpleNamespace(**{name: children_of(getattr(N, name), e.exit_x, e.exit_y) for name in NODE})
        I = SimpleNamespace(**{name: children_of(getattr(N, name), e.entry_x, e.entry_y) for name in NODE})
        x, y = self.edge_place(e, mx, my, 0.3, 0.7, e.straight)
        x, y = [np.where(claims, rounded(f - number(m)), 0.5) for f, m in ((x, mx), (y, my))]
        v = self.province_at(n, 2 * cx + mx, 2 * cy + my, x, y)
        own, area = E.own // 2, E.area
        half = most(0.5 * (E.half + I.half), v.breadth * root(area))
        m = dict(
            x=x,
            y=y,
            z=0.5 * (E.z + I.z),
            area=area,
            own=own,
            half=half,
            lake=most(E.lake, I.lake),
            to=direction(e.entry_x - mx, e.entry_y - my),
            kind=np.full(x.shape, CORNER),
        )
        exit_rows, exit_columns = 2 * np.arange(h // 2)[:, None] + e.exit_y, 2 * np.arange(w // 2) + e.exit_x
        changes = dict(to=direction(mx - e.exit_x, my - e.exit_y), own=E.own - own, area=E.area - own)
        for name in NODE:
            field = getattr(N, name).copy()
            field[rows[claims], columns[claims]] = m[name][claims]
            if name in changes:
                field[exit_rows[claims], exit_columns[claims]] = changes[name][claims]
            setattr(N, name, field)
        return N

    def free_nodes(self, n, N, words, v):
        """Steps 5 and 6: free nodes."""
        L, is_free = number(65536 >> n), N.kind == FREE
        slope = hillslope(v.relief * (1.0 + 0.2 * sym(words, 2)), v.cap * (0.94 + 0.12 * frac(words, 3)), v.round, n)

        def flank(z, dist, f):
            return z + rise(v, z, slope * (profile(dist, f) + 0.02 * dist))

        def crosses(dx, dy):
            a, b = N.at(dx, 0), N.at(0, dy)
            return ((a.kind != FREE) & (a.to == direction(-dx, dy))) | ((b.kind != FREE) & (b.to == direction(dx, -dy)))

        total, weighted = np.zeros_like(N.z), np.zeros_like(N.z)
        lowest = nearest = np.full(N.z.shape, np.float32(1e30))
        half, D = v.breadth * L, np.zeros(N.z.shape, int)
        for d in range(8):
            dx, dy = DX[d], DY[d]
            c = N.at(dx, dy)
            counts = c.kind != FREE
            if d % 2:
                counts &= ~crosses(dx, dy)
            ax, ay = number(dx) + (c.x - N.x), number(dy) + (c.y - N.y)
            d1 = length(ax, ay) * L
            f1 = flank(c.z, d1, c.half)
            weight = 1.0 / (d1 * d1 + 0.01 * L * L)
            total = np.where(counts, total + weight, total)
            weighted = np.where(counts, weighted + weight * c.z, weighted)
            D = np.where(counts & (f1 < nearest), d, D)
            nearest = np.where(counts & (f1 < nearest), f1, nearest)
            wider = most(half, c.half - d1)
            ex, ey = DX[c.to], DY[c.to]
            o = N.at(dx + ex, dy + ey)
            vx, vy = number(ex) + (o.x - c.x), number(ey) + (o.y - c.y)
            t = np.where(c.to == SINK, 0.0, clamp(-(ax * vx + ay * vy) / (vx * vx + vy * vy), 0.0, 1.0))
            cz, ch = c.z + t * (o.z - c.z), c.half + t * (o.half - c.half)
            d2 = length(ax + t * vx, ay + t * vy) * L
            lowest = np.where(counts, least(lowest, least(f1, flank(cz, d2, ch))), lowest)
            half = np.where(counts, most(wider, ch - d2), half)
        c = N.at(DX[D], DY[D])
        even = lowest + 0.7 * (weighted / total - lowest)
        z = most(most(lowest, even), c.z + 0.03 * slope * L * v.upper)
        new = dict(to=D, lake=c.lake, z=z, half=half)
        if n == 8:
            new["kind"] = np.where(frac(words, 4) >= 0.7, BARE, FREE)
        for name, value in new.items():
            setattr(N, name, np.where(is_free, value, getattr(N, name)))
        count = np.ones(N.z.shape, np.int64)
        for d in range(8):
            o = N.at(DX[d], DY[d])
            count = count + ((o.kind <= BARE) & (o.to == (d + 4) % 8))
        c, count = N.at(DX[D], DY[D]), look(count, DX[D], DY[D])
        share = number(c.own) / number(count) if n == 8 else c.own // count
        N.area = np.where(is_free, share, number(N.area) if n == 8 else N.area)
        return N
