/* look.c - holds the palettes and the default look. */
#include "program/surface/look.h"

#include <stddef.h>
#include <string.h>

const char *const look_palette_names[LOOK_PALETTES + 1] = {"temperate", "talk", "desert", "badlands",
                                                           "steppe",    "moon", NULL};

static const float palettes[LOOK_PALETTES][LOOK_COLORS][3] = {
    [LOOK_TEMPERATE] = {{0.052f, 0.078f, 0.021f},
                        {0.150f, 0.130f, 0.056f},
                        {0.019f, 0.034f, 0.012f},
                        {0.112f, 0.104f, 0.050f},
                        {0.125f, 0.094f, 0.062f},
                        {0.215f, 0.200f, 0.182f},
                        {0.098f, 0.092f, 0.086f},
                        {0.400f, 0.335f, 0.230f},
                        {0.800f, 0.830f, 0.880f},
                        {0.130f, 0.125f, 0.092f}},
    [LOOK_TALK] = {{0.070f, 0.190f, 0.040f},
                   {0.070f, 0.190f, 0.040f},
                   {0.070f, 0.190f, 0.040f},
                   {0.200f, 0.200f, 0.200f},
                   {0.200f, 0.200f, 0.200f},
                   {0.210f, 0.210f, 0.215f},
                   {0.150f, 0.150f, 0.155f},
                   {0.420f, 0.380f, 0.230f},
                   {0.850f, 0.860f, 0.880f},
                   {0.150f, 0.140f, 0.100f}},
    [LOOK_DESERT] = {{0.200f, 0.150f, 0.070f},
                     {0.430f, 0.290f, 0.150f},
                     {0.110f, 0.090f, 0.040f},
                     {0.440f, 0.300f, 0.160f},
                     {0.480f, 0.315f, 0.160f},
                     {0.330f, 0.210f, 0.125f},
                     {0.165f, 0.105f, 0.068f},
                     {0.520f, 0.370f, 0.205f},
                     {0.560f, 0.420f, 0.260f},
                     {0.200f, 0.160f, 0.110f}},
    [LOOK_BADLANDS] = {{0.130f, 0.115f, 0.050f},
                       {0.280f, 0.195f, 0.105f},
                       {0.050f, 0.052f, 0.025f},
                       {0.330f, 0.215f, 0.125f},
                       {0.360f, 0.200f, 0.115f},
                       {0.430f, 0.235f, 0.130f},
                       {0.215f, 0.088f, 0.052f},
                       {0.540f, 0.425f, 0.295f},
                       {0.640f, 0.560f, 0.440f},
                       {0.200f, 0.140f, 0.100f}},
    [LOOK_STEPPE] = {{0.120f, 0.120f, 0.038f},
                     {0.235f, 0.190f, 0.080f},
                     {0.040f, 0.048f, 0.018f},
                     {0.190f, 0.160f, 0.085f},
                     {0.180f, 0.130f, 0.085f},
                     {0.215f, 0.185f, 0.155f},
                     {0.110f, 0.092f, 0.078f},
                     {0.380f, 0.310f, 0.210f},
                     {0.800f, 0.830f, 0.880f},
                     {0.130f, 0.115f, 0.085f}},
    [LOOK_MOON] = {{0.125f, 0.122f, 0.118f},
                   {0.135f, 0.131f, 0.126f},
                   {0.115f, 0.112f, 0.108f},
                   {0.140f, 0.136f, 0.130f},
                   {0.128f, 0.124f, 0.119f},
                   {0.185f, 0.181f, 0.175f},
                   {0.105f, 0.102f, 0.099f},
                   {0.130f, 0.126f, 0.121f},
                   {0.200f, 0.197f, 0.192f},
                   {0.110f, 0.107f, 0.103f}},
};

void look_set_palette(look *l, look_palette palette)
{
    memcpy(l->colors, palettes[palette], sizeof l->colors);
    l->is_plain = palette == LOOK_TALK;
}

void look_default(look *l)
{
    *l = (look){.tree_line_m = 1150,
                .snow_line_m = 1750,
                .aridity = 0.1,
                .haze = 1.0,
                .clouds = 0.35,
                .cloud_base_m = 2200,
                .cloud_depth_m = 900,
                .air = 1.0};
    look_set_palette(l, LOOK_TEMPERATE);
}
