// ocean_fft.comp - computes the waves of the sea at a time: amplitudes, and their sums by FFT. A work group transforms
// a row or a column.
//
// There are two fields of four real numbers, which are transformed as two complex numbers each: (height, east by south,
// shift east, shift south) and (slope east, slope south, east by east, south by south). The transform of f + i g gives
// both real fields f and g. "East by south" is the derivative to the south of the shift to the east. Water moves in
// circles, forward on crests; the shift is its horizontal displacement.
//
// The transform is Stockham's with radix 4, which needs no reordering (OpenCL FFT, Bainville 2010). In every step
// thread i combines samples i, i + SIDE / 4, i + SIDE / 2, i + 3 SIDE / 4; p = 1, 4, 16... is the length of finished
// transforms. Source: Tessendorf, "Simulating ocean water", 2001, section 4.
layout(local_size_x = OCEAN_SIDE / 4) in;
#include "sea_block.glsl"

struct Mode { vec2 along, against; int turns, padding; }; // ocean_mode of ocean_spectrum.h
layout(std430, binding = 6) readonly buffer Modes { Mode modes[]; };
layout(rgba32f, binding = 0) uniform image2DArray fields;
layout(location = 0) uniform int is_column;

const int QUARTER = OCEAN_SIDE / 4;
const float TURN = 6.28318531;
shared vec4 line[OCEAN_SIDE];

vec2 times(vec2 a, vec2 b)
{
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

vec2 turned(float turns)
{
    float angle = TURN * turns;
    return vec2(cos(angle), sin(angle));
}

// Amplitudes of a wave in field 0 or field 1. at: column and row of the wave
vec4 amplitude(int cascade, int field, ivec2 at)
{
    ivec2 n = at - OCEAN_SIDE * ivec2(greaterThanEqual(at, ivec2(OCEAN_SIDE / 2)));
    vec2 turn = sea_cascades[cascade].turn;
    vec2 k = TURN * vec2(float(n.x) * turn.x - float(n.y) * turn.y, float(n.x) * turn.y + float(n.y) * turn.x);
    float number = length(k);
    if (number == 0.0)
        return vec4(0.0);
    Mode mode = modes[(cascade * OCEAN_SIDE + at.y) * OCEAN_SIDE + at.x];
    int whole = mode.turns * int(sea_second) & (WAVES_PERIOD - 1);
    vec2 phase = turned(fract((float(whole) + float(mode.turns) * sea_part) / float(WAVES_PERIOD)));
    vec2 h = times(mode.along, vec2(phase.x, -phase.y)) + times(mode.against, phase), i_h = vec2(-h.y, h.x);
    vec2 unit = k / number;
    if (field == 0)
        return vec4(h - i_h * (unit.x * k.y), i_h * unit.x - h * unit.y);
    return vec4(i_h * k.x - h * k.y, -h * (unit.x * k.x) - i_h * (unit.y * k.y));
}

ivec3 texel(int n)
{
    int across = int(gl_WorkGroupID.x), layer = int(gl_WorkGroupID.y) * 2 + int(gl_WorkGroupID.z);
    return is_column != 0 ? ivec3(across, n, layer) : ivec3(n, across, layer);
}

void main()
{
    int i = int(gl_LocalInvocationID.x);
    vec4 u[4];
    for (int n = 0; n < 4; n++) {
        ivec3 at = texel(i + n * QUARTER);
        u[n] = is_column != 0 ? imageLoad(fields, at) : amplitude(int(gl_WorkGroupID.y), int(gl_WorkGroupID.z), at.xy);
    }
    for (int p = 1; p < OCEAN_SIDE; p *= 4) {
        int k = i & (p - 1), j = ((i - k) << 2) + k;
        if (p > 1) {
            for (int n = 0; n < 4; n++)
                u[n] = line[i + n * QUARTER];
            barrier();
            for (int n = 1; n < 4; n++) {
                vec2 w = turned(float(k * n) / float(4 * p));
                u[n] = vec4(times(u[n].xy, w), times(u[n].zw, w));
            }
        }
        vec4 a = u[0] + u[2], b = u[0] - u[2], c = u[1] + u[3], d = u[1] - u[3];
        d = vec4(-d.y, d.x, -d.w, d.z);
        line[j] = a + c;
        line[j + p] = b + d;
        line[j + 2 * p] = a - c;
        line[j + 3 * p] = b - d;
        barrier();
    }
    for (int n = 0; n < 4; n++)
        imageStore(fields, texel(i + n * QUARTER), line[i + n * QUARTER]);
}
