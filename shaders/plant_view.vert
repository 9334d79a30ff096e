// plant_view.vert - projects a plant into one of its impostor views.
#include "frame.glsl"
#include "plants.glsl"

layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 leaf;
layout(location = 0) uniform ivec2 view;

layout(location = 0) out vec3 leaf_normal;
layout(location = 1) out vec3 at;
layout(location = 2) flat out int material;

void main()
{
    vec3 from = from_upper_octahedral((vec2(view) + 0.5) / float(IMPOSTOR_VIEWS) * 2.0 - 1.0), right = right_of(from),
         up = cross(from, right);
    vec3 q = place - vec3(0.0, 0.5, 0.0);
    leaf_normal = normal;
    at = leaf.xyz;
    material = int(leaf.w);
    gl_Position = vec4(vec3(dot(q, right), dot(q, up), dot(q, from)) / IMPOSTOR_RADIUS * vec3(1.0, 1.0, 0.5) +
                       vec3(0.0, 0.0, 0.5), 1.0);
}
