// exposure.comp - adapts the exposure to the logarithmic mean luminance of the picture, over time. Dark scenes stay
// darker than bright scenes. Source: Reinhard et al., "Photographic Tone Reproduction for Digital Images", 2002.
layout(local_size_x = 256) in;
#include "frame.glsl"
#include "frame_light.glsl"

layout(binding = 11) uniform sampler2D light;
shared vec3 part[256];

void main()
{
    uint n = gl_LocalInvocationIndex;
    vec3 sum = vec3(0.0);
    for (uint k = n; k < 64u * 36u; k += 256u) {
        vec2 at = (vec2(k % 64u, k / 64u) + 0.5) / vec2(64.0, 36.0);
        vec4 c = texelFetch(light, ivec2(at * frame_picture_size), 0);
        if (any(isnan(c)) || any(isinf(c)))
            continue;
        float weight = c.a * (1.0 - 0.5 * at.y); // the land counts more than the sky above it
        float luminance = min(luminance_of(c.rgb), 20.0);
        weight *= mix(1.0, smoothstep(0.01, 0.1, luminance) + 1.0e-3, in_space()); // black space does not count
        sum += vec3(log2(max(luminance, 1.0e-6)), luminance, 1.0) * weight;
    }
    part[n] = sum;
    barrier();
    for (uint step = 128u; step > 0u; step >>= 1) {
        if (n < step)
            part[n] += part[n + step];
        barrier();
    }
    if (n != 0u || part[0].z <= 0.0)
        return;
    // Black space would overexpose bright land, so the logarithmic mean is at least the arithmetic mean less half a
    // stop.
    float mean = max(part[0].x / part[0].z, log2(max(part[0].y / part[0].z, 1.0e-6)) - 0.5);
    if (frame_elapsed >= 0.0)
        mean = mix(frame_light.mean, mean, 1.0 - exp(-frame_elapsed * 1.2));
    frame_light.mean = mean;
    // Snow and clouds that fill a picture stay white, because exposure adapts less to light that is brighter than land
    // by day.
    float bright = max(mean + 0.7, 0.0);
    float darkest = mix(-11.0, -8.0, in_space()); // from space the night stays dark
    float day = smoothstep(-6.0, -3.0, mean) * in_space(); // clouds and snow set the exposure of the day side
    frame_light.exposure = 0.24 * exp2(-0.82 * clamp(mean, darkest, 6.0) + 0.47 * min(bright, 3.0) - 0.8 * day);
}
