// air_froxels.comp - computes aerial perspective: scattered light and transmittance along rays of the view up to a
// series of distances.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "air.glsl"

layout(rgba16f, binding = 0) writeonly uniform image3D scattering; // rgb: light; a: share of sunlight scattered once
layout(rgba16f, binding = 1) writeonly uniform image3D transmittances;

void main()
{
    ivec3 size = imageSize(scattering);
    ivec2 column = ivec2(gl_GlobalInvocationID.xy);
    vec2 screen = vec2(column) / vec2(size.xy - 1) * 2.0 - 1.0;
    vec4 near = frame_inverse_view_projection * vec4(screen, 1.0, 1.0);
    vec3 d = normalize(near.xyz / near.w), origin = camera_in_air(), light = vec3(0.0), once = vec3(0.0),
         transmittance = vec3(1.0);
    float span = length_of_air(d), thick = to_thick_air(d), from = thick, start = 0.0, r = origin.y,
          top = frame_air_radius + AIR_DEPTH_KM;
    if (r > top) { // camera above the air: begin at its top
        float under = r * r * (d.y * d.y - 1.0) + top * top;
        start = under > 0.0 && d.y < 0.0 ? -r * d.y - sqrt(under) : 1.0e9;
    }
    if (thick > start && frame_air_density > 0.0)
        march_air(origin, d, start, thick, 4, light, once, transmittance);
    for (int k = 0; k < size.z; k++) {
        float w = float(k + 1) / float(size.z), to = thick + span * w * w, begin = max(from, start);
        if (to > begin && frame_air_density > 0.0)
            march_air(origin, d, begin, to, k < 4 ? 1 : 2, light, once, transmittance);
        from = to;
        imageStore(scattering, ivec3(column, k), vec4(light, dot(once, vec3(1.0)) / max(dot(light, vec3(1.0)), 1e-6)));
        imageStore(transmittances, ivec3(column, k), vec4(transmittance, 1.0));
    }
}
