// water.frag - waves, Fresnel reflection of the sky, sun glint, and the ground showing through where the sea is shallow.
#include "frame.glsl"
#include "tiles.glsl"
#include "noise.glsl"
#include "atmosphere.glsl"

in vec3 position;
in vec2 tile_place;
flat in uint slot;
out vec4 color;

float ground_height()
{
    vec2 p = clamp(tile_place, 0.0, 64.0);
    ivec2 a = min(ivec2(p), ivec2(63));
    vec2 t = p - vec2(a);
    return mix(mix(tile_height(slot, a), tile_height(slot, a + ivec2(1, 0)), t.x),
               mix(tile_height(slot, a + ivec2(0, 1)), tile_height(slot, a + ivec2(1, 1)), t.x), t.y);
}

// Slope of one wave field: gradient of noise that drifts with the wind.
vec2 waves(vec2 place, float size, vec2 drift)
{
    vec2 p = place + drift * camera.w;
    float e = size * 0.25;
    float here = noise(p, size);
    return vec2(noise(p + vec2(e, 0.0), size) - here, noise(p + vec2(0.0, e), size) - here) / e;
}

void main()
{
    float distance = length(position);
    vec3 view = position / distance;
    vec2 place = position.xz + pattern.xy;
    float depth = world.y - ground_height();
    if (depth < -60.0)
        discard;

    // A wave field fades out before its waves are smaller than a pixel; what it loses in slope it gains as roughness of the glint.
    float footprint = distance * planet.z * 1.3 / max(abs(view.y), 0.04);
    vec2 slope = vec2(0.0);
    float lost = 0.0;
    const float sizes[5] = float[](64.0, 16.0, 4.0, 1.0, 0.5);
    const float heights[5] = float[](0.50, 0.26, 0.10, 0.030, 0.012);
    for (int n = 0; n < (options.z == 0 ? 2 : 5); n++) {
        float keep = 1.0 - smoothstep(0.15, 0.7, footprint / sizes[n]);
        if (keep > 0.0) {
            slope += keep * heights[n] * waves(place, sizes[n], vec2(1.1, 0.7) * sqrt(sizes[n]) * (n % 2 == 0 ? 1.0 : 0.8));
            slope += keep * heights[n] * 0.7 * waves(place.yx + 131.0, sizes[n], vec2(-0.6, 0.9) * sqrt(sizes[n]));
        }
        lost += (1.0 - keep) * heights[n] * heights[n] / (sizes[n] * sizes[n]) * 6.0;
    }
    vec3 n = normalize(vec3(-slope.x, 1.0, -slope.y));

    float facing = max(dot(n, -view), 0.02);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0) / (1.0 + 12.0 * sqrt(lost));
    vec3 mirrored = reflect(view, n);
    mirrored.y = abs(mirrored.y) + 0.02;
    vec3 reflected = sky_light(normalize(mirrored));

    float width = 0.004 + 0.03 * sqrt(lost) + 0.002 * length(slope);
    vec3 half_way = normalize(sun.xyz - view);
    float off = 1.0 - max(dot(n, half_way), 0.0);
    vec3 glint = sunlight(world.y) * fresnel * 0.22 / (width * 40.0) * exp(-off / width);

    vec3 sun_in = sunlight(world.y) * max(sun.y, 0.0), sky_in = skylight(world.y);
    vec3 deep = vec3(0.0035, 0.018, 0.030) * (sun_in * 0.55 + sky_in) ;
    vec3 shallow = vec3(0.010, 0.060, 0.062) * (sun_in * 0.55 + sky_in);
    float clarity = exp(-max(depth, 0.0) / 9.0);
    vec3 body = mix(deep, shallow, clarity);

    float path = max(depth, 0.0) / max(facing, 0.25);
    float opacity = 1.0 - exp(-path * 0.22);
    float foam = (1.0 - smoothstep(0.0, 0.55, depth + 0.5 * (noise(place + vec2(0.5, 0.3) * camera.w, 4.0) - 0.6))) * step(-0.5, depth) *
                 (1.0 - smoothstep(400.0, 3000.0, distance)) * 0.55;
    vec3 light = mix(body, reflected, fresnel) + glint;
    light = mix(light, (sun_in + sky_in) * 0.24, foam);
    float alpha = clamp(max(max(opacity, fresnel), foam), 0.0, 1.0);
    color = vec4(display(aerial_perspective(light, position, world.y)), alpha);
}
