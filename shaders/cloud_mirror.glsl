// cloud_mirror.glsl - low clouds as water mirrors them: one look at the column that a mirrored ray meets at the clouds' base, smoothed
// over what the water's roughness spreads the ray to.

// Light (rgb) and share (a) of clouds along r from a place on water. rough: deviation of its slopes; sunlight: the key light over it.
vec4 mirrored_clouds(vec3 from, vec3 r, float rough, vec3 sunlight)
{
    float under = over_sea(from);
    if (!has_layer(LAYER_CLOUDS) || frame_cloud_cover <= 0.0 || under > frame_cloud_base)
        return vec4(0.0);
    float rise = max(r.y, 0.01), distance = to_surface(vec3(r.x, rise, r.z), frame_cloud_base - under);
    vec2 place = from.xz + r.xz * distance;
    // a low ray passes along the layer and meets clouds side by side: it sees their sides
    float run = min(frame_cloud_depth * 0.5 / rise, 20000.0), footprint = 2.0 * rough * distance / max(rise, 0.3) + 0.15 * run + 30.0;
    Column c = column_at(place, footprint);
    float share = mix(smoothstep(0.1, 0.3, c.filled), c.filled, c.veil);
    share = 1.0 - pow(1.0 - min(share, 0.999), 1.0 + run / 4000.0);
    float thick = (c.crest - c.base) * c.filled, sides = 1.0 - smoothstep(0.1, 0.7, rise), away = 0.5 - 0.5 * dot(r, frame_key);
    vec3 base = 0.32 * (frame_light.sky.rgb + sunlight * max(frame_key.y, 0.0)) * mix(1.3, 0.8, thick / (thick + 400.0));
    vec3 side = 0.6 * frame_light.sky.rgb + sunlight * (0.15 + 0.45 * away);
    float through = exp(-distance * 2.0e-5 * frame_haze);
    return vec4(mix(base, side, 0.5 * sides * (1.0 - share * share)) / PI, share * through);
}
