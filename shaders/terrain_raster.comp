// terrain_raster.comp - rasterises the depth of the land. Some GPUs rasterise triangles with few of their processors.
//
// A work group sets up 64 triangles, and its threads share the pixels of all 64. Triangles that are large or cross the
// near plane are listed for a last dispatch (is_large), in which all work groups share the pixels of each.
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "pages.glsl"
#include "terrain_vertices.glsl"
#include "samples.glsl"
#include "shared_pixels.glsl"

layout(r32ui, binding = 0) uniform uimage2DArray land_nearest; // a layer per sample; float bits of depth, 0: no land
layout(std430, binding = 2) buffer Large { uint n_large, padding_of_large; uint large[]; }; // numbers of triangles
layout(location = 0) uniform int is_large;
layout(location = 1) uniform int is_wire;

const int LARGE_PIXELS = 2048, TILE = 8;
const float WIRE = 0.6; // half the width of a line of the wire view, pixels

struct Triangle {
    vec2 at[3];  // corners in the picture, counter-clockwise
    vec3 depths; // of the corners
    ivec4 box;   // pixels
};
shared Triangle triangles[64];

uint triangles_of_tile()
{
    uint side = uint(QUADS / frame_mesh_step);
    return 2u * side * side;
}

void corners_of(uint number, out vec4 corners[3])
{
    uint side = uint(QUADS / frame_mesh_step), of_tile = triangles_of_tile(), tile = number / of_tile,
         in_tile = number % of_tile;
    uint quad = in_tile >> 1, north_west = tile * uint(vertices_of_tile()) + quad / side * (side + 1u) + quad % side,
         south_west = north_west + side + 1u;
    bool is_first = (in_tile & 1u) == 0u; // a quad's two triangles share the diagonal from its north-west corner
    corners[0] = vertices[north_west];
    corners[1] = vertices[is_first ? south_west : south_west + 1u];
    corners[2] = vertices[is_first ? south_west + 1u : north_west + 1u];
}

// Twice the area of the triangle of an edge and a point, positive if the point is on the left of the edge. For the
// reversed edge it is the exact negative, so adjacent triangles miss no sample.
float area_beside(vec2 a, vec2 b, vec2 p)
{
    bool is_turned = a.x > b.x || (a.x == b.x && a.y > b.y);
    vec2 from = is_turned ? b : a, to = is_turned ? a : b;
    precise float area = (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
    return is_turned ? -area : area;
}

// Project a triangle that is entirely beyond the near plane.
Triangle in_picture(vec4 a, vec4 b, vec4 c)
{
    Triangle t;
    t.at[0] = (a.xy / a.w * 0.5 + 0.5) * frame_picture_size;
    t.at[1] = (b.xy / b.w * 0.5 + 0.5) * frame_picture_size;
    t.at[2] = (c.xy / c.w * 0.5 + 0.5) * frame_picture_size;
    t.depths = vec3(a.z / a.w, b.z / b.w, c.z / c.w);
    vec2 low = min(t.at[0], min(t.at[1], t.at[2])), high = max(t.at[0], max(t.at[1], t.at[2])),
         last = frame_picture_size - 1.0;
    t.box = ivec4(clamp(floor(low), vec2(0.0), last + 1.0), clamp(floor(high), vec2(-1.0), last));
    if (area_beside(t.at[0], t.at[1], t.at[2]) <= 0.0)
        t.box = ivec4(0, 0, -1, -1); // back face
    return t;
}

void draw_pixel(ivec2 pixel, Triangle t)
{
    for (int n = 0; n < PIXEL_SAMPLES; n++) {
        vec2 place = vec2(pixel) + 0.5 + SAMPLE_PLACES[n];
        vec3 areas = vec3(area_beside(t.at[1], t.at[2], place), area_beside(t.at[2], t.at[0], place),
                          area_beside(t.at[0], t.at[1], place));
        bool is_inside = areas.x >= 0.0 && areas.y >= 0.0 && areas.z >= 0.0;
        if (is_wire == 1) {
            vec3 away = areas / vec3(distance(t.at[1], t.at[2]), distance(t.at[2], t.at[0]),
                                     distance(t.at[0], t.at[1]));
            is_inside = is_inside && min(away.x, min(away.y, away.z)) < WIRE;
        }
        if (is_inside)
            imageAtomicMax(land_nearest, ivec3(pixel, n),
                           floatBitsToUint(dot(areas, t.depths) / (areas.x + areas.y + areas.z)));
    }
}

bool is_beyond_near_plane(vec4 corner)
{
    return corner.z <= corner.w && corner.w > 0.0;
}

// Intersection of an edge with the near plane. It is the same point for the reversed edge.
vec4 at_near_plane(vec4 a, vec4 b)
{
    bool is_turned = is_beyond_near_plane(b);
    vec4 from = is_turned ? b : a, to = is_turned ? a : b;
    precise float in_from = from.w - from.z, in_to = to.w - to.z, share = in_from / (in_from - in_to);
    precise vec4 p = from + (to - from) * share;
    return p;
}

void draw_small()
{
    uint n = gl_LocalInvocationID.x, number = gl_WorkGroupID.y * triangles_of_tile() + gl_GlobalInvocationID.x;
    vec4 corners[3];
    ends[n] = 0;
    if (gl_GlobalInvocationID.x < triangles_of_tile()) {
        corners_of(number, corners);
        int n_beyond = 0;
        for (int k = 0; k < 3; k++)
            n_beyond += is_beyond_near_plane(corners[k]) ? 1 : 0;
        if (n_beyond == 3) {
            triangles[n] = in_picture(corners[0], corners[1], corners[2]);
            ends[n] = count_pixels(triangles[n].box);
        }
        if (ends[n] > LARGE_PIXELS || n_beyond == 1 || n_beyond == 2) {
            large[atomicAdd(n_large, 1u)] = number;
            ends[n] = 0;
        }
    }
    add_ends(int(n));
    for (int k = int(n); k < ends[63]; k += 64) {
        int m = k, t = box_of(m), width = triangles[t].box.z - triangles[t].box.x + 1;
        draw_pixel(triangles[t].box.xy + ivec2(m % width, m / width), triangles[t]);
    }
}

// Draw this work group's share of a triangle: every gl_NumWorkGroups.x-th of the triangle's tiles of TILE x TILE
// pixels. k: index of the triangle in `large`; it decides which tile is the first of this work group
void draw_share(Triangle t, uint k)
{
    ivec2 tiles = (t.box.zw - t.box.xy + TILE) / TILE;
    int count = count_pixels(t.box) > 0 ? tiles.x * tiles.y : 0;
    for (int tile = int((gl_WorkGroupID.x + k * 61u) % gl_NumWorkGroups.x); tile < count;
         tile += int(gl_NumWorkGroups.x)) {
        ivec2 pixel = t.box.xy + TILE * ivec2(tile % tiles.x, tile / tiles.x) +
                      ivec2(gl_LocalInvocationID.x % uint(TILE), gl_LocalInvocationID.x / uint(TILE));
        if (all(lessThanEqual(pixel, t.box.zw)))
            draw_pixel(pixel, t);
    }
}

void draw_large()
{
    for (uint k = 0u; k < n_large; k++) {
        vec4 corners[3], cut[4];
        int count = 0;
        corners_of(large[k], corners);
        for (int n = 0; n < 3; n++) {
            vec4 a = corners[n], b = corners[n < 2 ? n + 1 : 0];
            if (is_beyond_near_plane(a))
                cut[count++] = a;
            if (is_beyond_near_plane(a) != is_beyond_near_plane(b))
                cut[count++] = at_near_plane(a, b);
        }
        draw_share(in_picture(cut[0], cut[1], cut[2]), k);
        if (count > 3)
            draw_share(in_picture(cut[0], cut[2], cut[3]), k);
    }
}

void main()
{
    if (is_large == 1)
        draw_large();
    else
        draw_small();
}
