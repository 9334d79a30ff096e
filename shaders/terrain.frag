// terrain.frag - ground colours by altitude, slope and noise, lit by sun and sky, seen through the air.
#include "frame.glsl"
#include "tiles.glsl"
#include "noise.glsl"
#include "atmosphere.glsl"

layout(binding = 0) uniform sampler2DArray normals;

in vec3 position;
in vec2 tile_place;
in float morphing;
in float altitude;
flat in uint slot;
flat in int lod;
out vec4 color;

vec3 ground_normal()
{
    ivec3 texel = tile_texel(slot);
    vec4 n = texture(normals, vec3((vec2(texel.xy) + clamp(tile_place, 0.0, 64.0) + 0.5) / float(NORMALS * ATLAS_SIDE), texel.z));
    vec2 xz = mix(n.xy, n.zw, morphing);
    return normalize(vec3(xz.x, sqrt(max(1.0 - dot(xz, xz), 0.0)), xz.y));
}

// Bumps smaller than a lattice step, and tree tops: where the height function has no more detail, noise takes over.
vec3 roughen(vec3 n, vec2 place, float footprint, float canopy, float roughness)
{
    if (options.z == 0)
        return n;
    vec2 slope = vec2(0.0);
    const float sizes[4] = float[](16.0, 8.0, 2.0, 0.5);
    for (int k = 0; k < 4; k++) {
        float strength = (k < 2 ? canopy * 1.3 : roughness * 0.55) * (1.0 - smoothstep(0.25, 0.9, footprint / sizes[k]));
        if (strength <= 0.0)
            continue;
        float e = 0.25 * sizes[k], here = noise(place, sizes[k]);
        slope += strength * vec2(noise(place + vec2(e, 0.0), sizes[k]) - here, noise(place + vec2(0.0, e), sizes[k]) - here);
    }
    return normalize(n - vec3(slope.x, 0.0, slope.y));
}

struct Ground { vec3 albedo; float roughness, canopy; };

Ground ground_at(float over_sea, vec3 n, vec2 place, vec2 broad_place, float footprint)
{
    float region, broad, medium;
    if (options.z == 0) {
        region = faded_broad_noise(broad_place, 16384.0, footprint);
        broad = faded_broad_noise(broad_place, 1024.0, footprint);
        medium = faded_noise(place, 32.0, footprint);
    } else {
        region = faded_broad_noise(broad_place, 65536.0, footprint) * 0.6 + faded_broad_noise(broad_place, 16384.0, footprint) * 0.4;
        broad = faded_broad_noise(broad_place, 4096.0, footprint) * 0.5 + faded_broad_noise(broad_place, 1024.0, footprint) * 0.3 +
                faded_noise(place, 256.0, footprint) * 0.2;
        medium = faded_noise(place, 64.0, footprint) * 0.6 + faded_noise(place, 16.0, footprint) * 0.4;
    }
    float detail = 0.5;
    if (options.z > 0)
        detail += (faded_noise(place, 4.0, footprint) - 0.5) * 0.7 + (faded_noise(place, 1.0, footprint) - 0.5) * 0.6 +
                  (faded_noise(place, 0.25, footprint) - 0.5) * 0.5;
    detail = clamp(detail, 0.0, 1.0);
    float patches = region * 0.3 + broad * 0.35 + medium * 0.2 + detail * 0.15;
    float steep = 1.0 - n.y;

    vec3 grass = (0.7 + 0.6 * detail) * mix(vec3(0.060, 0.098, 0.026), vec3(0.165, 0.155, 0.062), smoothstep(0.25, 0.75, patches));
    vec3 forest = mix(vec3(0.018, 0.038, 0.012), vec3(0.046, 0.068, 0.022), medium * 0.6 + detail * 0.4);
    vec3 alpine = mix(vec3(0.120, 0.118, 0.058), vec3(0.190, 0.160, 0.105), patches);
    vec3 rock = mix(vec3(0.105, 0.096, 0.088), vec3(0.240, 0.220, 0.196), medium * 0.5 + detail * 0.5);
    vec3 sand = mix(vec3(0.360, 0.300, 0.205), vec3(0.470, 0.405, 0.290), detail * 0.6 + medium * 0.4);
    vec3 bed = mix(vec3(0.180, 0.160, 0.110), vec3(0.105, 0.115, 0.090), smoothstep(0.0, -40.0, over_sea));
    vec3 snow = vec3(0.80, 0.83, 0.88) * (0.94 + 0.12 * detail);

    Ground g;
    g.canopy = smoothstep(0.40, 0.62, broad * 0.50 + region * 0.25 + medium * 0.25 + 0.10 * (detail - 0.5)) *
               (1.0 - smoothstep(700.0, 1150.0, over_sea + 350.0 * medium)) * (1.0 - smoothstep(0.12, 0.30, steep));
    g.albedo = mix(grass, forest, g.canopy);
    g.roughness = 0.5;
    g.albedo = mix(g.albedo, alpine, smoothstep(600.0, 1350.0, over_sea + 500.0 * (patches - 0.5)));
    float bare = smoothstep(0.13, 0.30, steep + 0.16 * (medium - 0.5) + 0.06 * (detail - 0.5) + 0.00006 * max(over_sea - 1300.0, 0.0));
    g.albedo = mix(g.albedo, rock, bare);
    g.roughness = mix(g.roughness, 1.0, bare);
    float white = smoothstep(1450.0, 1950.0, over_sea + 500.0 * (broad - 0.5) + 200.0 * (medium - 0.5)) *
                  (1.0 - smoothstep(0.22, 0.50, steep - 0.10 * (detail - 0.5)));
    g.albedo = mix(g.albedo, snow, white);
    g.roughness = mix(g.roughness, 0.2, white);
    float beach = (1.0 - smoothstep(2.0, 7.0, over_sea + 5.0 * (medium - 0.5))) * (1.0 - smoothstep(0.10, 0.28, steep));
    g.albedo = mix(g.albedo, sand, beach);
    g.canopy *= (1.0 - bare) * (1.0 - beach);
    g.albedo = mix(g.albedo, bed, smoothstep(0.0, -2.5, over_sea));
    float wet = 1.0 - smoothstep(-0.4, 1.2, over_sea + 0.8 * (detail - 0.5));
    g.albedo *= 1.0 - 0.38 * wet * smoothstep(-4.0, -1.0, over_sea);
    return g;
}

vec3 lod_color()
{
    const vec3 colors[6] = vec3[](vec3(0.9, 0.2, 0.2), vec3(0.9, 0.6, 0.1), vec3(0.8, 0.8, 0.2), vec3(0.2, 0.8, 0.3), vec3(0.2, 0.6, 0.9), vec3(0.6, 0.3, 0.9));
    return mix(colors[lod % 6], colors[(lod + 1) % 6], morphing);
}

void main()
{
    float distance = length(position);
    vec2 place = position.xz + pattern.xy;
    vec3 n = ground_normal();
    float footprint = distance * planet.z / max(dot(n, -position) / distance, 0.45);
    Ground g = ground_at(altitude - world.y, n, place, position.xz + pattern.zw, footprint);
    n = roughen(n, place, footprint, g.canopy, g.roughness);

    float lambert = max(dot(n, sun.xyz), 0.0);
    vec3 sky = skylight(altitude) * (0.55 + 0.45 * n.y);
    vec3 bounce = sunlight(altitude) * 0.035 * (1.0 - n.y) * max(sun.y, 0.0);
    vec3 light = g.albedo * (sunlight(altitude) * lambert * 0.3183 + sky * 0.3183 + bounce);
    if (options.y == DEBUG_LOD)
        light = lod_color() * (0.3 + 3.0 * lambert);
    else if (options.y == DEBUG_NORMALS)
        light = (n * 0.5 + 0.5) * 2.0;
    else if (options.y == DEBUG_TILES)
        light = mix(light, vec3(2.0, 0.1, 0.1), float(any(lessThan(min(tile_place, 64.0 - tile_place), vec2(0.5)))));
    color = vec4(display(aerial_perspective(light, position, altitude)), 1.0);
}
