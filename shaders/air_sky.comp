// air_sky.comp - computes a texture of the sky as seen from the camera. One axis is the azimuth from the sun, the other
// axis is the angle from the horizon. The angular resolution is highest at the horizon.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "air.glsl"
#include "sky.glsl"

layout(rgba16f, binding = 0) writeonly uniform image2D target;

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(target);
    if (any(greaterThanEqual(texel, size)))
        return;
    vec3 origin = camera_in_air(), d = sky_direction(vec2(texel) / vec2(size - 1));
    float r = origin.y, top = frame_air_radius + AIR_DEPTH_KM;
    float ground = to_ground(r, d.y), end = ground > 0.0 ? ground : to_sphere_top(r, d.y, top), from = 0.0;
    vec3 light = vec3(0.0), once = vec3(0.0), transmittance = vec3(1.0);
    if (r > top) // the camera is above the air: the ray begins at the top of the air
        from = -r * d.y - sqrt(max(r * r * (d.y * d.y - 1.0) + top * top, 0.0));
    bool meets = r <= top || (d.y < 0.0 && r * r * (1.0 - d.y * d.y) < top * top);
    if (meets && frame_air_density > 0.0)
        march_air(origin, d, from, end, frame_quality == 0 ? 16 : 32, light, once, transmittance);
    imageStore(target, texel, vec4(light, dot(transmittance, vec3(1.0 / 3.0))));
}
