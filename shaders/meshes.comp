// meshes.comp - draws plants and stones near the camera, triangle by triangle.
//
// A work group sets up 64 triangles of a plant. Then its threads share the pixels of all 64, so no thread waits for
// another thread's large triangle. Very large triangles are divided into blocks of pixels. The blocks are listed for a
// last dispatch (is_large), in which a work group draws a block.
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "noise.glsl"
#include "plants.glsl"
#include "plant_lists.glsl"
#include "picture.glsl"
#include "plant_raster.glsl"
#include "samples.glsl"
#include "shared_pixels.glsl"

layout(std430, binding = 8) readonly buffer Vertices { float vertices[]; }; // plant_vertex of plant_mesh.h
layout(std430, binding = 9) readonly buffer Indices { uint indices[]; };
// An entry of `large`: plant, first index of a triangle, column and row of a block of the triangle's box.
layout(std430, binding = 2) buffer Large { uint n_large, padding_of_large[3]; uvec4 large[]; };
layout(binding = 12) uniform sampler2DArray leaves; // opacity, brightness
layout(location = 2) uniform int is_large;

const int VERTEX_FLOATS = PLANT_VERTEX_FLOATS, LARGE_PIXELS = 1024, BLOCK = 64; // BLOCK: side, pixels

struct Triangle {
    vec3 east, up, base; // barycentric coordinates of a position in the picture: east * x + up * y + base
    vec3 depth;          // of the corners
    // of the corners: texture coordinates of leaves, or metres on bark and rock (xy); brightness (z)
    vec3 at[3];
    uvec3 corners;       // vertices
    ivec4 box;           // pixels
    int material;
    float level;         // mipmap of the picture of leaves
};

vec3 vertex_part(uint vertex, int part)
{
    uint at = vertex * uint(VERTEX_FLOATS) + uint(part);
    return vec3(vertices[at], vertices[at + 1u], vertices[at + 2u]);
}

// Position of a corner of a plant's triangle, metres from the camera. Leaves sway in the wind.
vec3 place_of(uint vertex, Plant p, float tint, bool has_leaves)
{
    float wide = plant_width(kind_of(p), tint);
    vec3 place = vertex_part(vertex, 0), turned_place = turned(place * vec3(wide, 1.0, wide), p.yaw);
    float sway = has_leaves ? place.y * place.y * 0.006 *
                 sin(frame_time * 1.4 + 6.28 * fract(tint * 91.0) + place.x * 4.0) : 0.0;
    return p.foot + (turned_place + vec3(sway, 0.0, 0.6 * sway)) * p.height;
}

// A triangle of a plant in the picture. Its box is empty if the triangle is outside the picture or degenerate.
Triangle triangle_of(Plant p, uint first_index)
{
    Triangle t;
    float tint = fract(p.look);
    t.corners = uvec3(indices[first_index], indices[first_index + 1u], indices[first_index + 2u]);
    t.material = int(vertices[t.corners.x * uint(VERTEX_FLOATS) + 9u]);
    t.box = ivec4(0, 0, -1, -1);
    bool has_leaves = t.material < MATERIAL_BARK;
    vec3 a = in_picture(place_of(t.corners.x, p, tint, has_leaves)),
         b = in_picture(place_of(t.corners.y, p, tint, has_leaves)),
         c = in_picture(place_of(t.corners.z, p, tint, has_leaves));
    t.depth = vec3(a.z, b.z, c.z);
    for (int n = 0; n < 3; n++) {
        vec3 at = vertex_part(t.corners[n], 6);
        t.at[n] = has_leaves ? at : vec3(at.xy * p.height, at.z);
    }
    float doubled = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (min(a.z, min(b.z, c.z)) == 0.0 || abs(doubled) < 1.0e-6)
        return t;
    t.east = vec3(b.y - c.y, c.y - a.y, a.y - b.y) / doubled;
    t.up = vec3(c.x - b.x, a.x - c.x, b.x - a.x) / doubled;
    t.base = vec3(b.x * c.y - c.x * b.y, c.x * a.y - a.x * c.y, a.x * b.y - b.x * a.y) / doubled;
    vec2 u = t.at[1].xy - t.at[0].xy, v = t.at[2].xy - t.at[0].xy;
    t.level = 0.5 * log2(max(abs(u.x * v.y - u.y * v.x), 1.0e-9) / abs(doubled)) +
              log2(float(textureSize(leaves, 0).x));
    t.box = pixels_between(min(a.xy, min(b.xy, c.xy)), max(a.xy, max(b.xy, c.xy)));
    return t;
}

// Brightness of bark or rock; also roughens the normal.
float grain_of(int material, vec2 at, float footprint, inout vec3 n)
{
    vec2 grain = material == MATERIAL_PALE_BARK ? vec2(at.x * 0.4, at.y * 2.0)
                 : material < MATERIAL_ROCK ? vec2(at.x * 3.0, at.y * 0.5) : at;
    float rough = 0.5 * faded_noise(grain, 0.25, footprint).x + 0.5 * faded_noise(grain + 7.0, 0.0625, footprint).x +
                  0.3 * faded_noise(grain, 1.0, footprint).x;
    n = normalize(n + 0.25 * vec3(rough, 0.0, -rough));
    return 1.0 + 0.55 * rough;
}

void draw_pixel(ivec2 pixel, Triangle t, Plant p)
{
    float tint = fract(p.look);
    vec2 middle = vec2(pixel) + 0.5;
    int samples = 0, kind = kind_of(p);
    for (int n = 0; n < PIXEL_SAMPLES; n++) {
        vec2 place = middle + SAMPLE_PLACES[n];
        samples |= all(greaterThanEqual(t.east * place.x + t.up * place.y + t.base, vec3(0.0))) ? 1 << n : 0;
    }
    if (samples == 0 || !is_kept(pixel, p.dither_range, tint))
        return;
    vec3 shares = max(t.east * middle.x + t.up * middle.y + t.base, 0.0);
    shares /= shares.x + shares.y + shares.z;
    float depth = dot(shares, t.depth);
    samples = open_samples(pixel, samples, depth);
    if (samples == 0)
        return;
    shares *= t.depth / depth; // perspective-correct
    vec3 at = shares.x * t.at[0] + shares.y * t.at[1] + shares.z * t.at[2];
    vec2 leaf = vec2(1.0);
    if (t.material < MATERIAL_BARK) {
        leaf = textureLod(leaves, vec3(at.xy, float(t.material)), t.level).rg;
        samples &= covered_samples(pixel, smoothstep(0.15, 0.6, leaf.r));
    }
    uint shown = 0u;
    if (is_painting == 1 && samples != 0) {
        vec3 n = shares.x * vertex_part(t.corners.x, 3) + shares.y * vertex_part(t.corners.y, 3) +
                 shares.z * vertex_part(t.corners.z, 3);
        n = normalize(turned(n, p.yaw));
        float bright = at.z * leaf.g / max(leaf.r, 0.02);
        if (t.material >= MATERIAL_BARK) {
            bright *= grain_of(t.material, at.xy, frame_pixel_width * length(p.foot), n);
            kind = t.material < MATERIAL_ROCK ? BARK + t.material - MATERIAL_BARK : kind;
        }
        shown = pack_plant(n, bright, tint, kind);
    }
    leave(pixel, samples, depth, shown);
}

shared Triangle triangles[64];

// Draw the pixels of 64 triangles. All threads of the work group must call this.
void draw_triangles(Plant p, int n)
{
    add_ends(n);
    for (int k = n; k < ends[63]; k += 64) {
        int m = k, t = box_of(m), width = triangles[t].box.z - triangles[t].box.x + 1;
        draw_pixel(triangles[t].box.xy + ivec2(m % width, m / width), triangles[t], p);
    }
    barrier();
}

// List the blocks of a triangle for the last dispatch. Returns false if the list lacks room for all of them. The pass
// that writes appearance (is_painting) uses the list that the depth pass made.
bool is_listed(uint plant, uint first_index, ivec4 box)
{
    uint room = uint(large.length());
    if (is_painting == 1)
        // If the list overflowed, it may lack this triangle, so it is drawn here too. Drawing it twice does no harm.
        return n_large <= room;
    ivec2 blocks = (box.zw - box.xy + BLOCK) / BLOCK;
    uint count = uint(blocks.x * blocks.y), place = atomicAdd(n_large, count);
    for (uint n = 0u; n < count && place + n < room; n++)
        large[place + n] = uvec4(plant, first_index, n % uint(blocks.x), n / uint(blocks.x));
    return place + count <= room;
}

void draw_small()
{
    int n = int(gl_LocalInvocationID.x);
    uint item = gl_WorkGroupID.x;
    for (int list = 0; list < LIST_IMPOSTORS; list++) {
        uint groups = lists[list].groups, items = lists[list].count * groups;
        for (; item < items; item += gl_NumWorkGroups.x) {
            uint plant = lists[list].first + item / groups, triangle = item % groups * 64u + uint(n);
            Plant p = scattered[plant];
            uvec4 mesh = plant_meshes[int(p.look)];
            ends[n] = 0;
            if (triangle < mesh.y) {
                uint first_index = mesh.x + 3u * triangle;
                triangles[n] = triangle_of(p, first_index);
                ends[n] = count_pixels(triangles[n].box);
                if (ends[n] > LARGE_PIXELS && is_listed(plant, first_index, triangles[n].box))
                    ends[n] = 0;
            }
            draw_triangles(p, n);
        }
        item -= items;
    }
}

void draw_large()
{
    uint count = min(n_large, uint(large.length()));
    for (uint k = gl_WorkGroupID.x; k < count; k += gl_NumWorkGroups.x) {
        Plant p = scattered[large[k].x];
        Triangle t = triangle_of(p, large[k].y);
        ivec2 corner = t.box.xy + ivec2(large[k].zw) * BLOCK, last = min(corner + BLOCK - 1, t.box.zw);
        int width = last.x - corner.x + 1, pixels = count_pixels(ivec4(corner, last));
        for (int n = int(gl_LocalInvocationID.x); n < pixels; n += 64)
            draw_pixel(corner + ivec2(n % width, n / width), t, p);
    }
}

void main()
{
    if (is_large == 1)
        draw_large();
    else
        draw_small();
}
