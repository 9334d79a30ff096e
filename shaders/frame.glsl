// frame.glsl - what all passes know about a frame. Positions are metres relative to the camera: x east, y up, z south.
layout(std140, binding = 0) uniform Frame {
    mat4 view_projection;
    mat4 inverse_view_projection;
    vec4 camera;       // x, z: metres from the corner of the camera's lattice cell; y: altitude over the datum; w: time, seconds
    vec4 sun;          // xyz: direction to the sun; w: haze, 1 is a clear day
    vec4 world;        // x: metres a lattice step; y: sea level over the datum; z: height used for level-of-detail distance
    vec4 pattern;      // the camera's place modulo PATTERN (xy) and modulo BROAD_PATTERN metres (zw): noise has precision anywhere
    vec4 planet;       // x: 1 / (2 * radius), 1/m, 0 is flat; y: exposure; z: width of a pixel at distance 1
    ivec4 options;     // x: samples a mesh quad; y: debug view; z: quality 0..2
    vec4 morph[25];    // per lod: x: distance where morphing starts, y: 1 / its length
};

const float PATTERN = 65536.0, BROAD_PATTERN = 4194304.0;
// How far the ground curves away below the camera's horizontal plane.
float drop(vec2 place)
{
    return dot(place, place) * planet.x;
}

const int DEBUG_LOD = 1, DEBUG_NORMALS = 2, DEBUG_TILES = 3;
