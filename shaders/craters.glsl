// craters.glsl - brightness of ground with craters: young craters have bright rays, and lava is dark.
//
// src/program/viewer/flight/crater_rays.c chooses the craters of a frame.

// Random number 0..1 of a part of a circle.
float ray_random(float seed, float part, float parts)
{
    return hash_unit(uint(seed) * 4099u + uint(mod(part, parts)) + 131u * uint(parts));
}

// Smooth noise 0..1 around a circle of `parts` parts. turn: 0..1
float ray_noise(float seed, float turn, float parts)
{
    float at = turn * parts, part = floor(at), t = at - part;
    return mix(ray_random(seed, part, parts), ray_random(seed, part + 1.0, parts), t * t * (3.0 - 2.0 * t));
}

// Brightness of a crater and its rays at a place, 0..1. crater: as frame_rays; place: metres from the camera
float rays_of(vec4 crater, vec2 place)
{
    vec2 d = (place - crater.xy) / crater.z;
    float r = length(d), seed = floor(crater.w), bright = fract(crater.w);
    if (r > CRATER_RAY_RADII)
        return 0.0;
    float turn = atan(d.y, d.x) / (2.0 * PI) + 0.5;
    float reach = mix(2.0, 8.0, ray_noise(seed, turn, 11.0)), ray = ray_noise(seed + 17.0, turn, 37.0);
    ray = smoothstep(0.40, 0.85, 0.65 * ray + 0.35 * ray_noise(seed + 31.0, turn, 101.0)) * exp(-(r - 1.0) / reach);
    float halo = exp(-1.6 * max(r - 1.0, 0.0));
    float fade = 1.0 - smoothstep(0.6, 1.0, r / CRATER_RAY_RADII);
    return bright * clamp(halo + 1.3 * ray * smoothstep(1.0, 2.0, r), 0.0, 1.0) * fade;
}

// Albedo of ground with craters. place: metres from the camera; altitude: metres over the datum
vec3 cratered(vec3 albedo, vec2 place, float altitude)
{
    float rays = 0.0;
    for (int n = 0; n < frame_n_rays; n++) {
        float more = rays_of(frame_rays[n], place);
        rays = rays + more - rays * more;
    }
    // craters have mixed lava and ground at the shores
    float shore = 4.0 * (frame_lava.y - frame_lava.x),
          lava = shore > 0.0 ? 1.0 - smoothstep(frame_lava.x, frame_lava.x + shore, altitude) : 0.0;
    albedo *= mix(vec3(1.0), vec3(0.52, 0.53, 0.56), lava); // lava has half of the albedo of highlands
    return albedo * (1.0 + 0.9 * rays);
}
