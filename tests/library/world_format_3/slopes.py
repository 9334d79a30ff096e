"""slopes.py - functions of slopes, rivers and beds."""

import numpy as np

from world_format_3.numbers import binary32, fma, least, most, number, smoothstep

BROOK, RIVER = np.float32(2), np.float32(15)
LAW = np.array(
    (0.00340064, 0.00634575, 0.0118415, 0.0220970, 0.0412346, 0.0769464, 0.143587, 0.267943, 0.5), np.float32
)


@binary32
def hillslope(relief, cap, round_, n):
    L = number(65536 >> n)
    s = LAW[n] * relief * 1.6
    s2, c2 = s * s, cap * cap
    return s * cap / np.sqrt(np.sqrt(s2 * s2 + c2 * c2)) * L / (L + 0.35 * round_)


@binary32
def profile(dist, f):
    t = dist - f
    return 0.5 * (t + np.sqrt(t * t + 0.15 * f * f)) - 0.0361903 * f


@binary32
def rise(v, z, u):
    r = least(most(v.top - z, 0.0), u)
    return r + v.upper * (u - r)


@binary32
def valley(dist, f):
    far = most(dist - 260.0, 0.0)
    side = profile(dist, f + 8.0) * fma(-0.3, least(dist * (1.0 / 256.0), 1.0), 1.0)
    return side + 0.02 * dist + far * far * (1.0 / 600.0)


@binary32
def bed_width(area):
    return least(0.64 * np.sqrt(area), 160.0)


@binary32
def bed_depth(w):
    return w / (6.0 + 0.12 * w) * smoothstep((w - 0.4) * (1.0 / 1.6))


@binary32
def water_drop(w):
    return 0.35 * bed_depth(w)


@binary32
def rim(area):
    return 8.0 - 9.5 * smoothstep(area * (1.0 / 2.0) - 1.0)


@binary32
def root(area):
    return 256.0 * np.sqrt(number(area))
