// air_transmittance.comp - computes a table of the transmittance from the top of the air to a height, for a zenith
// angle. The table has 256 x 64 texels.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "air.glsl"

layout(rgba16f, binding = 0) writeonly uniform image2D target;

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    float top = frame_air_radius + AIR_DEPTH_KM, h = sqrt(top * top - frame_air_radius * frame_air_radius);
    vec2 x = vec2(texel) / vec2(AIR_TRANSMITTANCE_WIDTH - 1, AIR_TRANSMITTANCE_HEIGHT - 1);
    float rho = h * x.y, r = sqrt(rho * rho + frame_air_radius * frame_air_radius), least = top - r, most = rho + h;
    float d = least + x.x * (most - least);
    float mu = d <= 0.0 ? 1.0 : clamp((h * h - rho * rho - d * d) / (2.0 * r * d), -1.0, 1.0);
    vec3 depth = vec3(0.0);
    for (int n = 0; n < 40; n++) {
        float t = (float(n) + 0.5) / 40.0 * d;
        depth += air_at(sqrt(r * r + t * t + 2.0 * r * mu * t) - frame_air_radius).extinction * d / 40.0;
    }
    imageStore(target, texel, vec4(exp(-depth), 1.0));
}
