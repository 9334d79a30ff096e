// cloud_light.glsl - computes light in clouds.
//
// Sources: Wrenninge, Kulla, Lundqvist 2013 (orders of scattering as attenuated copies of the first), Schneider and Vos
// 2015 (dark edges), Hillaire 2016 (two lobes, light of sky and ground).
float phase_lobe(float c, float g)
{
    return (1.0 - g * g) / (4.0 * PI * pow(1.0 + g * g - 2.0 * g * c, 1.5));
}

float phase_cloud(float c, float narrow)
{
    return mix(phase_lobe(c, -0.2 * narrow), phase_lobe(c, 0.8 * narrow), 0.6);
}

// Irradiance of the key light at a position, without the effect of clouds.
vec3 key_in_clouds(vec3 position, float height)
{
    return SUN_IRRADIANCE * frame_key_irradiance *
           transmittance_to((height + frame_sea_level) * 1e-3, key_up(position));
}

// Irradiance of the sky from all directions at a position. It is the greater of two estimates: the irradiance of level
// ground at the camera, and the light that the air at the position scatters.
vec3 sky_in_clouds(vec3 position, float height)
{
    vec3 around = multiple_scattering((height + frame_sea_level) * 1e-3, key_up(position));
    return max(sky_at(position), SUN_IRRADIANCE * frame_key_irradiance * frame_air_density * PI * around);
}

// Optical depth of the clouds towards the key light. The nearest step uses the cloud's full shape, so that heaps and
// creases are shaded. Later steps are longer and use a shape that has only heaps. At quality 0 all steps use smooth
// columns.
float depth_to_key(vec3 position, Column column, vec4 weather, float footprint, float jitter)
{
    const int count = int[](2, 5, 7)[QUALITY];
    const float wider = float[](4.5, 2.8, 2.0)[QUALITY];
    float depth = 0.0, from = 0.0, to = QUALITY == 0 ? 180.0 : mix(21.0, 29.0, jitter);
    for (int n = 0; n < count; n++) {
        vec3 at = position + frame_key * mix(from, to, 0.5);
        float wide = max(footprint, 0.35 * (to - from));
        Column c = column;
        if (QUALITY == 0 || n > 0) {
            c = column_of(place_of(at.xz), weather, wide);
            c.veil = column.veil;
        }
        int shape = QUALITY == 0 ? SMOOTH : n == 0 ? WITH_EDGES : WITH_HEAPS;
        depth += cloud_extinction(at, over_sea(at), c, shape, wide) * (QUALITY > 0 ? 1.0 : 0.6) * (to - from);
        from = to;
        to *= wider;
    }
    return depth;
}

// Shares of the key light (x) and of the light of the sky (y) that a cloud scatters towards the camera. c: cosine of
// the angle between the ray and the direction to the key light; up: zenith cosine of the key light
vec2 light_in_cloud(vec3 position, float height, Column column, vec4 weather, float c, float up, float extinction,
                    float footprint,
                    float jitter)
{
    float depth = depth_to_key(position, column, weather, footprint, jitter), orders = 0.0, a = 1.0;
    for (int n = 0; n < 3; n++) {
        orders += a * exp(-depth * pow(a, 1.65)) * phase_cloud(c, a);
        a *= 0.5;
    }
    orders *= 1.0 - 0.5 * exp(-extinction * 150.0) * (0.5 - 0.5 * c) * (1.0 - column.veil);
    float span = max(column.crest - column.base, 1.0), thick = span * column.filled;
    // how much heaps between the position and the hull hide the position
    float hidden = smoothstep(0.15, 1.0, hull_at(height, column));
    float crease = mix(0.5, 1.0, column.heaped) * (1.0 - column.veil) * hidden;
    orders *= (0.5 + 0.5 * thick / (thick + 400.0)) * (1.1 - 0.5 * crease);
    float high = clamp((height - column.base) / span, 0.0, 1.0), open = exp(-0.0012 * max(column.crest - height, 0.0));
    float ground = 0.12 / PI * (1.0 - 0.7 * high);
    float layer = (1.0 - column.heaped) * (1.0 - column.veil) * (1.0 - high);
    float passed = layer * diffuse_through_cloud(max(column.crest - height, 0.0));
    return vec2(3.2 * orders + ground * max(up, 0.0) * (1.0 - 0.8 * weather.x) + 0.15 / PI * max(up, 0.0) * passed,
                mix(mix(0.28, 0.55 * passed, layer), 0.9, open * (0.15 + 0.85 * high)) * (1.0 - 0.5 * crease * high) /
                    PI + ground * (1.0 - weather.x));
}
