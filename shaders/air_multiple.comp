// air_multiple.comp - computes a table of multiple scattering: all orders except the first. Its axes are the zenith
// cosine of the sun and the height. It has 32 x 32 texels.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "air.glsl"

layout(rgba16f, binding = 0) writeonly uniform image2D target;

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    float mu = float(texel.x) / float(AIR_MULTIPLE_SIDE - 1) * 2.0 - 1.0,
          r = frame_air_radius + max(float(texel.y) / float(AIR_MULTIPLE_SIDE - 1) * AIR_DEPTH_KM, 0.01);
    vec3 toward = vec3(sqrt(max(1.0 - mu * mu, 0.0)), mu, 0.0), second = vec3(0.0), share = vec3(0.0);
    const int DIRECTIONS = 8, STEPS = 20;
    for (int n = 0; n < DIRECTIONS * DIRECTIONS; n++) {
        float cos_theta = 1.0 - 2.0 * (float(n / DIRECTIONS) + 0.5) / float(DIRECTIONS);
        float phi = 2.0 * PI * (float(n % DIRECTIONS) + 0.5) / float(DIRECTIONS),
              sine = sqrt(1.0 - cos_theta * cos_theta);
        vec3 d = vec3(sine * cos(phi), cos_theta, sine * sin(phi));
        float ground = to_ground(r, d.y), end = ground > 0.0 ? ground
                                                : to_sphere_top(r, d.y, frame_air_radius + AIR_DEPTH_KM);
        vec3 transmittance = vec3(1.0);
        for (int k = 0; k < STEPS; k++) {
            vec3 p = vec3(0.0, r, 0.0) + d * (float(k) + 0.5) / float(STEPS) * end;
            float rp = length(p);
            Air air = air_at(rp - frame_air_radius);
            vec3 through = exp(-air.extinction * end / float(STEPS)), scatter = air.scatter_air + air.scatter_haze;
            vec3 over = transmittance * (1.0 - through) / max(air.extinction, vec3(1e-7));
            second += over * scatter * transmittance_to(rp - frame_air_radius, dot(p, toward) / rp) / (4.0 * PI);
            share += over * scatter;
            transmittance *= through;
        }
        if (ground > 0.0) {
            vec3 p = vec3(0.0, r, 0.0) + d * ground;
            float lambert = max(dot(p, toward) / frame_air_radius, 0.0);
            second += transmittance * GROUND_ALBEDO / PI * lambert * transmittance_to(0.0, lambert);
        }
    }
    float n = float(DIRECTIONS * DIRECTIONS);
    imageStore(target, texel, vec4(second / n / (1.0 - share / n), 1.0));
}
