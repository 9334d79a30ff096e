// sky.vert - a triangle over the whole picture at infinite depth.
#include "frame.glsl"

out vec3 direction;

void main()
{
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    vec4 near = inverse_view_projection * vec4(corner, 1.0, 1.0);
    direction = near.xyz / near.w;
    gl_Position = vec4(corner, 0.0, 1.0);
}
