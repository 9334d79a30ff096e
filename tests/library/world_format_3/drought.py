"""drought.py - what a dry climate takes: the water of rivers and lakes, and the soil that smooths hillsides."""

import numpy as np

from world_format_3.ground import GROUND
from world_format_3.numbers import binary32, clamp, fma, least, most, smoothstep
from world_format_3.remembered import remembered
from world_format_3.slopes import BROOK


@binary32
def rainfall(both, over, land):
    """Precipitation at a height above the sea, from that of the land around."""
    d = over - land
    return both * (1.0 + 0.5 * (d / (abs(d) + 900.0)))


@binary32
class Drought:
    """The drought of a world. set_drought() sets its parameter, and the other functions change the ground and the
    layers of samples."""

    def set_drought(self, drought):
        self.drought = np.float32(drought)

    @remembered
    def climate_of(self, x, y):
        """The five numbers of the climate at points: mean, range, summer, winter, land."""
        found = [self.climate_at(0, int(u), int(v)) for u, v in zip(x, y)]
        return [np.array(f, np.float32) for f in zip(*found)]

    def dry(self, x, y, h):
        """0 where forest grows at height h, and up to 1 where it is too dry for it."""
        mean, _, summer, winter, land = self.climate_of(x, y)
        over = most(h - self.sea, 0.0)
        T, both = fma(over, -0.0065, mean), summer + winter
        season, rain = (summer - winter) / most(both, 1.0), rainfall(both, over, land)
        forest = most(20.0 * T + 140.0 * (1.0 + season), 60.0)
        return self.drought * clamp((forest - rain) / (0.7 * forest), 0.0, 1.0)

    def dried_ground(self, x, y, fields):
        """The fields of the ground at points of spacing 32 m with drought."""
        ground = dict(zip(GROUND, fields))
        dry, strength = self.dry(x, y, ground["height"]), ground["strength"]
        ground["strength"] = strength * fma(0.5, dry, 1.0)
        ground["alpine"] = most(ground["alpine"], 0.8 * dry * smoothstep(strength * 2.5))
        ground["rough"] = least(ground["rough"], 1.4 / most(ground["strength"], 0.01))
        return list(ground.values())

    def losses(self, dry, flow):
        """Shares of their water that rivers and lakes with this layer flow lose."""
        area = flow * (1.0 / 262144.0) / (self.spacing * self.spacing)
        a = fma(3.5, dry, 1.0)
        a = a * a
        a = a * a
        enough = (2.0 * BROOK) * (a * a)
        river = 1.0 - smoothstep((area / enough - 0.5) * (1.0 / 1.5)) if dry > 0.0 else np.float32(0.0)
        return river, smoothstep((dry - 0.6) * 5.0) * river

    def dried(self, x, y, layers):
        """The layers of a point with drought."""
        h, water, at = layers[0], layers[1], (np.array([x], np.int64), np.array([y], np.int64))
        dry = self.dry(*at, h)[0]
        if water > h and water > self.sea and dry > 0.0:
            is_lake_here = water <= self.around(*at, "lake").min(0)[0] + 0.01
            river, lake = self.losses(dry, layers[2])
            loss = smoothstep((water - self.sea - 1.0) * 0.25) * (lake if is_lake_here else river)
            h = most(h, water + 0.1 - (1.0 - loss) * (np.float32(40.0) if is_lake_here else np.float32(6.0)))
            water = water if water > h else np.float32(np.nan)
            layers = (h, water) + layers[2:10] + (h,) + layers[11:]
        return layers[:8] + (dry,) + layers[9:]

    def dried_mean(self, d, x, y, layers):
        """The layers of a sample of an overview with drought."""
        if d > 15:
            return layers
        h, water, top = layers[0], layers[1], layers[10]
        dry = self.dry(np.array([x], np.int64), np.array([y], np.int64), h)[0]
        if water > self.sea + 5.0 and self.losses(dry, layers[2])[1] > 0.5:
            h, water, top = water, np.float32(np.nan), most(top, water)
        return (h, water) + layers[2:8] + (dry, layers[9], top) + layers[11:]
