// frame.glsl - what all passes know about a frame. Positions are metres relative to the camera: x east, y up, z south. The block is
// struct frame_block of src/program/render/frame_block.h, member by member; its members are known everywhere as frame_..., without the name of
// an instance, with which Mesa's compiler rounds some sums otherwise.
const int LODS = 25, LOOK_COLORS = 10, PARTS = 4;

// Where a level of detail becomes the next coarser one, by distance from the camera.
struct Morph {
    float start; // m
    float rate;  // 1 / (end - start)
    float end;   // m
};

// How places are found in a level's page table.
struct Level {
    vec2 place; // of the camera in samples, modulo those of the table
    float samples_a_metre;
};

layout(std140, binding = 0) uniform Frame {
    mat4 frame_view_projection;
    mat4 frame_inverse_view_projection;
    vec3 frame_camera;          // x, z: metres from the corner of the camera's lattice cell; y: altitude over the datum
    float frame_time;           // s
    vec3 frame_sun;             // direction to the sun
    float frame_haze;           // 1 is a clear day
    vec3 frame_key;             // direction to the light that casts shadows, sun or moon
    float frame_key_irradiance; // at the top of the air, of the sun's
    vec3 frame_moon;            // direction to the moon
    float frame_night;          // how far the night has come, 0..1
    float frame_spacing;        // metres a lattice step
    float frame_sea_level;      // m over the datum
    float frame_lod_height;     // height over the ground used for level-of-detail distance, m
    float frame_highest;        // no ground is higher, m over the datum
    vec2 frame_pattern;         // the camera's place modulo PATTERN metres: noise has precision anywhere
    vec2 frame_broad_pattern;   // the same modulo BROAD_PATTERN metres
    float frame_curvature;      // 1 / (2 * radius), 1/m; 0 is flat
    float frame_air_radius;     // of the sphere that the air lies on, km
    float frame_pixel_width;    // of a pixel at distance 1
    float frame_far;            // land beyond is not drawn, m
    vec2 frame_picture_size;    // pixels
    vec2 frame_pixel_size;      // their reciprocals
    vec2 frame_cloud_drift;     // metres modulo PATTERN
    float frame_elapsed;        // seconds since the last frame, negative: the eye adapts at once
    float frame_tree_range;     // trees farther away are part of the canopy, m; 0: there are none
    float frame_tree_line;      // m over the sea
    float frame_snow_line;      // m over the sea
    float frame_aridity;        // 0..1
    float frame_strata;         // 0..1
    float frame_cloud_cover;    // 0..1
    float frame_cloud_base;     // m over the sea
    float frame_cloud_depth;    // m
    float frame_air_density;    // 0 is none
    vec2 frame_mark_from;       // north-west corner of the rectangle on the ground that is marked, metres from the camera
    vec2 frame_mark_to;         // its south-east corner; not east of mark_from: nothing is marked
    vec4 frame_colors[LOOK_COLORS];
    int frame_mesh_step;        // samples a mesh quad
    int frame_debug_view;       // DEBUG_...
    int frame_quality;          // 0 low, 1 medium, 2 high
    int frame_layers;           // LAYER_...
    int frame_coarsest_lod;
    int frame_light_side;       // light texels of a tile's side, less one
    int frame_is_plain;         // 1: three colours by height
    int frame_has_rivers;       // 1: tiles have water beside their heights
    Morph frame_morph[LODS];
    Morph frame_part_morph[PARTS]; // of parts of tiles of lod 0
    Level frame_levels[LODS];
    ivec2 frame_weather_cell;   // square of WEATHER_CELL metres that the camera is in, in the drifting air
    vec2 frame_weather_place;   // of the camera from that square's corner, m
    uvec2 frame_weather_seeds;  // of this weather and of the next
    float frame_weather_share;  // of the next one, 0..1
    float frame_weather_texel;  // of the weather map's finest level, m
    int frame_is_unfolding;     // 1: some tiles still show some of their parents, see hidden_at
};

// A program that is made for one quality knows it while it is compiled; see src/program/render/renderer.c.
#ifdef QUALITY
#define frame_quality QUALITY
#endif

const float PATTERN = 65536.0, BROAD_PATTERN = 4194304.0;
const float PI = 3.14159265;

// How far the ground curves away below the camera's horizontal plane.
float drop(vec2 place)
{
    return dot(place, place) * frame_curvature;
}

const int DEBUG_LOD = 1, DEBUG_NORMALS = 2, DEBUG_TILES = 3;
const int LAYER_TERRAIN = 1, LAYER_WATER = 2, LAYER_SKY = 4, LAYER_CLOUDS = 8, LAYER_SHADOWS = 16, LAYER_TREES = 64;

// Turns of a loop. Where the CPU draws they are not known while a program is compiled, for Mesa would write them out and compile each.
#ifdef IS_SORTED
#define TURNS(n) ((n) + min(frame_coarsest_lod, 0))
#else
#define TURNS(n) (n)
#endif

bool has_layer(int layer)
{
    return (frame_layers & layer) != 0;
}
