// impostor.vert - a plant far away: a square that faces the camera, or the light for shadows.
#include "frame.glsl"
#include "plants.glsl"

layout(location = 3) in vec4 foot; // a Plant
layout(location = 4) in vec4 shape;
layout(location = 0) uniform mat4 to_shadow; // from places to a shadow map
layout(location = 4) uniform int is_shadow;

layout(location = 0) out vec3 q;         // from the plant's middle, in heights and in its own axes
layout(location = 1) flat out vec3 from; // direction to the eye, in its own axes
layout(location = 2) flat out vec4 look; // kind, tint, kept
layout(location = 3) flat out float yaw;

void main()
{
    const vec2 CORNERS[4] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));
    float tint = fract(shape.y), wide = 0.86 + 0.28 * fract(tint * 37.0);
    vec3 middle = foot.xyz + vec3(0.0, 0.5 * foot.w, 0.0), eye = is_shadow == 1 ? frame_key : -normalize(middle);
    vec3 right = right_of(eye), up = cross(eye, right);
    vec3 offset = (CORNERS[gl_VertexID].x * right + CORNERS[gl_VertexID].y * up) * IMPOSTOR_RADIUS;
    q = turned(offset, -shape.x) / vec3(wide, 1.0, wide);
    from = turned(eye, -shape.x);
    look = vec4(floor(shape.y), tint, shape.zw);
    yaw = shape.x;
    vec3 place = middle + offset * foot.w;
    if (is_shadow == 1) {
        gl_Position = to_shadow * vec4(place, 1.0);
    } else {
        float distance = length(middle), nearer = 1.0 - min(0.25 * foot.w / distance, 0.5); // before what stands within its crown
        gl_Position = frame_view_projection * vec4(place * nearer, 1.0);
    }
}
