// river_surface.glsl - light from the surface of a river or a lake.
vec3 river_light(vec3 d, float t, River r, vec3 behind, float bed)
{
    Water water = Water(t, r.depth, r.level, r.lit);
    vec2 place = d.xz * t + frame_pattern;
    float footprint = t * frame_pixel_width / max(abs(d.y), 0.03);
    float broken = 0.5 + 0.5 * faded_noise(place + vec2(0.4, 0.25) * frame_time, 4.0, footprint).x + 0.35 * faded_noise(place, 1.0, footprint).x;
    float white = smoothstep(0.15, 0.6, r.fall) * (0.55 + 0.45 * broken);
    return water_light(d, water, wind_waves(d, water, mix(0.12, 0.3, smoothstep(2.0, 20.0, r.depth)), white), behind, bed);
}
