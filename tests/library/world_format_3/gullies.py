"""gullies.py - displacement of points, and two octaves of gullies."""

import numpy as np

from world_format_3.cells import AROUND
from world_format_3.ground import GROUND, Ground
from world_format_3.numbers import binary32, fma, integer, least, length, most, number, smoothstep, turn
from world_format_3.remembered import remembered


@binary32
class Gullies(Ground):
    """Displacement and gullies of a world."""

    NOISE = {16: np.float32(0.0), 8: np.float32(0.02), 4: np.float32(0.04), 2: np.float32(0.085), 1: np.float32(0.07)}
    RILLS = {16: np.float32(0.08), 8: np.float32(0.12), 4: np.float32(0.14)}

    def displaced(self, s, x, y, f, rough):
        """Displacement of points of spacing s. f: values at the corners nw, ne, sw, se of their squares."""
        i, j, k = x // s, y // s, s.bit_length() - 1
        nw, ne, sw, se = f
        gx, gy = 0.5 * ((ne + se) - (nw + sw)), 0.5 * ((sw + se) - (nw + ne))
        size = (length(gx, gy) + 0.02 * number(2 * s)) * (most(rough, 0.5) if s < 4 else rough)
        loud = np.where((i & 1 == 1) & (j & 1 == 1), self.NOISE[s] * 0.6, self.NOISE[s])
        r = (number(self.byte(320 + k, i, j)) - 127.5) * (loud * (1.0 / 127.5))
        if s >= 4:
            inv = 1.0 / (most(abs(gx), abs(gy)) + 1e-12)
            ex, ey, total = gx * inv, gy * inv, np.zeros_like(gx)
            for n in range(-4, 5):
                at = [z + integer(np.rint(e * number(n))) for z, e in ((i, ex), (j, ey))]
                total = total + number(self.byte(320 + k, *at))
            m = (total - 1147.5) * (1.0 / 382.5)
            r = fma(self.RILLS[s], m - 0.5 * (m * m - 1.0 / 3.0), r)
        return size * r

    def square(self, s, x, y):
        """Corners of the squares with sides of 2 s in which new points of spacing s lie."""
        u, v = x // (2 * s) * (2 * s), y // (2 * s) * (2 * s)
        return np.stack((u, u + 2 * s, u, u + 2 * s)), np.stack((v, v, v + 2 * s, v + 2 * s))

    CELL, STEP = (128, 32), (32, 16)
    WAVES, AMP, SOFT = (np.array(f, np.float32) for f in ((0.5, 0.35355339), (20.66, 12.3), (0.9, 0.5)))

    @remembered
    def kernel(self, o, rounds, cx, cy):
        """kx, ky, cosine, sine, mask of a cell of octave o after `rounds` rounds."""
        if rounds > 0:
            near = np.array([(0, 0)] + AROUND)[:, :, None]
            blocks = [f for f in np.stack(self.kernel(o, rounds - 1, cx + near[:, 0], cy + near[:, 1]), 1)]
            kx, ky, cosine, sine, mask = blocks[0]
            inv = 1.0 / most(kx * kx + ky * ky, 1e-12)
            C, D = 0.1 * cosine, 0.1 * sine
            for (a, b), (bx, by, bc, bs, _) in zip(AROUND, blocks[1:]):
                w = most(0.0, (kx * bx + ky * by) * inv) * (0.4966 if a == 0 or b == 0 else 0.2466)
                c1, s1 = turn(-0.5 * ((kx + bx) * number(a) + (ky + by) * number(b)))
                lc, ls = w * c1, w * s1
                C, D = fma(lc, bc, fma(-ls, bs, C)), fma(ls, bc, fma(lc, bs, D))
            scale = 1.0 / (np.sqrt(C * C + D * D) + 1e-9)
            return kx, ky, C * scale, D * scale, mask
        c = self.CELL[o]
        at = np.stack((cx, cx + 1, cx, cx + 1)) * c, np.stack((cy, cy, cy + 1, cy + 1)) * c
        H, T = [self.ground(*at)[GROUND.index(name)] for name in ("height", "strength")]
        if o:
            H = H + self.carved(0, *at)[0]
        mean, scale = 0.25 * ((T[0] + T[1]) + (T[2] + T[3])), 0.5 / number(c)
        gx, gy = ((H[1] + H[3]) - (H[0] + H[2])) * scale, ((H[2] + H[3]) - (H[0] + H[1])) * scale
        g, n = np.sqrt(gx * gx + gy * gy) + 1e-12, self.byte(316 + o, cx, cy)
        turns = (1.0 + 0.35 * (number(n >> 4) - 7.5) * (1.0 / 7.5)) * self.WAVES[o] / g
        cosine, sine = turn(number(n & 15) * (1.0 / 16.0))
        mask = smoothstep((g / (0.62 * most(mean, 1e-6)) - 0.05) * (1.0 / 0.45)) * (
            1.0 + 0.8 * (number((n * 7 >> 2) & 15) * (1.0 / 7.5) - 1.0)
        )
        return -gy * turns, gx * turns, cosine, sine, mask

    def gully(self, o, x, y, f):
        c = self.CELL[o]
        ux, uy = (x - c // 2) // c, (y - c // 2) // c
        in_x, in_y = number(x - c // 2 - ux * c) / number(c), number(y - c // 2 - uy * c) / number(c)
        C, D, strong, total = [np.zeros(x.shape, np.float32) for _ in range(4)]
        corners = np.array(((0, 0), (1, 0), (0, 1), (1, 1)))
        kernels = self.kernel(o, 3, ux + corners[:, :1], uy + corners[:, 1:])
        for (ox, oy), kx, ky, cosine, sine, mask in zip(corners, *kernels):
            tx, ty = in_x - number(ox), in_y - number(oy)
            e = most(0.0, 1.0 - (tx * tx + ty * ty) * (1.0 / 1.2))
            w = e * e * e
            c1, s1 = turn(kx * tx + ky * ty)
            C, D = C + w * (c1 * cosine - s1 * sine), D + w * (s1 * cosine + c1 * sine)
            strong, total = strong + w * mask, total + w
        inv = 1.0 / total
        C, D = C * inv, D * inv
        alpine, strength, rough = self.ground_at(x, y, "alpine", "strength", "rough")
        m = np.sqrt(C * C + D * D) + 1e-6
        k = C / m
        ridge = 1.0 - (np.sqrt((1.0 - k) * 0.5 + 0.2) - 0.44721359) * 3.08531713
        trough = (np.sqrt((1.0 + k) * 0.5 + 0.003) - 0.0547722578) * 2.11254215 - 1.0
        n = k + (alpine * 0.85 + 0.1) * (ridge - k) + 0.9 * (trough - k)
        n = (n + 1.0) * smoothstep(m * 2.0) - 1.0
        enter = strong * inv * least(1.0, 3.0 * (1.0 - f * f))
        enter = most(0.04, enter + (1.0 - enter) * smoothstep((f + 0.2) * (1.0 / 0.6)))
        f = f + (n - f) * enter
        soft = self.SOFT[o]
        return (rough if o else 0.7) * self.AMP[o] * (soft + (1.0 - soft) * alpine) * strength * f, f

    def before(self, o, x, y):
        """whole, kept and fade before octave o, at points of spacing 32 m for o = 0 and of 16 m for o = 1."""
        if o == 0:
            zero = np.zeros(x.shape, np.float32)
            return [zero, zero, self.ground(x, y)[GROUND.index("fade")]]
        return self.halved(lambda u, v: self.carved(0, u, v), x, y, 16)

    @remembered
    def seen(self, o, x, y):
        c, value = self.CELL[o], np.empty(x.shape, np.float32)
        for s in [self.STEP[o] << k for k in range(8)]:
            is_last = s == 2 * c
            which = np.flatnonzero((x % s == 0) & (y % s == 0) & (is_last | (x % (2 * s) != 0) | (y % (2 * s) != 0)))
            if which.size and is_last:
                value[which] = self.gully(o, x[which], y[which], self.before(o, x[which], y[which])[2])[0]
            elif which.size:
                value[which] = self.halved(lambda u, v: self.seen(o, u, v), x[which], y[which], s)[0]
            if is_last:
                return [value]

    @remembered
    def carved(self, o, x, y):
        """whole, kept and fade of points after octave o."""
        whole, kept, f = self.before(o, x, y)
        V, f = self.gully(o, x, y, f)
        above, rate, gain = self.ground_at(x, y, "above", "rate", "gain")
        change = V - self.seen(o, x, y)[0]
        stay = smoothstep((above + kept) * rate * (1.0 / self.AMP[o]))
        return whole + V, kept + change * stay * np.where(change < 0.0, 0.9, gain), f

    def kept(self, x, y):
        """By how much gullies and displacement change the height of points of spacing 16 m: `kept` of the document. An
        octave is not computed at points that it cannot change."""
        value = np.zeros(x.shape, np.float32)
        coarse, middle = (x % 256 == 0) & (y % 256 == 0), (x % 64 == 0) & (y % 64 == 0)
        for o, which in ((0, middle & ~coarse), (1, ~middle)):
            which = np.flatnonzero(which)
            if which.size:
                value[which] = self.carved(o, x[which], y[which])[1]
        new = np.flatnonzero((x % 32 != 0) | (y % 32 != 0))
        if new.size:
            corners = self.square(16, x[new], y[new])
            f, rough = [self.ground(*corners)[GROUND.index(name)] for name in ("height", "rough")]
            value[new] = value[new] + self.displaced(16, x[new], y[new], f, rough[0])
        return value
