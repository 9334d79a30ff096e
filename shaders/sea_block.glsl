// sea_block.glsl - the cascades of the sea's waves: struct sea_block of src/program/render/ocean.c, member by member.
const int CASCADES = 4;

// A square patch of waves that repeats.
struct Cascade {
    vec2 turn;       // steps of a patch a metre: east along its first side and its second
    vec2 place;      // of the camera in the patch, 0..1
    float cells;     // a metre: in each cell the patch lies elsewhere, so that no eye finds it again
    float number;    // mean wave number of its heights, 1/m
    vec2 cell_part;  // of the camera in its cell
    ivec2 cell;      // of the camera, modulo cell_period
    int cell_period;
    int padding;
    vec4 lost[3];    // mean square slope that means over 1, 2, 4... samples leave out
};

layout(std140, binding = 2) uniform Sea {
    float sea_shorter;   // mean square slope of waves shorter than all cascades have
    float sea_highest;   // m, over the mean
    float sea_second;    // of the time after which all waves come again, whole seconds
    float sea_part;      // of a second
    int sea_cascade_count;
    int sea_side;        // samples of a patch's side
    Cascade sea_cascades[CASCADES];
};

const int WAVES_PERIOD = 4096; // s, a power of two
