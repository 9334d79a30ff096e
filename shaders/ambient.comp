// ambient.comp - sums the light of the sky on level ground, and finds the share of the sun that land and clouds do not
// hide from the camera.
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

// Light of the sky in direction d, seen from sea level. The key light is in the plane z = 0 and has the zenith cosine
// `up`.
vec3 sky_from_sea(vec3 d, float up)
{
    const int STEPS = 12;
    vec3 key = vec3(sqrt(max(1.0 - up * up, 0.0)), up, 0.0), origin = vec3(0.0, frame_air_radius + 0.01, 0.0),
         light = vec3(0.0), transmittance = vec3(1.0);
    float end = to_sphere_top(origin.y, d.y, frame_air_radius + AIR_DEPTH_KM), from = 0.0;
    for (int n = 0; n < STEPS; n++) {
        float share = float(n + 1) / float(STEPS), to = end * share * share;
        vec3 p = origin + d * (0.5 * (from + to));
        float r = length(p), height = r - frame_air_radius, mu = dot(p, key) / r;
        Air air = air_at(height);
        vec3 through = exp(-air.extinction * (to - from));
        light += transmittance * (1.0 - through) / max(air.extinction, vec3(1e-7)) *
                 (scattered_once(air, height, mu, dot(d, key)) + scattered_again(air, height, mu));
        transmittance *= through;
        from = to;
    }
    return light * (SUN_IRRADIANCE * frame_key_irradiance);
}

// Fill frame_light.skies. Four threads sum the light for each of the 16 zenith cosines; each of them takes a quarter of
// the directions.
void sum_skies(uint n)
{
    float up = skies_up(float(n % 16u) / float(SKIES - 1));
    vec3 sum = vec3(0.0);
    for (int k = 0; k < 16; k++) {
        float azimuth = 2.0 * PI * (float(k % 4) + float(n / 16u) * 0.25 + 0.125) / 4.0,
              high = sqrt((float(k / 4) + 0.5) / 4.0), side = sqrt(1.0 - high * high);
        sum += sky_from_sea(vec3(side * cos(azimuth), high, side * sin(azimuth)), up);
    }
    part[n] = sum;
    barrier();
    if (n < 16u)
        frame_light.skies[n] = vec4((part[n] + part[n + 16u] + part[n + 32u] + part[n + 48u]) * (PI / 64.0) +
                                    PI * night_light(vec3(0.0, 1.0, 0.0)), 0.0);
    barrier();
}
shared uint hidden;

void main()
{
    uint n = gl_LocalInvocationIndex;
    vec3 sum = vec3(0.0);
    if (in_space() > 0.0 && frame_air_density > 0.0)
        sum_skies(n);
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
        ground_height(lod, place_of(at.xz)) - frame_camera.y - drop(at.xz) > at.y)
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
