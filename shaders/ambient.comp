// ambient.comp - sums the light of the sky on level ground, and finds whether land or clouds hide the sun from the
// camera.
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "noise.glsl"
#include "pages.glsl"
#include "air.glsl"
#include "sky.glsl"
#include "frame_light.glsl"
#include "weather.glsl"
#include "weather_map.glsl"
#include "clouds.glsl"

shared vec3 part[64];
shared uint hidden;

void main()
{
    uint n = gl_LocalInvocationIndex;
    vec3 sum = vec3(0.0);
    // 16 azimuths, and 16 elevations equally spaced in the squared zenith cosine, so all directions have equal weights
    for (int k = 0; k < 4; k++) {
        float azimuth = 2.0 * PI * (float(n % 16u) + 0.5) / 16.0;
        float up = sqrt((float(n / 16u) * 4.0 + float(k) + 0.5) / 16.0), side = sqrt(1.0 - up * up);
        vec3 d = vec3(side * cos(azimuth), up, side * sin(azimuth));
        sum += sky_light(d) + night_light(d);
    }
    part[n] = sum;
    if (n == 0u)
        hidden = 0u;
    barrier();
    float distance = 10.0 * pow(1.14, float(n)) * max(lattice_step(), 0.1);
    vec3 at = frame_sun * distance;
    int lod = clamp(int(log2(max(distance * 0.02 / frame_spacing, 1.0))), 0, frame_coarsest_lod);
    if (has_layer(LAYER_TERRAIN) && at.y < frame_highest - frame_camera.y &&
        ground_height(lod, at.xz) - frame_camera.y - drop(at.xz) > at.y)
        atomicOr(hidden, 1u);
    for (uint step = 32u; step > 0u; step >>= 1) {
        if (n < step)
            part[n] += part[n + step];
        barrier();
    }
    if (n != 0u)
        return;
    float seen = hidden == 0u ? smoothstep(-0.01, 0.02, frame_sun.y + horizon_dip()) * cloud_shadow(vec3(0.0)) : 0.0;
    frame_light.sky = vec4(part[0] * PI / 256.0, seen);
}
