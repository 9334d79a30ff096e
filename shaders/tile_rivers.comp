// tile_rivers.comp - computes the cover of narrow rivers, of the dry beds of rivers, of glaciers and of sand at the
// samples of new tiles, and whether a tile has these, or other water.
//
// A river narrower than the sample distance meets some samples and misses others. But all samples on both sides of the
// river have the distance to its middle (layer shore). From these distances the river is drawn as a connected line.
layout(local_size_x = 256) in;
#include "frame.glsl"
#include "pages.glsl"

struct StagingTile { int slot; float step_m, spacing_m; uint covers; };
layout(std430, binding = 2) readonly buffer StagingTiles { StagingTile staging_tiles[]; };
layout(std430, binding = 4) writeonly buffer RiverCover { uint river_cover[]; };
// height, water, flow, shore, glacier, dryness and sand of STAGING_TILES tiles each
layout(std430, binding = 6) readonly buffer Layers { float layers[]; };

// Of src/library/fluvial/river_size.h, for a lattice step of 1 m: area of a cell of the network, m2; least number of
// cells that a river with water drains; half width, m, of a river that drains one cell; greatest half width, m
layout(location = 0) uniform vec4 river_size;

shared uint found;

// Half width of a river that drains some cells, m.
float half_width(float cells, float spacing_m)
{
    return min(river_size.z * sqrt(cells), river_size.w) * spacing_m;
}

// Share of a strip around a sample that a river covers. The strip is 1.4 sample distances wide. 0 for a river so wide
// that the samples of layer water show it.
float narrow_cover(float area, float away, float step_m, float spacing_m)
{
    float cells = area / (river_size.x * spacing_m * spacing_m);
    if (!(cells >= river_size.y))
        return 0.0;
    float w = half_width(cells, spacing_m), strip = 0.7 * step_m;
    float share = max(min(w, away + strip) - max(-w, away - strip), 0.0) / (2.0 * strip);
    return share * (1.0 - smoothstep(0.8, 1.6, w / step_m));
}

// Share of a strip around a sample that the bed of a dry river covers. Such a bed is wider than the river, because
// floods move its banks, and even small channels have one.
float bed_cover(float area, float away, float step_m, float spacing_m)
{
    float cells = area / (river_size.x * spacing_m * spacing_m), w = 2.0 * half_width(cells, spacing_m) + 1.5,
          strip = 0.7 * step_m;
    return max(min(w, away + strip) - max(-w, away - strip), 0.0) / (2.0 * strip) * smoothstep(0.5, 1.0, cells);
}

// Share of a narrow river that is left in a dry climate; ter_river_loss of src/library/fluvial/river_size.h.
float river_left(float dry, float cells)
{
    float least = river_size.y * pow(1.0 + 3.5 * dry, 8.0);
    return dry > 0.0 ? smoothstep(0.5, 2.0, cells / least) : 1.0;
}

// Byte of the cover of a sample: ice, or else sand, or else a dry bed where a river has lost more than half of its
// water, or else a river.
uint cover_byte(StagingTile to, int tile, int n)
{
    float flow = layers[(STAGING_FLOW * STAGING_TILES + tile) * TILE_FLOATS + n],
          shore = layers[(STAGING_SHORE * STAGING_TILES + tile) * TILE_FLOATS + n], left = 1.0;
    if ((to.covers & STAGING_HAS_GLACIERS) != 0u) {
        float ice = layers[(STAGING_GLACIER * STAGING_TILES + tile) * TILE_FLOATS + n];
        if (ice > 0.0)
            return uint(float(COVER_BED) + 1.5 + float(COVER_ICE - COVER_BED - 1) * min(ice / COVER_ICE_M, 1.0));
    }
    if ((to.covers & STAGING_HAS_SAND) != 0u) {
        float sand = layers[(STAGING_SAND * STAGING_TILES + tile) * TILE_FLOATS + n];
        if (sand > 0.05)
            return uint(float(COVER_ICE) + 1.5 + float(COVER_SAND - COVER_ICE - 1) * min(sand / COVER_SAND_M, 1.0));
    }
    if ((to.covers & STAGING_HAS_DROUGHT) != 0u) {
        float dry = layers[(STAGING_DRYNESS * STAGING_TILES + tile) * TILE_FLOATS + n];
        left = river_left(dry, flow / (river_size.x * to.spacing_m * to.spacing_m));
    }
    float bed = left < 0.5 ? (1.0 - left) * bed_cover(flow, shore, to.step_m, to.spacing_m) : 0.0;
    if (bed > 0.0)
        return uint(COVER_RIVER + 1.5 + float(COVER_BED - 1 - COVER_RIVER) * min(bed, 1.0));
    return uint(float(COVER_RIVER) * left * narrow_cover(flow, shore, to.step_m, to.spacing_m) + 0.5);
}

void main()
{
    int tile = int(gl_WorkGroupID.x), words = TILE_FLOATS / 4;
    StagingTile to = staging_tiles[tile];
    found = 0u;
    barrier();
    for (int k = int(gl_LocalInvocationIndex); k < words; k += 256) {
        uint word = 0u;
        uint has = 0u;
        for (int b = 0; b < 4; b++) {
            int n = 4 * k + b;
            uint byte = cover_byte(to, tile, n);
            word |= byte << (8 * b);
            has |= byte > uint(COVER_RIVER) ? COVER_HAS_GROUND : byte > 0u ? COVER_HAS_WATER : 0u;
            has |= isnan(water_levels[to.slot * TILE_FLOATS + n]) ? 0u : COVER_HAS_WATER;
        }
        river_cover[to.slot * (words + 1) + k] = word;
        if (has != 0u)
            atomicOr(found, has);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        river_cover[to.slot * (words + 1) + words] = found;
}
