// sea_block.glsl - the uniform block of the sea's wave cascades. struct sea_block of src/program/render/ocean.c has the
// same members.
#include "constants.glsl"
const int CASCADES = WAVE_CASCADES_MAX;

// A square, repeating patch of waves.
struct Cascade {
    vec2 turn;       // change of the first patch coordinate per metre to the east, and per metre to the south
    vec2 place;      // position of the camera in the patch, 0..1
    float cells;     // cells per metre; each cell shifts the patch at random, so that its repetition is not visible
    float number;    // mean wave number of the heights of the waves, 1/m
    vec2 cell_part;  // position of the camera in its cell, 0..1
    ivec2 cell;      // cell of the camera, modulo cell_period
    int cell_period;
    int padding;
    vec4 lost[WAVE_LEVELS / 4]; // mean square slope that averaging over 1, 2, 4... samples removes
};

layout(std140, binding = 2) uniform Sea {
    float sea_shorter;   // mean square slope of waves shorter than those of all cascades
    float sea_highest;   // height that waves hardly ever exceed, m over the mean
    float sea_second;    // time modulo WAVES_PERIOD, whole seconds
    float sea_part;      // fraction of a second of this time, 0..1
    int sea_cascade_count;
    int sea_side;        // samples per side of a patch
    Cascade sea_cascades[CASCADES];
};

const int WAVES_PERIOD = WAVES_PERIOD_S;
