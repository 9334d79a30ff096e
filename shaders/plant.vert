// plant.vert - a plant or a stone as triangles.
#include "frame.glsl"
#include "plants.glsl"

layout(location = 0) in vec3 place;  // in heights of the plant
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 leaf;   // place in the picture of leaves; brightness; MATERIAL_...
layout(location = 3) in vec4 foot;   // a Plant
layout(location = 4) in vec4 shape;

layout(location = 0) out vec3 leaf_normal;
layout(location = 1) out vec3 at;
layout(location = 2) flat out vec4 look; // kind, tint, kept
layout(location = 3) flat out int material;

void main()
{
    float tint = fract(shape.y), wide = 0.86 + 0.28 * fract(tint * 37.0);
    vec3 p = turned(place * vec3(wide, 1.0, wide), shape.x);
    float sway = leaf.w < 3.5 ? place.y * place.y * 0.006 * sin(frame_time * 1.4 + 6.28 * fract(tint * 91.0) + place.x * 4.0) : 0.0;
    leaf_normal = turned(normal, shape.x);
    at = leaf.w < 3.5 ? leaf.xyz : vec3(leaf.xy * foot.w, leaf.z); // bark and rock have metres

    look = vec4(floor(shape.y), tint, shape.zw);
    material = int(leaf.w);
    gl_Position = frame_view_projection * vec4(foot.xyz + (p + vec3(sway, 0.0, 0.6 * sway)) * foot.w, 1.0);
}
