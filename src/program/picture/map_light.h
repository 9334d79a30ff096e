/* map_light.h - how a map is lit, and how water covers its land. This file is C, for relief.c, and GLSL ES, for the map
 * in a browser (examples/web). */
#ifndef TERRANE_PROGRAM_PICTURE_MAP_LIGHT_H
#define TERRANE_PROGRAM_PICTURE_MAP_LIGHT_H

#ifdef GL_ES
#define MAP_FN
#define MAP_REAL                 float
#define MAP_MAX(a, b)            max(a, b)
#define MAP_COLOR(name, r, g, b) const vec3 name = vec3(r, g, b);
#else
#include <math.h>
#define MAP_FN                   static inline
#define MAP_REAL                 double
#define MAP_MAX(a, b)            fmax(a, b)
#define MAP_COLOR(name, r, g, b) static const double name[3] = {r, g, b};
#endif

#define MAP_INK       0.9   /* opacity of lines of rivers */
#define MAP_SEA_BED   0.35  /* factor on the slopes of the sea bed, which shows less relief than land */
#define MAP_LIGHT_DEG 315.0 /* azimuth of the light: the north-west */

/* Linear colours: lines of rivers, shallow and deep lakes. */
MAP_COLOR(map_ink, 0.060, 0.210, 0.520)
MAP_COLOR(map_shallow, 0.150, 0.360, 0.600)
MAP_COLOR(map_deep, 0.055, 0.180, 0.390)

/** Lambert's law for a light from an azimuth, 45 degrees above the horizon. The result for level ground is 1. */
MAP_FN MAP_REAL map_shade(MAP_REAL east, MAP_REAL south, MAP_REAL azimuth_deg)
{
    MAP_REAL a = azimuth_deg * 0.017453292519943295, up = sqrt(0.5);
    MAP_REAL facing = up + up * (-east * sin(a) + south * cos(a));
    return MAP_MAX(facing, 0.0) / sqrt(1.0 + east * east + south * south) / up;
}

/** Light on slopes to the east and to the south: from an azimuth and, a third as strong, from the left of it. */
MAP_FN MAP_REAL map_light(MAP_REAL east, MAP_REAL south, MAP_REAL azimuth_deg)
{
    return 0.75 * map_shade(east, south, azimuth_deg) + 0.25 * map_shade(east, south, azimuth_deg - 45.0);
}

/** Factor on a colour of which the share `shaded` remains in full shade. */
MAP_FN MAP_REAL map_lit(MAP_REAL shaded, MAP_REAL light)
{
    return shaded + (1.0 - shaded) * light;
}

/** Share of the colour of deep lakes at a depth in metres. */
MAP_FN MAP_REAL map_deep_share(MAP_REAL depth_m)
{
    return 1.0 - exp(-depth_m / 40.0);
}

/** Share of ink in a pixel of which the share `open` is lake: shores are dark. */
MAP_FN MAP_REAL map_shore_share(MAP_REAL open)
{
    return 2.0 * open * (1.0 - open);
}

#endif
