// plants.glsl - kinds of plants and stones, their drawing distances, and the 32 bits per sample that they write for
// shading.
#define PLANT_KIND(name, number) const int name = number;
#define PLANT_MATERIAL(name, number) const int name = number;
#include "plant_kinds.glsl"
const int AGES = PLANT_AGES;
const int TREE_KINDS = SHRUB, IMPOSTOR_KINDS = BOULDER; // trees; trees and bushes
const int KINDS = FLOWERS + 1, BARK = KINDS; // the four kinds of bark are shaded as if they were further kinds
const int IMPOSTOR_VIEWS = IMPOSTOR_VIEWS_A_SIDE;
const float IMPOSTOR_RADIUS = 0.64; // of the sphere around a plant's middle that an impostor shows, in heights
const float SHADOW_REACH[2] = float[](PLANT_SHADOW_NEAR_M, PLANT_SHADOW_FAR_M);
const int LEAVES_NEEDLES = 0, LEAVES_EVERGREEN = 1, LEAVES_FALLING = 2, LEAVES_GRASS = 3, LEAVES_OWN = 4;

// What is known about a kind; plant_row of src/program/render/plant_table.h explains the members.
struct PlantKind {
    vec4 size;  // least height, and how much higher a plant may be, m; middle and radius of the crown
    vec4 niche; // best heat, 1 / width of the range of heats, the same for moistures
    vec4 habit; // share, need of water and of light; half width of the crown
    vec4 tone;  // tone (rgb), share of the colour of grass (a)
    vec4 look;  // LEAVES_..., kind of bark, 0..3
};

layout(std140, binding = 3) uniform PlantTable {
    PlantKind plant_kinds[PLANT_KINDS_MAX];
    uvec4 plant_meshes[PLANT_KINDS_MAX * PLANT_AGES]; // of a kind at an age: first index, triangles, list of meshes
};

// One plant; forest_plant of src/program/render/forest.h.
struct Plant {
    vec3 foot;         // from the camera, m
    float height;      // m
    float yaw;         // radians
    float look;        // integer part: kind * AGES + age; fraction: tint
    vec2 dither_range; // range of dither values in which a pixel shows this drawing of the plant
};

int kind_of(Plant p)
{
    return int(p.look) / AGES;
}

// Width of a plant relative to the mesh of its kind and age. Bushes are so wide that more of their crown would not fit
// into an impostor.
float plant_width(int kind, float tint)
{
    float random = fract(tint * 37.0);
    return kind >= TREE_KINDS ? 0.80 + 0.32 * random : 0.78 + 0.44 * random;
}

// Width of a plant relative to the impostor of its kind.
float impostor_width(Plant p)
{
    const float WIDTHS[AGES] = float[](PLANT_AGE_WIDTHS);
    return plant_width(kind_of(p), fract(p.look)) * WIDTHS[int(p.look) % AGES];
}

// Distance at which a tree becomes an impostor.
float mesh_range(float random)
{
    return (frame_quality == 2 ? float(PLANT_MESH_RANGE_M) : 70.0) * (0.8 + 0.2 * random);
}

// Share of trees at a distance that are drawn as plants. The others only colour the ground, see canopy_color.
float planted_share(float distance)
{
    return frame_tree_range > 0.0 ? 1.0 - smoothstep(0.55, 1.0, distance / frame_tree_range) : 0.0;
}

// Share of bushes at a distance that are drawn as plants, about that of place_bush in scatter.comp.
float planted_bushes(float distance)
{
    return frame_tree_range > 0.0 ? 1.0 - smoothstep(0.7, 1.0, distance / (frame_quality == 2 ? 220.0 : 120.0)) : 0.0;
}

vec2 octahedral(vec3 n)
{
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    vec2 folded = (1.0 - abs(n.zx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.z >= 0.0 ? 1.0 : -1.0);
    return n.y >= 0.0 ? n.xz : folded;
}

vec3 from_octahedral(vec2 p)
{
    vec3 n = vec3(p.x, 1.0 - abs(p.x) - abs(p.y), p.y);
    vec2 folded = (1.0 - abs(n.zx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.z >= 0.0 ? 1.0 : -1.0);
    if (n.y < 0.0)
        n.xz = folded;
    return normalize(n);
}

// Octahedral mapping of directions with y >= 0 to the square -1..1, for views of impostors.
vec2 upper_octahedral(vec3 n)
{
    n /= abs(n.x) + abs(n.y) + abs(n.z);
    return vec2(n.x + n.z, n.x - n.z);
}

vec3 from_upper_octahedral(vec2 p)
{
    vec2 q = vec2(p.x + p.y, p.x - p.y) * 0.5;
    return normalize(vec3(q.x, 1.0 - abs(q.x) - abs(q.y), q.y));
}

// Direction to the right in a picture of a plant seen from a direction.
vec3 right_of(vec3 from)
{
    vec2 across = vec2(from.z, -from.x);
    float n = length(across);
    return n > 1.0e-3 ? vec3(across.x / n, 0.0, across.y / n) : vec3(1.0, 0.0, 0.0);
}

vec3 turned(vec3 v, float yaw)
{
    float c = cos(yaw), s = sin(yaw);
    return vec3(c * v.x + s * v.z, v.y, c * v.z - s * v.x);
}

// Pack a normal, brightness and tint, 0..1, and the kind into 32 bits. 0 means no plant.
uint pack_plant(vec3 n, float brightness, float tint, int kind)
{
    uvec2 o = uvec2(clamp(octahedral(n) * 63.0 + 64.5, 0.0, 127.0));
    return o.x | o.y << 7 | uint(clamp(brightness, 0.0, 1.0) * 63.0 + 0.5) << 14 |
           uint(clamp(tint, 0.0, 1.0) * 63.0 + 0.5) << 20 | uint(kind + 1) << 26;
}

// A word of pack_plant: its kind, 0..KINDS + 3, normal, brightness and tint.
int packed_kind(uint bits)
{
    return int(bits >> 26) - 1;
}

vec3 packed_normal(uint bits)
{
    return from_octahedral((vec2(bits & 127u, bits >> 7 & 127u) - 64.0) / 63.0);
}

float packed_brightness(uint bits)
{
    return float(bits >> 14 & 63u) / 63.0;
}

float packed_tint(uint bits)
{
    return float(bits >> 20 & 63u) / 63.0;
}
