// clouds.glsl - one layer of clouds: its density, light in it, its shadow. Source: Schneider and Vos 2015 (shapes), Wrenninge 2013
// (several orders of scattering as attenuated copies of the first).
layout(binding = 10) uniform sampler3D cloud_noise; // r: puffs, g: their fine edges; repeats

const float CLOUD_EXTINCTION = 0.045; // 1/m inside
const float PUFFS = 8192.0, EDGES = 1024.0;

// Height over the sea's surface, which curves away.
float over_sea(vec3 position)
{
    return position.y + drop(position.xz) + frame_camera.y - frame_sea_level;
}

// How much of the sky around a place clouds cover (x), and how far their shapes are pushed aside there, so that the volume of noise does
// not repeat visibly (yz, metres).
vec3 cover_at(vec2 place, float footprint)
{
    vec2 at = place + frame_pattern + frame_cloud_drift, broad = place + frame_broad_pattern + frame_cloud_drift;
    vec3 middle = noise_in(broad, 32768.0, BROAD_PATTERN);
    float n = 0.8 * faded_broad_noise(broad, 524288.0, footprint) + 0.7 * faded_broad_noise(broad, 131072.0, footprint) +
              0.45 * middle.x + 0.3 * faded_noise(at, 8192.0, footprint).x;
    return vec3(clamp(frame_cloud_cover + 0.6 * n * (1.0 - abs(2.0 * frame_cloud_cover - 1.0) * 0.7), 0.0, 1.0), 2600.0 * middle.yz);
}

// Density 0..1; `detail` 0 leaves the fine edges out; features smaller than the footprint, metres, become their mean.
float cloud_density(vec3 position, float height, vec3 around, int detail, float footprint)
{
    float h = (height - frame_cloud_base) / frame_cloud_depth, cover = around.x;
    if (h <= 0.0 || h >= 1.0 || cover <= 0.0)
        return 0.0;
    vec3 at = vec3(position.xz + frame_pattern + frame_cloud_drift + around.yz, height);
    float texels = float(textureSize(cloud_noise, 0).x);
    footprint *= 1.0 + footprint / 150.0; // from far above single puffs are grain: let them melt together early
    float shape = textureLod(cloud_noise, at / vec3(PUFFS, PUFFS, PUFFS * 0.5), log2(max(footprint * texels / PUFFS, 1.0))).r;
    float profile = smoothstep(0.0, 0.12, h) * (1.0 - 0.9 * smoothstep(0.2, 1.0, h) * (1.2 - 0.4 * shape));
    float density = clamp((shape * profile - (1.0 - cover)) / max(cover, 0.05), 0.0, 1.0);
    if (detail > 0 && density > 0.0) {
        float edges = textureLod(cloud_noise, at / EDGES, log2(max(footprint * texels / EDGES, 1.0))).g;
        density = clamp((density - edges * 0.42 * (1.0 - density)) / 0.85, 0.0, 1.0);
    }
    return density;
}

// Share of the key light that clouds let through to a place on the ground.
float cloud_shadow(vec3 position)
{
    if (!has_layer(LAYER_CLOUDS) || frame_cloud_cover <= 0.0 || frame_key.y < 0.02)
        return 1.0;
    float through = 0.0;
    int count = frame_quality == 0 ? 1 : 3;
    for (int n = 0; n < count; n++) {
        float rise = frame_cloud_base + frame_cloud_depth * (count == 1 ? 0.3 : 0.15 + 0.22 * float(n)) - over_sea(position);
        if (rise <= 0.0)
            continue;
        vec3 at = position + frame_key * (rise / max(frame_key.y, 0.08));
        at.y = position.y + rise;
        float height = over_sea(position) + rise;
        through += cloud_density(at, height, cover_at(at.xz, 200.0), 0, length(position) * frame_pixel_width);
    }
    through *= 3.0 / float(count);
    return exp(-through * frame_cloud_depth * 0.33 * CLOUD_EXTINCTION * 0.35);
}
