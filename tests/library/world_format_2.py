"""world_format_2.py VECTORS [SEED:LOD:X:Y ...] - computes basis fluvial sample by sample, by the words of
docs/world-format-2.md.

It shares no code with the library and has no windows and passes: each quantity is a cached function of a cell, a
knot or a point. With places it prints their layers. Without, it checks the lines of VECTORS at levels of detail 0, 4
and 9 and prints how many agree. Needs numpy; takes some seconds for each place that is not near an earlier one."""
import ast
import functools
import inspect
import math
import struct
import sys
from collections import namedtuple

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is missing", file=sys.stderr)
    sys.exit(77)

LAYERS = "height water flow shore relief plain plateau ice dryness".split()


def binary32(thing):
    """Recompile a function or class so that every literal with a decimal point is a binary32 number."""
    names = {}

    class Rounded(ast.NodeTransformer):
        def visit_Constant(self, node):
            if not isinstance(node.value, float):
                return node
            name = "_%d" % len(names)
            names[name] = np.float32(node.value)
            return ast.copy_location(ast.Name(id=name, ctx=ast.Load()), node)

    tree = Rounded().visit(ast.parse(inspect.getsource(thing)))
    tree.body[0].decorator_list = []
    scope = globals()
    suffix = thing.__name__
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            node.id += suffix
    scope.update({name + suffix: value for name, value in names.items()})
    exec(compile(ast.fix_missing_locations(tree), __file__, "exec"), scope)
    return scope[suffix]


def remembered(method):
    """Cache the results of a method by its arguments."""

    @functools.wraps(method)
    def wrapper(self, *key):
        known = self.known.setdefault(method.__name__, {})
        if key not in known:
            known[key] = method(self, *key)
        return known[key]

    return wrapper


def number(x):
    return np.float32(x)


def fma(a, b, c):
    """a b + c with one rounding. The rounding from binary64 is right except for ties, which the lost part of the sum
    decides."""
    if type(a) is np.ndarray or type(b) is np.ndarray:
        return fma_of_arrays(a, b, c)
    product, addend = float(a) * float(b), float(c)
    total = product + addend
    near = np.float32(total)
    nearly = float(near)
    other = total + (total - nearly)
    if other == nearly or float(np.float32(other)) != other:
        return near
    back = total - product
    lost = (product - (total - back)) + (addend - back)
    return near if lost == 0 else np.float32(max(near, other) if lost > 0 else min(near, other))


def fma_of_arrays(a, b, c):
    product = np.multiply(a, b, dtype=np.float64)
    addend = np.asarray(c, np.float64)
    total = product + addend
    near = total.astype(np.float32)
    other = total + (total - near)
    is_tie = (other == other.astype(np.float32)) & (other != near)
    if not is_tie.any():
        return near
    back = total - product
    lost = (product - (total - back)) + (addend - back)
    decided = np.where(lost > 0, np.maximum(near, other), np.minimum(near, other)).astype(np.float32)
    return np.where(is_tie & (lost != 0), decided, near)


def least(a, b):
    is_less = a < b
    return np.where(is_less, a, b) if isinstance(is_less, np.ndarray) else a if is_less else b


def most(a, b):
    is_more = a > b
    return np.where(is_more, a, b) if isinstance(is_more, np.ndarray) else a if is_more else b


def clamp(x, low, high):
    return low if x < low else high if x > high else x


DX = (1, 1, 0, -1, -1, -1, 0, 1)
DY = (0, 1, 1, 1, 0, -1, -1, -1)
DIRECTION = {(DX[d], DY[d]): d for d in range(8)}
AROUND = [(a, b) for b in (-1, 0, 1) for a in (-1, 0, 1) if a or b]
SINK = 8
FREE, OLD, EXIT, ENTRY, CORNER = range(5)
NO_LAKE = np.float32(-1e9)
LAW = [np.float32(x) for x in (0.00340064, 0.00634575, 0.0118415, 0.0220970, 0.0412346, 0.0769464, 0.143587, 0.267943, 0.5)]

Node = namedtuple("Node", "x y z A B W to kind")
Province = namedtuple("Province", "relief cap round top above floor ice flat slope alpine dry height")
Bank = namedtuple("Bank", "x y z S b m")
Ground = namedtuple("Ground", "height lake above strength alpine reach add fade distance area")
Edge = namedtuple("Edge", "exit entry depth E at floor")


def is_lake(level):
    return level > -1e8


@binary32
def s3(t):
    t = clamp(t, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def length(x, y):
    return np.sqrt(x * x + y * y)


@binary32
def four(a, b, c, d):
    return fma(b + c, 0.5625, (a + d) * -0.0625)


@binary32
def turn(t):
    x = t - np.rint(t)
    y = x * x
    c = fma(y, -21.15810679, 58.84788533)
    s = fma(y, -12.30830135, 41.23207355)
    c = fma(y, c, -85.28515889)
    s = fma(y, s, -76.58719386)
    c = fma(y, c, 64.93001235)
    s = fma(y, s, 81.59702927)
    c = fma(y, c, -19.73903216)
    s = fma(y, s, -41.34146438)
    return fma(y, c, 0.99999966), x * fma(y, s, 6.28318349)


@binary32
def rounded(x):
    return np.rint(x * 65536.0) * (1.0 / 65536.0)


@binary32
def weights(a):
    t = 1.0 - a
    return (t * t * t * (1.0 / 6.0), fma(a * a, fma(a, 0.5, -1.0), 2.0 / 3.0), fma(t * t, fma(t, 0.5, -1.0), 2.0 / 3.0),
            a * a * a * (1.0 / 6.0))


@binary32
def hillslope(M, cap, round_, n):
    L = number(65536 >> n)
    s = LAW[n] * M
    s2, c2 = s * s, cap * cap
    return s * cap / np.sqrt(np.sqrt(s2 * s2 + c2 * c2)) * L / (L + 0.35 * round_)


@binary32
def profile(d, B):
    t = d - B
    return 0.5 * (t + np.sqrt(t * t + 0.25 * B * B)) - 0.0590170 * B


def rise(z, u, top, above):
    r = least(most(top - z, np.float32(0)), u)
    return r + above * (u - r)


@binary32
def vside(d, b):
    far = most(d - 150.0, 0.0)
    return profile(d, b + 10.0) * fma(0.4, least(d * (1.0 / 256.0), 1.0), 0.65) + 0.02 * d + far * far * (1.0 / 96.0)


@binary32
class World:
    def __init__(self, seed, land, relief, uplift, hills, plateau, ice, dryness, sea):
        self.key = (seed & 0xFFFFFFFF, seed >> 32)
        self.land, self.relief, self.uplift, self.hills = number(land), number(relief), number(uplift), number(hills)
        self.plateau, self.ice, self.dryness, self.sea = number(plateau), number(ice), number(dryness), number(sea)
        self.known = {}

    # ---- random words ----

    @remembered
    def words(self, tag, i, j):
        c = [i & 0xFFFFFFFF, (i >> 32) & 0xFFFF, j & 0xFFFFFFFF, ((j >> 32) & 0xFFFF) | tag << 16]
        k0, k1 = self.key
        for _ in range(10):
            p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(p1 >> 32) ^ c[1] ^ k0, p1 & 0xFFFFFFFF, (p0 >> 32) ^ c[3] ^ k1, p0 & 0xFFFFFFFF]
            k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
        return c

    def frac(self, tag, i, j, n):
        return number((self.words(tag, i, j)[n >> 1] >> 16 * (n & 1)) & 0xFFFF) * (1.0 / 65536.0)

    def sym(self, tag, i, j, n):
        return 2.0 * self.frac(tag, i, j, n) - 1.0

    def byte(self, tag, i, j):
        return self.words(tag, i >> 2, j >> 2)[j & 3] >> 8 * (i & 3) & 0xFF

    # ---- splines, warp, places ----

    @remembered
    def knot_values(self, tag, i, j, channels):
        return [self.sym(tag, i, j, c) for c in range(channels)]

    @remembered
    def knots(self, tag, i, j, channels):
        """Values of the four by four knots of a cell, row by row."""
        return np.array([[self.knot_values(tag, i - 1 + k, j - 1 + n, channels) for k in range(4)] for n in range(4)], np.float32)

    def splines(self, tag, h, octaves, X, Y, channels):
        """Values of the octaves tag, tag + 1, ...; their knots are 2^h, 2^(h-1), ... apart."""
        h = [h - m for m in range(octaves)]
        knots = np.array([self.knots(tag + m, X >> h[m], Y >> h[m], channels) for m in range(octaves)])
        spacing = np.array([2.0 ** -m for m in h], np.float32)
        wx = weights(np.array([X & (1 << m) - 1 for m in h], np.float32) * spacing)
        wy = weights(np.array([Y & (1 << m) - 1 for m in h], np.float32) * spacing)
        rows, values = np.zeros((octaves, 4, channels), np.float32), np.zeros((octaves, channels), np.float32)
        for k in range(4):
            rows = fma(wx[k].reshape(octaves, 1, 1), knots[:, :, k], rows)
        for n in range(4):
            values = fma(wy[n].reshape(octaves, 1), rows[:, n], values)
        return values

    def halved(self, at, x, y, s):
        """Value at a point of spacing s from values of spacing 2 s; at(x, y) in metres."""
        u, v = (x // (2 * s)) * 2 * s, (y // (2 * s)) * 2 * s
        odd_x, odd_y = x != u, y != v
        if not odd_x and not odd_y:
            return at(x, y)

        def row(v):
            return four(*[at(u + (k - 1) * 2 * s, v) for k in range(4)]) if odd_x else at(u, v)

        return four(*[row(v + (k - 1) * 2 * s) for k in range(4)]) if odd_y else row(v)

    def between(self, at, x, y, S):
        (nw, ne, sw, se), a, b = self.corners(x, y, S)
        nw, ne, sw, se = at(*nw), at(*ne), at(*sw), at(*se)
        north, south = fma(a, ne - nw, nw), fma(a, se - sw, sw)
        return fma(b, south - north, north)

    def corners(self, x, y, S):
        u, v = x // S * S, y // S * S
        right, down = (u + S if x > u else u), (v + S if y > v else v)
        return ((u, v), (right, v), (u, down), (right, down)), number((x - u) / S), number((y - v) / S)

    @remembered
    def warp(self, x, y):
        if x % 64 == 0 and y % 64 == 0:
            sum_x = sum_y = 0.0
            for m, s in enumerate(self.splines(288, 17, 9, x, y, 2)):
                g = (0.3 if m < 5 else 0.14) * number(131072 >> m)
                sum_x, sum_y = fma(g, s[0], sum_x), fma(g, s[1], sum_y)
            return sum_x, sum_y
        s = 1
        while x % (2 * s) == 0 and y % (2 * s) == 0:
            s *= 2
        return tuple(self.halved(lambda u, v: self.warp(u, v)[c], x, y, s) for c in (0, 1))

    def turned(self, x, y, wx, wy):
        return (59 * x - 25 * y) * 4 + int(np.rint(wx * 256.0)), (25 * x + 59 * y) * 4 + int(np.rint(wy * 256.0))

    # ---- provinces ----

    def province(self, X, Y, F):
        land = belt = plate = hills = gate = 0.0
        local = 1.0
        weights_of = ((1.0, 0.62, 0.3844, 0.238328, 0.14776336, 0.0, 0.0, 0.0), (0.5, 1.0, 0.45, 0.2, 0.08, 0.0, 0.0, 0.0),
                      (0.0, 1.0, 0.7, 0.35, 0.15, 0.08, 0.0, 0.0), (0.0, 1.0, 0.8, 0.5, 0.3, 0.15, 0.0, 0.0),
                      (0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 0.6, 0.5))
        for m, s in enumerate(self.splines(304, 27, F, X, Y, 4)):
            land, belt = fma(weights_of[0][m], s[0], land), fma(weights_of[1][m], s[1], belt)
            plate, hills = fma(weights_of[2][m], s[2], plate), fma(weights_of[3][m], s[3], hills)
            local = fma(weights_of[4][m], s[0], local)
            if m == 0:
                gate = s[3]
            if m == 1:
                gate = fma(0.5, s[2], gate)
        width = 0.22 * (1.0 + 0.9 * self.uplift)
        across = most(0.0, 1.0 - abs(belt) / width)
        BELT = across * across * (3.0 - 2.0 * across) * s3((gate + 0.5 * self.uplift + 0.12) * (1.0 / 0.22))
        HILL = s3((hills + 0.7 * self.hills + 0.2) * (1.0 / 0.6))
        p = plate + 0.6 * self.plateau
        PLAT = s3((p - 0.24) * 6.25) * (1.0 - BELT)
        PLAIN = (1.0 - BELT) * (1.0 - PLAT)
        DRY = s3((plate - 0.35 * gate + self.dryness + 0.45) * (1.0 / 1.1))
        z = 1500.0 * (land + 0.5 * self.land) + 60.0
        shelf = 260.0 * (1.0 - BELT)
        if shelf > 1.0:
            z = z * abs(z) / (abs(z) + shelf)
        shore = s3((z + 250.0) * (1.0 / 230.0))
        M = (0.035 + 0.75 * HILL * HILL) * (1.0 - BELT) + 3.2 * BELT
        if M < 1.9:
            M = M + PLAT * (1.9 - M)
        bad = DRY * most(self.dryness, 0.0) * HILL
        relief = M * most(local, 0.35) * (0.06 + 0.94 * shore) * self.relief
        cap = (0.36 + 0.08 * HILL - 0.05 * BELT) * (1.0 - PLAT) + 0.8 * PLAT
        round_ = 12.0 + 28.0 * PLAT + (388.0 * (1.0 - HILL) + 90.0 * HILL) * PLAIN * (1.0 - 0.8 * bad)
        top = most(z, 0.0) + 420.0 + 250.0 * p
        above = 1.0 - 0.93 * PLAT
        ice = clamp(BELT * (1.0 - PLAT) * (1.0 + self.ice) + most(self.ice, 0.0) * HILL * PLAIN, 0.0, 1.0)
        floor = (0.010 - 0.002 * HILL + 0.006 * most(self.ice, 0.0) * ice) * (1.0 - PLAT) + 0.0022 * PLAT
        return Province(relief, cap, round_, top, above, floor, ice, (1.0 - HILL) * PLAIN, hillslope(relief, cap, round_, 8),
                        most(BELT + PLAT * (1.0 - BELT), bad), DRY, z + 350.0 * BELT + 220.0 * PLAT * shore)

    @remembered
    def knot(self, i, j):
        return np.array(self.province(i << 19, j << 19, 8), np.float32)

    def province_between(self, X, Y):
        i, j = X >> 19, Y >> 19
        a, b = number(X & (1 << 19) - 1) * number(2.0 ** -19), number(Y & (1 << 19) - 1) * number(2.0 ** -19)
        nw, ne, sw, se = self.knot(i, j), self.knot(i + 1, j), self.knot(i, j + 1), self.knot(i + 1, j + 1)
        north, south = fma(a, ne - nw, nw), fma(a, se - sw, sw)
        return Province(*fma(b, south - north, north))

    def place_of(self, n, cx, cy, node):
        size = 1 << 24 - n
        return cx * size + int(node.x * number(size)), cy * size + int(node.y * number(size))

    @remembered
    def province_at(self, n, cx, cy, node):
        X, Y = self.place_of(n, cx, cy, node)
        return self.province(X, Y, min(n + 5, 8)) if n < 5 else self.province_between(X, Y)

    # ---- the network ----

    def default(self, n, cx, cy, k):
        return 0.08 + (1.0 - 2.0 * 0.08) * self.frac(256 + n, cx, cy, k)

    @remembered
    def root_place(self, cx, cy):
        x, y = rounded(self.default(0, cx, cy, 0)), rounded(self.default(0, cx, cy, 1))
        node = Node(x, y, 0.0, 0.0, 0.0, NO_LAKE, SINK, OLD)
        v = self.province_at(0, cx, cy, node)
        z = v.height * (1.0 + 0.3 * self.sym(256, cx, cy, 2)) + 25.0 * self.sym(256, cx, cy, 3)
        return node._replace(z=z, B=v.floor)

    @remembered
    def root_to(self, cx, cy):
        low, to = self.root_place(cx, cy).z, SINK
        for d in range(8):
            z = self.root_place(cx + DX[d], cy + DY[d]).z
            if z < low:
                low, to = z, d
        return to

    @remembered
    def root_drained(self, cx, cy, n):
        to = self.root_to(cx, cy)
        if n == 0:
            z = self.root_place(cx, cy).z
            if to != SINK or z <= 0.0:
                return 4294967296.0, NO_LAKE
            low = 1e9
            for b in range(-2, 3):
                for a in range(-2, 3):
                    d = self.root_to(cx + a, cy + b)
                    if (a or b) and not (d != SINK and a + DX[d] == 0 and b + DY[d] == 0):
                        low = least(low, self.root_place(cx + a, cy + b).z)
            return 4294967296.0, z + least(60.0, 0.4 * (low - z))
        A = 4294967296.0
        for a, b in AROUND:
            if self.root_to(cx + a, cy + b) == DIRECTION[-a, -b]:
                A = A + self.root_drained(cx + a, cy + b, n - 1)[0]
        from_ = (cx, cy) if to == SINK else (cx + DX[to], cy + DY[to])
        return A, self.root_drained(*from_, n - 1)[1]

    @remembered
    def node(self, n, cx, cy):
        if n == 0:
            A, W = self.root_drained(cx, cy, 8)
            A = least(A, 9.0 * 4294967296.0)
            node = self.root_place(cx, cy)
            return node._replace(A=A, W=W, to=self.root_to(cx, cy), B=node.B * np.sqrt(A))
        node = self.channel(n, cx, cy)
        return node if node.kind != FREE else self.free(n, cx, cy, node)

    def way(self, n, cx, cy):
        P = self.node(n - 1, cx, cy)
        dx, dy = DX[P.to], DY[P.to]
        Q = self.node(n - 1, cx + dx, cy + dy)
        return P, Q, dx, dy, 2.0 * P.x, 2.0 * P.y, number(2 * dx) + 2.0 * Q.x, number(2 * dy) + 2.0 * Q.y

    def way_place(self, n, cx, cy, a, b, low, high, pull):
        px, py, qx, qy = self.way(n, cx, cy)[4:]
        vx, vy = qx - px, qy - py
        t = clamp(((number(a) + 0.5 - px) * vx + (number(b) + 0.5 - py) * vy) / (vx * vx + vy * vy), low, high)
        ax = clamp(px + t * vx, number(a) + 0.08, number(a) + 1.0 - 0.08)
        ay = clamp(py + t * vy, number(b) + 0.08, number(b) + 1.0 - 0.08)
        cell = (n, 2 * cx + a, 2 * cy + b)
        return ax + pull * (number(a) + self.default(*cell, 0) - ax), ay + pull * (number(b) + self.default(*cell, 1) - ay)

    def pull(self, n, cx, cy):
        pull = 0.45 if n > 3 else 0.315
        if n in (6, 7):
            P = self.node(n - 1, cx, cy)
            pull = pull + 0.35 * self.province_between(*self.place_of(n - 1, cx, cy, P)).flat
        return pull

    def share_and_floor(self, n, cx, cy, at):
        P, Q, _, _, px, py, qx, qy = self.way(n, cx, cy)
        L = number(65536 >> n)
        d1, d2 = length(at[0] - px, at[1] - py), length(at[0] - qx, at[1] - qy)
        return d1 / (d1 + d2), most(P.B - d1 * L, Q.B - d2 * L)

    def fall(self, n, cx, cy, s):
        P, Q, _, _, px, py, qx, qy = self.way(n, cx, cy)
        f = P.z - Q.z
        k = 0.3 * (1.0 - 1.15 * clamp(2.0 * f / (length(qx - px, qy - py) * number(65536 >> n)), 0.0, 1.0))
        return P.z - f * s * (1.0 + k * (1.0 - s))

    @remembered
    def edge_children(self, n, cx, cy):
        P, Q, dx, dy, px, py, qx, qy = self.way(n, cx, cy)
        exit_, entry = [int(dx > 0), int(dy > 0)], [2 * dx + (dx < 0), 2 * dy + (dy < 0)]
        aside = lambda: 0.5 * self.sym(272 + n, cx, cy, 0)
        if dy == 0:
            side = 2.0 if dx > 0 else 0.0
            exit_[1] = entry[1] = int(py + (side - px) / (qx - px) * (qy - py) + aside() > 1.0)
        elif dx == 0:
            side = 2.0 if dy > 0 else 0.0
            exit_[0] = entry[0] = int(px + (side - py) / (qy - py) * (qx - px) + aside() > 1.0)
        return tuple(exit_), tuple(entry)

    def own(self, node):
        return int(node.x >= 0.5), int(node.y >= 0.5)

    @remembered
    def depth(self, n, cx, cy):
        P, Q, dx, dy = self.way(n, cx, cy)[:4]
        if not (4 <= n <= 7) or is_lake(P.W) or is_lake(Q.W) or Q.z <= 1.0 or Q.to == SINK or P.z - Q.z <= 2.5:
            return 0.0
        lot = self.frac(272 + n, cx, cy, 1)
        exit_, entry = self.edge_children(n, cx, cy)
        in_q = (entry[0] - 2 * dx, entry[1] - 2 * dy)
        if lot >= 0.9 or exit_ == self.own(P) or in_q == self.own(Q) or in_q == self.edge_children(n, cx + dx, cy + dy)[0]:
            return 0.0
        out = (dx + DX[Q.to], dy + DY[Q.to])
        if abs(out[0]) <= 1 and abs(out[1]) <= 1:
            return 0.0
        for b in (-1, 0, 1):
            for a in (-1, 0, 1):
                if (a, b) != (dx, dy) and self.node(n - 1, cx + a, cy + b).z < Q.z + 2.5:
                    return 0.0
                o = self.node(n - 1, cx + dx + a, cy + dy + b)
                if (a or b) and (a + dx, b + dy) != out and o.z < Q.z + 2.5:
                    return 0.0
                if ((a + dx, b + dy) != (0, 0) and (o.A >= P.A or o.A > 2e8) and o.to != SINK and
                        (DX[o.to], DY[o.to]) == (-a, -b)):
                    return 0.0
        ice = self.province_at(n - 1, cx + dx, cy + dy, Q).ice
        if not lot < 0.9 * (ice + 0.1 * (1.0 - ice)):
            return 0.0
        return least(0.03 * number(65536 >> n), 0.35 * (P.z - Q.z) + 3.0)

    @remembered
    def edge(self, n, cx, cy):
        P, Q = self.way(n, cx, cy)[:2]
        exit_, entry = self.edge_children(n, cx, cy)
        depth = self.depth(n, cx, cy)
        if exit_ == self.own(P):
            return Edge(exit_, entry, depth, P.z, None, None)
        at = self.way_place(n, cx, cy, *exit_, 0.15, 0.6, self.pull(n, cx, cy))
        share, floor = self.share_and_floor(n, cx, cy, at)
        E = Q.z - depth if depth > 0.0 else self.fall(n, cx, cy, share)
        return Edge(exit_, entry, depth, E, at, floor)

    def incoming(self, n, cx, cy):
        """Edges into a coarse cell, row by row: offset of the start cell, node of the start, edge, child."""
        for a, b in AROUND:
            P = self.node(n - 1, cx + a, cy + b)
            if P.to != SINK and (DX[P.to], DY[P.to]) == (-a, -b):
                e = self.edge(n, cx + a, cy + b)
                yield a, b, P, e, (e.entry[0] + 2 * a, e.entry[1] + 2 * b)

    @remembered
    def children(self, n, cx, cy):
        Q, L = self.node(n - 1, cx, cy), number(65536 >> n)
        child = {(a, b): Node(rounded(self.default(n, 2 * cx + a, 2 * cy + b, 0)), rounded(self.default(n, 2 * cx + a, 2 * cy + b, 1)),
                              0.0, 0.0, 0.0, NO_LAKE, SINK, FREE) for a in (0, 1) for b in (0, 1)}
        own, e = self.own(Q), None
        child[own] = Q._replace(x=2.0 * Q.x - number(own[0]), y=2.0 * Q.y - number(own[1]), kind=OLD)
        if Q.to != SINK:
            e, out = self.edge(n, cx, cy), self.node(n - 1, cx + DX[Q.to], cy + DY[Q.to])
            to = DIRECTION[e.entry[0] - e.exit[0], e.entry[1] - e.exit[1]]
            if e.exit == own:
                child[own] = child[own]._replace(to=to)
            else:
                child[own] = child[own]._replace(to=DIRECTION[e.exit[0] - own[0], e.exit[1] - own[1]])
                child[e.exit] = Node(rounded(e.at[0] - number(e.exit[0])), rounded(e.at[1] - number(e.exit[1])), e.E, Q.A, e.floor,
                                     out.z if e.depth > 0.0 else most(Q.W, out.W), to, EXIT)
        best = {}
        for a, b, P, i, k in self.incoming(n, cx, cy):
            c = child[k]
            if c.kind == EXIT and (is_lake(P.W) or i.depth > 0.0) and not is_lake(Q.W):
                child[k] = c._replace(z=most(c.z, Q.z))
            if c.kind not in (FREE, ENTRY):
                continue
            at = self.way_place(n, cx + a, cy + b, *i.entry, 0.4, 0.85, self.pull(n, cx + a, cy + b))
            share, floor = self.share_and_floor(n, cx + a, cy + b, at)
            h = self.fall(n, cx + a, cy + b, share)
            if h >= i.E and P.z > Q.z:
                h = 0.5 * (i.E + Q.z)
            if i.depth > 0.0:
                h = Q.z - i.depth
            if c.kind == FREE:
                c = c._replace(z=1e30, A=0.0, B=0.0, W=NO_LAKE, to=SINK, kind=ENTRY)
            if P.A > best.get(k, -1.0):
                best[k] = P.A
                c = c._replace(x=rounded(at[0] - number(i.entry[0])), y=rounded(at[1] - number(i.entry[1])))
            child[k] = c._replace(z=least(c.z, h), W=most(c.W, Q.z if i.depth > 0.0 else most(P.W, Q.W)),
                                  A=least(c.A + P.A, Q.A), B=most(c.B, floor))
        def apart(k, m):
            return length(number(k[0] - m[0]) + (child[k].x - child[m].x), number(k[1] - m[1]) + (child[k].y - child[m].y))
        for a, b, P, i, k in self.incoming(n, cx, cy):
            if child[k].kind != ENTRY:
                continue
            to = own
            if (e and not is_lake(child[k].W) and e.depth == 0.0 and child[e.exit].z < child[k].z and
                    abs(e.exit[0] - k[0]) + abs(e.exit[1] - k[1]) == 1 and apart(k, e.exit) < apart(k, own)):
                to = e.exit
                child[own] = child[own]._replace(A=most(child[own].A - P.A, L * L))
            child[k] = child[k]._replace(to=DIRECTION[to[0] - k[0], to[1] - k[1]])
        for a, b, P, i, k in self.incoming(n, cx, cy):
            to = child[k].to
            if k == own:
                child[own] = child[own]._replace(A=most(child[own].A, P.A))
            elif to != SINK and (k[0] + DX[to], k[1] + DY[to]) == own:
                child[own] = child[own]._replace(A=most(child[own].A, child[k].A))
        for k, c in child.items():
            if c.kind in (EXIT, ENTRY):
                v = self.province_at(n, 2 * cx + k[0], 2 * cy + k[1], c)
                child[k] = c._replace(B=most(c.B, v.floor * np.sqrt(c.A)))
        return child

    def child(self, n, x, y):
        return self.children(n, x >> 1, y >> 1)[x & 1, y & 1]

    @remembered
    def corner(self, n, cx, cy):
        """The corner child of a coarse cell's edge: its cell and node, or None."""
        P = self.node(n - 1, cx, cy)
        if P.to == SINK or P.to % 2 == 0:
            return None
        P, Q, dx, dy, px, py, qx, qy = self.way(n, cx, cy)
        e = self.edge(n, cx, cy)
        vx, vy = 2.0 if dx > 0 else 0.0, 2.0 if dy > 0 else 0.0
        off = (py + (vx - px) / (qx - px) * (qy - py) - vy) + 0.5 * self.sym(272 + n, cx, cy, 2)
        if abs(off) < 0.15:
            return None
        m = (e.exit[0], e.entry[1]) if (off > 0.0) == (dy > 0) else (e.entry[0], e.exit[1])
        cell = (2 * cx + m[0], 2 * cy + m[1])
        if self.child(n, *cell).kind != FREE:
            return None
        out = self.child(n, 2 * cx + e.exit[0], 2 * cy + e.exit[1])
        in_ = self.child(n, 2 * cx + e.entry[0], 2 * cy + e.entry[1])
        at = self.way_place(n, cx, cy, *m, 0.3, 0.7, 0.45 if n > 3 else 0.315)
        node = Node(rounded(at[0] - number(m[0])), rounded(at[1] - number(m[1])), 0.5 * (out.z + in_.z), out.A, 0.0,
                    most(out.W, in_.W), DIRECTION[e.entry[0] - m[0], e.entry[1] - m[1]], CORNER)
        floor = self.province_at(n, *cell, node).floor
        return cell, node._replace(B=most(0.5 * (out.B + in_.B), floor * np.sqrt(node.A)))

    @remembered
    def channel(self, n, x, y):
        """A child after step 4."""
        c, cx, cy = self.child(n, x, y), x >> 1, y >> 1
        if c.kind == FREE:
            for px, py in ((cx + (1 if x & 1 else -1), cy), (cx, cy + (1 if y & 1 else -1))):
                found = self.corner(n, px, py)
                if found and found[0] == (x, y):
                    return found[1]
            return c
        if self.node(n - 1, cx, cy).to != SINK and self.edge(n, cx, cy).exit == (x & 1, y & 1):
            found = self.corner(n, cx, cy)
            if found:
                return c._replace(to=DIRECTION[found[0][0] - x, found[0][1] - y])
        return c

    def free(self, n, x, y, node):
        v, L = self.province_at(n, x, y, node), number(65536 >> n)
        S = hillslope(v.relief * (1.0 + 0.4 * self.sym(256 + n, x, y, 2)), v.cap * (0.94 + 0.12 * self.frac(256 + n, x, y, 3)),
                      v.round, n)

        def side(z, d, B):
            return z + rise(z, S * (profile(d, B) + 0.02 * d), v.top, v.above)

        def crosses(dx, dy):
            a, b = self.channel(n, x + dx, y), self.channel(n, x, y + dy)
            return (a.kind != FREE and a.to == DIRECTION[-dx, dy]) or (b.kind != FREE and b.to == DIRECTION[dx, -dy])

        lowest, D, low, total, weighted, B = 1e30, SINK, 1e30, 0.0, 0.0, v.floor * L
        for d in range(8):
            c = self.channel(n, x + DX[d], y + DY[d])
            if c.kind == FREE or (d % 2 and crosses(DX[d], DY[d])):
                continue
            ax, ay = number(DX[d]) + (c.x - node.x), number(DY[d]) + (c.y - node.y)
            to_node = length(ax, ay) * L
            a = side(c.z, to_node, c.B)
            w = 1.0 / (to_node * to_node + 0.01 * L * L)
            total, weighted = total + w, weighted + w * c.z
            if a < lowest:
                lowest, D = a, d
            B = most(B, c.B - to_node)
            zs, bs = c.z, c.B
            if c.to != SINK:
                ex, ey = DX[c.to], DY[c.to]
                o = self.channel(n, x + DX[d] + ex, y + DY[d] + ey)
                vx, vy = number(ex) + (o.x - c.x), number(ey) + (o.y - c.y)
                t = clamp(-(ax * vx + ay * vy) / (vx * vx + vy * vy), 0.0, 1.0)
                ax, ay, zs, bs = ax + t * vx, ay + t * vy, c.z + t * (o.z - c.z), c.B + t * (o.B - c.B)
            far = length(ax, ay) * L
            low, B = least(low, least(a, side(zs, far, bs))), most(B, bs - far)
        c = self.channel(n, x + DX[D], y + DY[D])
        even = low + 0.6 * (weighted / total - low)
        z = most(most(low, even), c.z + 0.03 * S * L * v.above)
        return node._replace(z=z, A=L * L, B=B, W=c.W, to=D)

    # ---- channels and pieces ----

    @remembered
    def inflow(self, x, y):
        best, d = -1.0, None
        for k in range(8):
            o = self.node(8, x + DX[k], y + DY[k])
            if o.to == (k + 4) % 8 and o.A > best:
                best, d = o.A, k
        return d

    @remembered
    def smooth(self, x, y, n):
        node = self.node(8, x, y)
        x0, y0 = node.x * 256.0, node.y * 256.0
        if n == 0:
            return x0, y0
        at, f, t = self.smooth(x, y, n - 1), self.inflow(x, y), node.to
        if f is None or t == SINK:
            return at
        i, o = self.smooth(x + DX[f], y + DY[f], n - 1), self.smooth(x + DX[t], y + DY[t], n - 1)
        share = 0.5 * least(1.0, 0.3 + node.B * (1.0 / 256.0))
        mx = 0.5 * (i[0] + number(256 * DX[f]) + (o[0] + number(256 * DX[t])))
        my = 0.5 * (i[1] + number(256 * DY[f]) + (o[1] + number(256 * DY[t])))
        reach = 0.35 * 256.0
        return clamp(at[0] + share * (mx - at[0]), x0 - reach, x0 + reach), clamp(at[1] + share * (my - at[1]), y0 - reach, y0 + reach)

    @remembered
    def steepened(self, x, y):
        """Slope, steepest inflow, whether the node is a sill, and how far the sill is raised."""
        node, at = self.node(8, x, y), self.smooth(x, y, 4)
        S, I, is_sill = self.province_between(*self.place_of(8, x, y, node)).slope, 0.0, False
        floor, room, level = self.floor(x, y), 1e30, 1e30
        for b in range(-2, 3):
            for a in range(-2, 3):
                o, p = self.node(8, x + a, y + b), self.smooth(x + a, y + b, 4)
                dist = most(length(p[0] - at[0] + number(256 * a), p[1] - at[1] + number(256 * b)), 64.0)
                up = o.z - node.z
                if up > 0.0:
                    S = most(S, least(1.05 * up / vside(dist, floor), 0.7))
                if is_lake(node.W) and o.W != node.W and o.z < node.W + 4.0:
                    S = most(S, least((node.W + 2.0 - node.z) / vside(0.45 * dist, floor), 1.5))
                if (a or b) and o.to != SINK and (DX[o.to], DY[o.to]) == (-a, -b):
                    is_sill = is_sill or (is_lake(o.W) and not is_lake(node.W))
                    I = most(I, up / dist)
                    if o.z > o.W:
                        room = least(room, up)
                    else:
                        level = least(level, o.W)
        fall = 0.35 * self.bed_depth(self.half_width(node.A))
        return S, I, is_sill, most(least(least(level - node.z, 0.0) + fall, room), 0.0) if is_sill else number(0.0)

    def bank(self, x, y, a, b):
        node, at = self.node(8, x + a, y + b), self.smooth(x + a, y + b, 4)
        S, _, _, up = self.steepened(x + a, y + b)
        m = max(self.reach(x + a + i, y + b + j) for j in (-1, 0, 1) for i in (-1, 0, 1))
        return Bank(at[0] + number(256 * a), at[1] + number(256 * b), node.z + up, S, self.floor(x + a, y + b), m)

    @remembered
    def floor(self, x, y):
        """Half width of the floor of a node's valley."""
        return least(self.node(8, x, y).B, 150.0) * (0.4 + 0.6 * self.frac(287, x, y, 0))

    def reach(self, x, y):
        """Distance by which the river of a node meanders."""
        node = self.node(8, x, y)
        return 2.2 * least(0.6 * least(node.B, 150.0), 64.0) * s3(node.A * (1.0 / 4e6) - 1.0)

    def side_of_way(self, x, y, gx, gy):
        """Height of the valley side of a node's channel, or of its lake, at a place."""
        node = end = self.node(8, x, y)
        px, py = self.smooth(x, y, 4)
        vx = vy = number(0.0)
        dx = dy = 0
        if node.to != SINK:
            dx, dy = DX[node.to], DY[node.to]
            end, to = self.node(8, x + dx, y + dy), self.smooth(x + dx, y + dy, 4)
            vx, vy = to[0] + number(256 * dx) - px, to[1] + number(256 * dy) - py
        S, I, _, _ = self.steepened(x, y)
        q, fall = vx * vx + vy * vy, most(node.z - end.z, 0.0)
        along = ((gx - px) * vx + (gy - py) * vy) / q if q > 0.0 else number(0.0)
        t = clamp(along, 0.0, 1.0)
        past = -along * (1.3 * most(fall, I * np.sqrt(q))) if along < 0.0 else (along - t) * (0.5 * fall)
        b = self.floor(x, y)
        b = b + t * (self.floor(x + dx, y + dy) - b)
        return most(node.z + t * (end.z - node.z) + S * vside(length(gx - px - t * vx, gy - py - t * vy), b) + past, node.W)

    def wandered(self, x, y, g):
        m, gx, gy = g.m, g.x, g.y
        if m > 0.0:
            X, Y, sx, sy = x * 65536 + int(g.x * 256.0), y * 65536 + int(g.y * 256.0), 0.0, 0.0
            for s in self.splines(300, 18, 3, X, Y, 2):
                sx, sy = sx + s[0], sy + s[1]
            gx, gy = gx + clamp(m * sx, -64.0, 64.0), gy + clamp(m * sy, -64.0, 64.0)
        return g._replace(x=np.rint(gx * 256.0) * (1.0 / 256.0), y=np.rint(gy * 256.0) * (1.0 / 256.0))

    @remembered
    def pieces(self, x, y):
        """Rows x y vx vy inv z dz S dS b db before after A dA W of the three pieces."""
        node = next_ = last = self.node(8, x, y)
        P = Q = R = self.bank(x, y, 0, 0)
        _, up, is_sill, _ = self.steepened(x, y)
        if node.to != SINK:
            qx, qy = DX[node.to], DY[node.to]
            next_ = last = self.node(8, x + qx, y + qy)
            Q = R = self.bank(x, y, qx, qy)
            if next_.to != SINK:
                rx, ry = qx + DX[next_.to], qy + DY[next_.to]
                R, last = self.bank(x, y, rx, ry), self.node(8, x + rx, y + ry)
            if self.steepened(x + qx, y + qy)[2]:
                Q = Q._replace(z=Q.z if node.z > node.W else next_.z)
                R = R._replace(z=Q.z)
            if next_.z <= next_.W and next_.to != SINK:
                R = R._replace(z=last.z)

        def mix(a, b, s):
            return Bank(*[p + s * (q - p) for p, q in zip(a, b)])

        g0 = P if self.inflow(x, y) is None else mix(P, Q, 0.3)
        g1, g3 = mix(Q, P, 0.3), mix(Q, R, 0.3)
        g2 = Bank(*[0.25 * (a + c) + 0.5 * q for a, c, q in zip(g1, g3, Q)])
        if is_sill:
            g0 = g0._replace(z=P.z)
        g = [g0, g1, g2, g3]
        if node.A > 4e6 and node.W <= node.z and node.to != SINK:
            for i in (1, 2):
                sides = [self.side_of_way(x + a, y + b, g[i].x - number(256 * a), g[i].y - number(256 * b))
                         for b in range(-2, 3) for a in range(-2, 3) if a or b]
                g[i] = g[i]._replace(z=least(most(least(g[i].z, min(sides)), g3.z), g[i - 1].z))
        g = [self.wandered(x, y, p) for p in g]
        A = node.A if self.inflow(x, y) is not None else least(node.A, 256.0 * 256.0)
        greatest, s, rows = least(next_.A, 4.0 * A), (0.0, 0.4, 0.7, 1.0), []
        fall = 0.35 * self.bed_depth(self.half_width(greatest))
        for i in range(3):
            d = [q - p for p, q in zip(g[i], g[i + 1])]
            q = d[0] * d[0] + d[1] * d[1]
            far = np.sqrt(q)
            steep = most(-d[2] / far, 0.0) if q > 0.0 else 0.0
            W = most(node.W, next_.W)
            if g[i + 1].z - fall < last.W:
                W = most(W, last.W)
            rows.append((g[i].x, g[i].y, d[0], d[1], 1.0 / q if q > 0.0 else 0.0, g[i].z, d[2], g[i].S, d[3], g[i].b, d[4],
                         1.3 * most(steep, up) * far, 0.5 * steep * far, A + s[i] * (greatest - A), (s[i + 1] - s[i]) * (greatest - A),
                         W))
            up = most(steep, 0.7 * up)
        assert all(isinstance(v, np.float32) for row in rows for v in row)
        return np.array(rows, np.float32)

    @remembered
    def pieces_around(self, cx, cy, reach):
        """Pieces of the cells around a cell, in order, with positions relative to its corner."""
        rows = []
        for b in range(-reach, reach + 1):
            for a in range(-reach, reach + 1):
                r = self.pieces(cx + a, cy + b).copy()
                r[:, 0] += number(256 * a)
                r[:, 1] += number(256 * b)
                rows.append(r)
        return np.concatenate(rows)

    # ---- the ground ----

    @remembered
    def ground(self, x, y):
        X, Y = self.turned(x, y, *self.warp(x, y))
        v = self.province_between(X, Y)
        p = self.pieces_around(X >> 16, Y >> 16, 4).T
        rx, ry = number((X & 65535) / 256) - p[0], number((Y & 65535) / 256) - p[1]
        along = (rx * p[2] + ry * p[3]) * p[4]
        t = least(most(along, 0.0), 1.0)
        ax, ay = fma(-t, p[2], rx), fma(-t, p[3], ry)
        q = fma(ax, ax, ay * ay)
        past = np.where(along < 0.0, -along * p[11], (along - t) * p[12])
        pz, pS = fma(t, p[6], p[5]), fma(t, p[8], p[7])

        def side(distance, square):
            u = pS * vside(distance, fma(t, p[10], p[9]))
            far = most(0.0, square * (1.0 / (256.0 * 256.0)) - 1.15 * 1.15) * (1.0 / (1.45 * 1.45 - 1.15 * 1.15))
            return pz + rise(pz, u, v.top, v.above) + past + 8.0 * 256.0 * far * far

        h = side(np.sqrt(q), q)
        nearer = most(np.sqrt(q) - 48.0, 0.0)
        ring = least(side(nearer, nearer * nearer), h - 48.0 * pS)
        reach = least(0.36 * 256.0 * pS, 0.7 * (h - pz))
        counts = np.flatnonzero(q < 1.45 * 1.45 * 256.0 * 256.0)
        k = counts[np.argmin(h[counts])]
        low, cz, reach0 = h[k], pz[k], reach[k]
        drained = cz if fma(t[k], p[14][k], p[13][k]) > 4e6 and not is_lake(p[15][k]) else 1e30
        total = raised = 0.0
        high, lake, inside, dam = low - cz, NO_LAKE, NO_LAKE, NO_LAKE
        rate = (low - cz) / reach0 if reach0 > 0.0 else 0.0
        for i in counts:
            over, W = h[i] - low, p[15][i]
            if over < reach0:
                high = least(high, h[i] - pz[i] + over * rate)
            r = least(reach0, reach[i])
            if over < r:
                c = 1.0 - over / r
                c = c * c
                total, raised = total + c, raised + c * over
            if is_lake(W):
                beyond = ring[i] - W - 1.0
                if beyond < 0.0:
                    lake = most(lake, W)
                if h[i] < W and drained >= W:
                    inside = most(inside, W)
                elif beyond < 15.0:
                    dam = most(dam, least(W, W - 2.0 * beyond))
        crest = low + raised / total if total > 0.0 else low
        height = most(crest, dam) if dam > inside else crest
        PLAT = (1.0 - v.above) * (1.0 / 0.93)
        above = least(high + (height - low), height - lake)
        strength = (least(1.6 * v.slope, 1.2) * (1.0 - PLAT * s3((height - v.top + 40.0) * (1.0 / 80.0))) *
                    (0.1 + 0.9 * s3((height - self.sea + 30.0) * (1.0 / 60.0))) * s3(v.slope * (1.0 / 0.06)))
        return Ground(height, lake, above, strength, v.alpine, 1.0 / (2.0 * (1.0 + 1.5 * v.ice) * most(strength, 0.01)),
                      0.75 * (1.0 - 0.8 * PLAT), clamp(2.0 * above / (0.8 * most(v.slope, 0.005) * 256.0) - 1.0, -0.1, 1.0),
                      np.sqrt(q[k]), fma(t[k], p[14][k], p[13][k]))

    def ground_value(self, x, y, name):
        S = 16 if x % 16 or y % 16 else 1
        return getattr(self.ground(x, y), name) if S == 1 else self.between(lambda u, v: getattr(self.ground(u, v), name), x, y, 16)

    # ---- gullies ----

    CELL, STEP = (128, 32, 16), (32, 16, 8)

    @remembered
    def kernel(self, o, cx, cy, n):
        """kx, ky, cosine, sine, mask of a cell of octave o after n rounds."""
        if n > 0:
            kx, ky, cosine, sine, mask = self.kernel(o, cx, cy, n - 1)
            inv = 1.0 / most(kx * kx + ky * ky, 1e-12)
            C, D = 0.1 * cosine, 0.1 * sine
            bx, by, bc, bs, _ = np.array([self.kernel(o, cx + dx, cy + dy, n - 1) for dx, dy in AROUND], np.float32).T
            dx, dy = np.array(AROUND, np.float32).T
            w = most(0.0, (kx * bx + ky * by) * inv) * np.where(dx * dy == 0.0, 0.4966, 0.2466)
            c1, s1 = turn(-0.5 * ((kx + bx) * dx + (ky + by) * dy))
            lc, ls = w * c1, w * s1
            for k in range(8):
                C, D = fma(lc[k], bc[k], fma(-ls[k], bs[k], C)), fma(ls[k], bc[k], fma(lc[k], bs[k], D))
            scale = 1.0 / (np.sqrt(C * C + D * D) + 1e-9)
            return kx, ky, C * scale, D * scale, mask
        c, waves = self.CELL[o], (0.5, 0.35355339, 0.5)[o]
        at = [((cx + a) * c, (cy + b) * c) for b in (0, 1) for a in (0, 1)]
        h = [self.ground(*p).height + (self.carved(o - 1, *p)[0] if o else 0.0) for p in at]
        st = [self.ground(*p).strength for p in at]
        R = 0.25 * ((st[0] + st[1]) + (st[2] + st[3]))
        scale = 0.5 / number(c)
        gx, gy = ((h[1] + h[3]) - (h[0] + h[2])) * scale, ((h[2] + h[3]) - (h[0] + h[1])) * scale
        g = np.sqrt(gx * gx + gy * gy) + 1e-12
        n = self.byte(316 + o, cx, cy)
        turns = (1.0 + 0.35 * (number(n >> 4) - 7.5) * (1.0 / 7.5)) * waves / g
        return (-gy * turns, gx * turns) + turn(number(n & 15) * (1.0 / 16.0)) + (
            s3((g / (0.62 * most(R, 1e-6)) - 0.05) * (1.0 / 0.45)),)

    def added(self, o, x, y, f):
        """V at a point, and the fade after this octave."""
        c = self.CELL[o]
        ux, uy = (x - c // 2) // c, (y - c // 2) // c
        in_x, in_y = number((x - c // 2 - ux * c) / c), number((y - c // 2 - uy * c) / c)
        C = D = mask = total = 0.0
        for oy in (0, 1):
            for ox in (0, 1):
                kx, ky, cosine, sine, its_mask = self.kernel(o, ux + ox, uy + oy, 3)
                tx, ty = in_x - number(ox), in_y - number(oy)
                e = most(0.0, 1.0 - (tx * tx + ty * ty) * (1.0 / 1.2))
                w = e * e * e
                c1, s1 = turn(kx * tx + ky * ty)
                C, D = C + w * (c1 * cosine - s1 * sine), D + w * (s1 * cosine + c1 * sine)
                mask, total = mask + w * its_mask, total + w
        inv = 1.0 / total
        C, D = C * inv, D * inv
        alpine, strength = self.ground_value(x, y, "alpine"), self.ground_value(x, y, "strength")
        m = np.sqrt(C * C + D * D) + 1e-6
        k = C / m
        ridge = 1.0 - (np.sqrt((1.0 - k) * 0.5 + 0.012) - 0.10954451) * 2.2361166
        valley = (np.sqrt((1.0 + k) * 0.5 + 0.012) - 0.10954451) * 2.2361166 - 1.0
        g = k + (alpine * 0.5 + 0.45) * (ridge - k) + 0.15 * (valley - k)
        g = (g + 1.0) * s3(m * 2.0) - 1.0
        share = mask * inv * least(1.0, 3.0 * (1.0 - f * f))
        share = most(0.04, share + (1.0 - share) * s3((f + 0.2) * (1.0 / 0.6)))
        f = f + (g - f) * share
        soft = (0.9, 0.5, 0.2)[o]
        return (20.66, 5.35, 1.386)[o] * (soft + (1.0 - soft) * alpine) * strength * f, f

    @remembered
    def before(self, o, x, y):
        """State of a point before octave o is added."""
        if o == 0:
            return 0.0, 0.0, self.ground_value(x, y, "fade")
        s = self.STEP[o]
        if x % (2 * s) == 0 and y % (2 * s) == 0:
            return self.carved(o - 1, x, y)
        return tuple(self.halved(lambda u, v: self.carved(o - 1, u, v)[k], x, y, s) for k in range(3))

    @remembered
    def seen(self, o, x, y):
        c = self.CELL[o]
        if x % (2 * c) == 0 and y % (2 * c) == 0:
            return self.added(o, x, y, self.before(o, x, y)[2])[0]
        s = self.STEP[o]
        while x % (2 * s) == 0 and y % (2 * s) == 0:
            s *= 2
        return self.halved(lambda u, v: self.seen(o, u, v), x, y, s)

    @remembered
    def carved(self, o, x, y):
        whole, kept, f = self.before(o, x, y)
        V, f = self.added(o, x, y, f)
        change = V - self.seen(o, x, y)
        a = (20.66, 5.35, 1.386)[o]
        share = s3((self.ground_value(x, y, "above") + kept) * self.ground_value(x, y, "reach") * (1.0 / a))
        return whole + V, kept + change * share * (0.9 if change < 0.0 else self.ground_value(x, y, "add")), f

    # ---- heights, water, layers ----

    @remembered
    def height(self, x, y, step):
        """Height before rivers and beaches, at the level of detail with this step."""
        if step < 8:
            u, v = x % (2 * step) != 0, y % (2 * step) != 0
            if not u and not v:
                return self.height(x, y, 2 * step)
            at = lambda x, y: self.height(x, y, 2 * step)
            corners = [at(*p) for p in self.corners(x, y, 2 * step)[0]]
            low, high = min(corners), max(corners)
            r = number(self.byte(324 + {4: 0, 2: 1, 1: 2}[step], x // step, y // step) - 128)
            return clamp(fma(r, (high - low) * (0.12 / 256.0), self.halved(at, x, y, step)), low, high)
        around = [self.ground(*p) for p in self.corners(x, y, max(step, 16))[0]]
        lake = min(g.lake for g in around)
        h = self.halved(lambda u, v: self.ground(u, v).height, x, y, 8) if step == 8 else self.ground(x, y).height
        if is_lake(lake):
            h = most(h, min(g.height for g in around))
        octaves = sum(step < 2 * c for c in self.CELL)
        kept = self.carved(octaves - 1, x, y)[1] if octaves else 0.0
        return h + kept * s3((h - lake) * (1.0 / 8.0)) if is_lake(lake) else h + kept

    def beach(self, a):
        d = a - self.sea
        return d * (0.75 * d * d / (d * d + 36.0) + 0.25) + self.sea

    def half_width(self, A):
        return least(0.00125 * np.sqrt(A), 160.0)

    def bed_depth(self, width):
        return width / (6.0 + 0.12 * width) * s3((width - 0.4) * (1.0 / 1.6))

    def sample(self, lod, x, y):
        step = 1 << lod
        S = max(step, 16)
        lake = min(self.ground(*p).lake for p in self.corners(x, y, S)[0])
        wx, wy = (self.between(lambda u, v: self.warp(u, v)[c], x, y, S) for c in (0, 1))
        X, Y = self.turned(x, y, wx, wy)
        v = self.province_between(X, Y)
        bank, best = NO_LAKE, 1e30
        pieces = self.pieces_around(X >> 16, Y >> 16, 3)
        for n, p in enumerate(pieces):
            if not (p[13] > 4e6 and pieces[n // 3 * 3 + 2][13] > 4e6):
                continue
            rx, ry = number((X & 65535) / 256) - p[0], number((Y & 65535) / 256) - p[1]
            along = (rx * p[2] + ry * p[3]) * p[4]
            t = least(most(along, 0.0), 1.0)
            ax, ay = fma(-t, p[2], rx), fma(-t, p[3], ry)
            q = fma(ax, ax, ay * ay)
            A = fma(t, p[14], p[13])
            w = self.half_width(A)
            key = np.sqrt(q) - w
            if key >= 36.0:
                continue
            back = most(along, 0.0) - 12.0 * np.sqrt(p[4])
            low = 1.0 - least(most(key, 0.0) * (1.0 / 12.0), 1.0)
            level = most(fma(back, p[6], p[5]) - 0.35 * self.bed_depth(w) * low, p[15])
            bank = most(bank, level - 0.4 * most(key - 12.0, 0.0))
            if key < best:
                best, rz, rW, rq, rA, rwidth = key, most(fma(t, p[6], p[5]), p[15]), p[15], q, A, w
        at = lambda name: self.between(lambda u, v: getattr(self.ground(u, v), name), x, y, S)
        if best < 36.0:
            above = at("height") + 2.0
            rz = most(least(rz, above), rW)
            bank = least(bank, most(above, rz) + 8.0)
        h = self.height(x, y, step)
        is_in_lake = h < lake
        level = lake if is_in_lake else NO_LAKE
        if best < 36.0:
            k = most(best, 0.0)
            side = fma(k, fma(k, 0.03, 0.12 + 0.4 / (1.0 + rwidth)), rz)
            h = least(h, most(side, lake))
        if best < 0.0:
            depth = self.bed_depth(rwidth)
            h = least(h, rz - depth * (1.0 - rq / (rwidth * rwidth)))
            level = most(level, rW if is_in_lake else most(rz - 0.35 * depth, rW))
        if best < 36.0 and h >= level - 0.01:
            h = most(h, most(bank, lake))
        h = self.beach(h)
        if is_lake(level):
            level = self.beach(level)
        if h < self.sea:
            level = most(level, self.sea)
        is_bed = best < 0.0
        layers = (h, level if level > h else number(math.nan), rA if is_bed else at("area"), np.sqrt(rq) if is_bed else at("distance"),
                  v.relief, v.flat, (1.0 - v.above) * (1.0 / 0.93), v.ice, v.dry)
        assert all(isinstance(value, np.float32) for value in layers)
        return layers


def bits(value):
    return "nan" if math.isnan(value) else "%08x" % struct.unpack("<I", struct.pack("<f", value))


def check(path):
    worlds, n_samples, wrong = {}, 0, 0
    for line in open(path):
        words = line.split()
        if line.startswith("#") or int(words[9]) not in (0, 4, 9):
            continue
        key = (int(words[0]),) + tuple(float(w) for w in words[1:9])
        if key not in worlds:
            worlds[key] = World(*key)
        lod, x, y = (int(w) for w in words[9:12])
        got = [bits(v) for v in worlds[key].sample(lod, x, y)]
        n_samples += 1
        for name, expected, found in zip(LAYERS, words[12:21], got):
            if expected != found:
                wrong += 1
                print("seed %d, lod %d at %d,%d: %s is %s, expected %s" % (key[0], lod, x, y, name, found, expected))
    print("%d samples, %d values, %d wrong" % (n_samples, n_samples * len(LAYERS), wrong))
    return 1 if wrong or n_samples == 0 else 0


def main():
    np.seterr(all="ignore")
    sys.setrecursionlimit(100000)
    if len(sys.argv) < 3:
        return check(sys.argv[1])
    for place in sys.argv[2:]:
        seed, lod, x, y = (int(w) for w in place.split(":"))
        print(place, *["%s %s %.9g" % (n, bits(v), v) for n, v in zip(LAYERS, World(seed, 0, 1, 0, 0, 0, 0, 0, 0).sample(lod, x, y))])
    return 0


if __name__ == "__main__":
    sys.exit(main())
