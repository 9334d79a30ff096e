// shade_sort.comp - finds the kind of each block of pixels and lists the blocks of each kind.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "pages.glsl"
#include "river_cover.glsl"
#include "picture.glsl"
#include "shade_kinds.glsl"
#include "shade_blocks.glsl"
#include "sea_level.glsl"

// Bits of the possible content of a block.
const int SHOWS_LAND = 1, SHOWS_BANKS = 2, SHOWS_RIVER = 4, SHOWS_SEA = 8;

shared int shown;

// Highest water level at the 16 samples around a position of a tile, very low if all are dry. Sets is_open if one of
// the nearest four is wet.
float highest_water(int slot, vec2 p, inout bool is_open)
{
    ivec2 first = ivec2(floor(p)) - 1;
    float highest = -1.0e9;
    int count = slot < 0 || !may_be_wet(water_of_tile(slot)) ? 0 : 16;
    for (int n = 0; n < count; n++) {
        ivec2 at = ivec2(n & 3, n >> 2);
        float w = tile_water(slot, first + at);
        if (isnan(w))
            continue;
        highest = max(highest, w);
        is_open = is_open || all(equal((at + 1) & 2, ivec2(2)));
    }
    return highest;
}

// Banks and rivers at a position, as bits: at least those that river_in_pixel of rivers.glsl, and add_river_banks and
// add_marsh of river_banks.glsl find.
int waters_at(vec2 place)
{
    vec2 p, coarser = vec2(0.0), wider = vec2(0.0);
    int lod = lod_at(place), slot = slot_from(lod, place, p), shows = 0;
    if (slot < 0)
        return 0;
    float morphing = morphing_at(lod, place), salt = frame_sea_level + 0.005;
    int parent = lod < frame_coarsest_lod && morphing > 0.0 ? slot_at(lod + 1, place, coarser) : -1;
    int own = max(lod, frame_fine_lods),
        wide = own <= frame_fine_lods + 1 ? slot_at(min(own + 2, frame_coarsest_lod), place, wider) : -1;
    bool is_open = false, is_open_there = false, is_any = false;
    float near = highest_water(slot, p, is_open), there = highest_water(parent, coarser, is_open_there),
          around = highest_water(wide, wider, is_any);
    float narrow = narrow_river(lod, slot, p) + (parent >= 0 ? narrow_river(lod + 1, parent, coarser) : 0.0);
    if (narrow > 0.0 || (is_open && near > salt) || (is_open_there && there > salt))
        shows |= SHOWS_RIVER;
    bool is_fine = (1.0 + morphing) / frame_levels[lod].samples_a_metre < 10.0;
    if (narrow > 0.0 || (is_fine && max(near, around) > salt))
        shows |= SHOWS_BANKS;
    int marsh = frame_quality > 0 ? slot_at(marsh_lod(lod), place, wider) : -1,
        count = marsh < 0 || !may_be_wet(water_of_tile(marsh)) ? 0 : 16;
    for (int n = 0; n < count; n++)
        shows |= tile_water(marsh, marsh_sample(wider, n)) > salt ? SHOWS_BANKS : 0;
    return shows;
}

// Whether a ray may meet the sea before the land. The test surface lies at the height of the highest waves, and rays up
// to a pixel over the horizon of this surface count as meeting the sea. land: distance to the land, negative: none
bool may_be_sea(vec3 d, float land)
{
    float over = frame_camera.y - frame_sea_level - HIGHEST_WAVE;
    if (over <= 0.0)
        return true;
    if (d.y > frame_pixel_width - dip_of(over))
        return false;
    vec3 m = meeting_of(d, -over);
    float sea = 2.0 * m.z / (max(-m.y, 1.0e-6) + sqrt(max(m.y * m.y - 4.0 * m.x * m.z, 0.0)));
    return land < 0.0 || sea < land;
}

// Whether the land that a ray meets is so deep in the sea that it is invisible, however high the waves are.
bool is_hidden(vec3 d, float land)
{
    float cover, sea = to_sea(d, cover);
    return frame_camera.y - frame_sea_level > HIGHEST_WAVE && sea > 0.0 && cover >= 1.0 && sea < frame_far &&
           (land - sea) * -d.y > WATER_OPAQUE + 2.0 * HIGHEST_WAVE;
}

int shown_by(vec3 ray, float depth)
{
    vec3 d = normalize(ray);
    float land = depth > 0.0 ? to_land(d, length(ray) / depth) : -1.0;
    int shows = land >= 0.0 ? SHOWS_LAND : 0;
    if (!has_layer(LAYER_WATER))
        return shows;
    if (land >= 0.0 && frame_has_rivers != 0) {
        int count = places_in_pixel(d, land);
        for (int n = 0; n < count; n++)
            shows |= waters_at(place_in_pixel(d, land, n, count));
    }
    if (may_be_sea(d, land))
        shows |= SHOWS_SEA;
    if (shows == (SHOWS_LAND | SHOWS_SEA) && is_hidden(d, land))
        shows = SHOWS_SEA;
    return shows;
}

int kind_of(int shows)
{
    if ((shows & SHOWS_SEA) != 0)
        return (shows & (SHOWS_BANKS | SHOWS_RIVER)) != 0 ? BLOCKS_WATER : (shows & SHOWS_LAND) != 0 ? BLOCKS_COAST
               : BLOCKS_SEA;
    return (shows & SHOWS_RIVER) != 0 ? BLOCKS_RIVER : (shows & SHOWS_BANKS) != 0 ? BLOCKS_BANKS
           : (shows & SHOWS_LAND) != 0 ? BLOCKS_LAND : BLOCKS_SKY;
}

void main()
{
    ivec2 pixel = band_pixel();
    shown = 0;
    barrier();
    if (all(lessThan(pixel, ivec2(frame_picture_size)))) {
        vec3 ray = ray_of(pixel);
        float sum = 0.0;
        for (int n = 0; n < PIXEL_SAMPLES; n++) {
            sum += depth_of(pixel, n);
            atomicOr(shown, shown_by(ray, depth_of(pixel, n)));
        }
        if (PIXEL_SAMPLES > 1) // a pixel with a single surface is shaded at its mean depth
            atomicOr(shown, shown_by(ray, sum / float(PIXEL_SAMPLES)));
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        int kind = kind_of(shown);
        blocks[kind * block_room() + atomicAdd(block_counts[kind], 1)] = pixel.x / 8 | (pixel.y / 8) << 16;
    }
}
