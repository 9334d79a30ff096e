// frame.glsl - the uniform block of a frame. Positions are metres relative to the camera: x east, y up, z south.
//
// struct frame_block of src/program/render/frame_block.h has the same members. The block has no instance name, because
// with a name Mesa's compiler rounds some sums differently.
#include "constants.glsl"
const int LODS = TILE_LODS, LOOK_COLORS = 10, PARTS = QUADTREE_PARTS_MAX + 1;

// Distances from the camera at which a level of detail morphs to the next coarser one.
struct Morph {
    float start; // m
    float rate;  // 1 / (end - start)
    float end;   // m
};

// Mapping from positions to a level's page table.
struct Level {
    vec2 place; // camera in samples of the level, modulo the samples of the page table
    float samples_a_metre;
};

layout(std140, binding = 0) uniform Frame {
    mat4 frame_view_projection;
    mat4 frame_inverse_view_projection;
    vec3 frame_camera;          // x, z: m from the corner of the lod 0 cell that holds the camera; y: m over the datum
    float frame_time;           // s
    vec3 frame_sun;             // direction to the sun
    float frame_haze;           // amount of haze; 1: a clear day
    vec3 frame_key;             // direction to the light that casts shadows, sun or moon
    float frame_key_irradiance; // at the top of the air, relative to the sun's
    vec3 frame_moon;            // direction to the moon
    float frame_night;          // 0: day; 1: night
    float frame_spacing;        // distance between samples of tiles of lod 0, m
    float frame_sea_level;      // m over the datum
    float frame_lod_height;     // height of the camera over the ground, by which levels of detail are chosen, m
    float frame_highest;        // upper bound of the ground, m over the datum
    vec2 frame_pattern;         // camera modulo PATTERN metres: small numbers keep noise precise everywhere
    vec2 frame_broad_pattern;   // camera modulo BROAD_PATTERN metres
    float frame_curvature;      // 1 / (2 * radius), 1/m; 0: the land is flat
    float frame_air_radius;     // radius of the sphere under the air, km
    float frame_pixel_width;    // width of a pixel at distance 1
    float frame_far;            // land beyond this distance is not drawn, m
    vec2 frame_picture_size;    // pixels
    vec2 frame_pixel_size;      // 1 / frame_picture_size
    vec2 frame_cloud_drift;     // drift of the clouds, metres modulo PATTERN
    float frame_elapsed;        // seconds since the last frame; negative: the exposure adapts at once
    float frame_tree_range;     // trees are drawn within this distance, m; 0: no trees
    float frame_tree_line;      // m over the sea
    float frame_snow_line;      // m over the sea
    float frame_aridity;        // 0..1
    float frame_strata;         // 0..1
    float frame_cloud_cover;    // 0..1
    float frame_cloud_base;     // m over the sea
    float frame_cloud_depth;    // m
    float frame_air_density;    // 1: as on the Earth; 0: no air
    vec2 frame_mark_from;       // north-west corner of the marked rectangle of ground, metres from the camera
    vec2 frame_mark_to;         // its south-east corner; nothing is marked if it is not east of frame_mark_from
    vec4 frame_colors[LOOK_COLORS];
    int frame_mesh_step;        // samples per mesh quad
    int frame_debug_view;       // DEBUG_...
    int frame_quality;          // 0 low, 1 medium, 2 high
    int frame_layers;           // LAYER_...
    int frame_coarsest_lod;
    int frame_light_side;       // light texels per side of a tile, less one
    int frame_is_plain;         // 1: three colours by height
    int frame_has_rivers;       // 1: tiles have levels of water in addition to heights; 2: and ice, sand or dry beds
    Morph frame_morph[LODS];
    Morph frame_part_morph[PARTS]; // the same for parts of tiles of lod 0
    Level frame_levels[LODS];
    ivec2 frame_weather_cell;   // cell of WEATHER_CELL metres in the drifting air that holds the camera
    vec2 frame_weather_place;   // camera from the corner of this cell, m
    uvec2 frame_weather_seeds;  // seeds of the weather: of this world, and of the next world while one world morphs
                                // into another
    float frame_weather_share;  // weight of the next world's weather, 0..1
    float frame_weather_texel;  // texel of the weather map's finest level, m
    int frame_is_unfolding;     // 1: some tiles still show a share of their parent's shape, see hidden_at
    int frame_fine_lods;        // tiles of this lod have samples one lattice step of the world apart
    int frame_means_lod;        // from this lod on samples may differ from those of finer tiles
    float frame_season;         // 0 and 1: midwinter; 0.5: midsummer
    vec2 frame_climate_place;   // camera among the points of the climate, in their spacing
    float frame_climate_scale;  // 1 / spacing of these points, 1/m
    vec4 frame_climate[CLIMATE_MAP_SIDE * CLIMATE_MAP_SIDE]; // x, y: what is added to tree line and snow line, m; z: to
                                // aridity; w: mean temperature at the level of the sea, degrees Celsius
    vec4 frame_rays[CRATER_RAYS_MAX]; // x, y: centre, m from the camera; z: radius, m; w: seed, 0..255, plus brightness
    vec2 frame_lava;            // m over the datum: lava covers the ground below x and none above y; equal: no lava
    int frame_n_rays;
    int frame_has_craters;      // 1: rays and lava colour the ground
    vec4 frame_canopy[CANOPY_MOISTS * CANOPY_HEATS * 2]; // colours of woods: [moisture][heat], see canopy_color;
                                // first shares of needles, evergreen and falling leaves, and grass; then the tone
};

// In programs that are compiled for one quality, the quality is a constant; see pixels_defines in
// src/program/render/pixels.c.
#ifdef QUALITY
#define frame_quality QUALITY
#endif

const float PATTERN = NOISE_PATTERN_M, BROAD_PATTERN = NOISE_BROAD_PATTERN_M;
const float PI = 3.14159265;

#include "globe.glsl"

#define VIEW_LAYER(name, bit) const int name = 1 << bit;
#define VIEW_DEBUG(name, number) const int name = number;
#include "view_layers.glsl"

// Number of iterations of a loop. On the CPU the number is hidden from the compiler: Mesa would unroll the loop and
// compile each iteration.
#ifdef IS_SORTED
#define TURNS(n) ((n) + min(frame_coarsest_lod, 0))
#else
#define TURNS(n) (n)
#endif

bool has_layer(int layer)
{
    return (frame_layers & layer) != 0;
}
