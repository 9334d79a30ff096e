// view_ground.comp - finds the ground that a grid of pixels shows, for marking the ground in view.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "picture.glsl"
#include "mark.glsl"

layout(std430, binding = 2) writeonly buffer Places {
    vec4 places[]; // x and z from the camera, and distance, m; distance 0: no ground
};

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy, size = gl_NumWorkGroups.xy * gl_WorkGroupSize.xy;
    ivec2 pixel = ivec2((vec2(at) + 0.5) / vec2(size) * frame_picture_size);
    places[at.x + at.y * size.x] = vec4(mark_ground(pixel), 0.0);
}
