// frame.glsl - what all passes know about a frame. Positions are metres relative to the camera: x east, y up, z south.
const int LODS = 25, LOOK_COLORS = 10;

layout(std140, binding = 0) uniform Frame {
    mat4 view_projection;
    mat4 inverse_view_projection;
    vec4 camera;       // x, z: metres from the corner of the camera's lattice cell; y: altitude over the datum; w: time, seconds
    vec4 sun;          // xyz: direction to the sun; w: haze, 1 is a clear day
    vec4 key;          // xyz: direction to the light that casts shadows, sun or moon; w: its irradiance at the top of the air
    vec4 moon;         // xyz: direction to the moon; w: how far the night has come, 0..1
    vec4 world;        // x: metres a lattice step; y: sea level; z: height used for level-of-detail distance; w: highest ground
    vec4 pattern;      // the camera's place modulo PATTERN (xy) and modulo BROAD_PATTERN metres (zw): noise has precision anywhere
    vec4 planet;       // x: 1 / (2 * radius), 1/m, 0 is flat; y: radius of the air's sphere, km; z: width of a pixel at distance 1; w: far, m
    vec4 picture;      // xy: pixels; zw: their reciprocals
    vec4 wind;         // xy: drift of the clouds, metres modulo PATTERN; z: seconds since the last frame, negative to adapt at once
    vec4 climate;      // x: tree line, m over the sea; y: snow line; z: aridity 0..1; w: strata 0..1
    vec4 weather;      // x: cloud cover 0..1; y: base of the clouds over the sea, m; z: their thickness; w: density of the air, 0 is none
    vec4 mark;         // a rectangle on the ground that is marked: west, north, east, south, metres from the camera; west >= east: none
    vec4 colors[LOOK_COLORS];
    ivec4 options;     // x: samples a mesh quad; y: debug view; z: quality 0..2; w: layers
    ivec4 more;        // x: coarsest lod; y: light texels of a tile's side less one; z: 1: plain colours
    vec4 morph[LODS];  // per lod: x: distance where morphing starts, y: 1 / its length, z: where it ends
    vec4 part_morph[4]; // the same for parts of tiles of lod 0
    vec4 pages_at[LODS]; // per lod: xy: the camera's place in samples modulo those of the page table; z: samples a metre
};

const float PATTERN = 65536.0, BROAD_PATTERN = 4194304.0;
const float PI = 3.14159265;

// How far the ground curves away below the camera's horizontal plane.
float drop(vec2 place)
{
    return dot(place, place) * planet.x;
}

const int DEBUG_LOD = 1, DEBUG_NORMALS = 2, DEBUG_TILES = 3;
const int LAYER_TERRAIN = 1, LAYER_WATER = 2, LAYER_SKY = 4, LAYER_CLOUDS = 8, LAYER_SHADOWS = 16;

bool has_layer(int layer)
{
    return (options.w & layer) != 0;
}
