// cloud_mirror.glsl - approximates the reflection of low clouds in water by one lookup of the column of clouds that the
// reflected ray meets at the height of their base. The column is averaged over a footprint, because the roughness of
// the water spreads the ray.

// Light (rgb) and share (a) of clouds reflected at a position on water. r: direction of the reflected ray in the frame
// of the position, see local_direction; rough: standard deviation of the slopes of the waves
vec4 mirrored_clouds(vec3 from, vec3 r, float rough)
{
    if (!has_clouds())
        return vec4(0.0);
    vec2 place = place_of(from.xz);
    float under = over_sea(from), base = weather_at(weather_low, place).z, rise = max(r.y, 0.01);
    float distance = to_surface(vec3(r.x, rise, r.z), max(base - under, 1.0));
    // a ray at low elevation passes many clouds of the layer and meets their sides
    float run = min(frame_cloud_depth * 0.5 / rise, 20000.0),
          footprint = 2.0 * rough * distance / max(rise, 0.3) + 0.15 * run + 30.0;
    Column c = column_at(place + r.xz * distance, footprint);
    float share = mix(smoothstep(0.1, 0.3, c.filled), c.filled, c.veil) * smoothstep(0.0, 150.0, c.crest - under);
    share = 1.0 - pow(1.0 - min(share, 0.999), 1.0 + run / 4000.0);
    // clouds are high and may be in sunlight after the sun has set for the water
    vec3 sky = sky_at(from), key = key_light(from, c.base + frame_sea_level);
    float thick = (c.crest - c.base) * c.filled, sides = 1.0 - smoothstep(0.1, 0.7, rise),
          away = 0.5 - 0.5 * dot(r, local_direction(frame_key, up_at(from)));
    vec3 below = 0.32 * (sky + key * max(key_up(from), 0.0)) * mix(1.3, 0.8, thick / (thick + 400.0));
    vec3 beside = 0.6 * sky + key * (0.15 + 0.45 * away);
    float through = exp(-distance * 2.0e-5 * frame_haze);
    return vec4(mix(below, beside, 0.5 * sides * (1.0 - share * share)) / PI, share * through);
}
