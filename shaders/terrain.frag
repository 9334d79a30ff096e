// terrain.frag - ground colours by altitude, slope and noise, lit by sun and sky, seen through the air.
#include "frame.glsl"
#include "tiles.glsl"
#include "noise.glsl"
#include "atmosphere.glsl"

layout(binding = 0) uniform sampler2DArray normals;

in vec3 position;
in vec2 tile_place;
in float morphing;
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

// Small bumps near the camera: the height function ends at one lattice step.
vec3 roughen(vec3 n, vec2 place, float distance, float roughness)
{
    float strength = roughness * (1.0 - smoothstep(40.0, 220.0, distance));
    if (options.z == 0 || strength <= 0.0)
        return n;
    float a = noise(place, 0.5) + 0.5 * noise(place + 17.0, 0.25);
    float east = noise(place + vec2(0.12, 0.0), 0.5) + 0.5 * noise(place + 17.0 + vec2(0.12, 0.0), 0.25);
    float south = noise(place + vec2(0.0, 0.12), 0.5) + 0.5 * noise(place + 17.0 + vec2(0.0, 0.12), 0.25);
    return normalize(n + vec3(a - east, 0.0, a - south) * strength);
}

struct Ground { vec3 albedo; float roughness; };

Ground ground_at(float altitude, vec3 n, vec2 place, float distance)
{
    float broad = noise(place, 1024.0) * 0.6 + noise(place, 256.0) * 0.4;
    float medium = noise(place, 64.0) * 0.6 + noise(place, 16.0) * 0.4;
    float detail = options.z > 0 ? mix(0.5, noise(place, 4.0) * 0.6 + noise(place, 1.0) * 0.4, 1.0 - smoothstep(150.0, 1200.0, distance)) : 0.5;
    float patches = broad * 0.5 + medium * 0.35 + detail * 0.15;
    float over_sea = altitude - world.y;
    float steep = 1.0 - n.y;

    vec3 grass = mix(vec3(0.075, 0.105, 0.030), vec3(0.150, 0.150, 0.055), patches);
    vec3 forest = mix(vec3(0.022, 0.045, 0.014), vec3(0.045, 0.070, 0.022), medium);
    vec3 alpine = mix(vec3(0.135, 0.125, 0.065), vec3(0.185, 0.160, 0.105), patches);
    vec3 rock = mix(vec3(0.120, 0.108, 0.096), vec3(0.235, 0.215, 0.190), medium * 0.6 + detail * 0.4);
    vec3 sand = mix(vec3(0.390, 0.330, 0.225), vec3(0.470, 0.405, 0.290), detail);
    vec3 bed = mix(vec3(0.180, 0.160, 0.110), vec3(0.105, 0.115, 0.090), smoothstep(0.0, -40.0, over_sea));
    vec3 snow = vec3(0.86, 0.89, 0.94);

    Ground g;
    float woods = smoothstep(0.44, 0.56, broad * 0.7 + medium * 0.3) * (1.0 - smoothstep(700.0, 1150.0, over_sea + 350.0 * medium)) *
                  (1.0 - smoothstep(0.12, 0.30, steep));
    g.albedo = mix(grass, forest, woods);
    g.roughness = mix(0.5, 0.9, woods);
    g.albedo = mix(g.albedo, alpine, smoothstep(600.0, 1350.0, over_sea + 500.0 * (patches - 0.5)));
    float bare = smoothstep(0.13, 0.30, steep + 0.16 * (medium - 0.5) + 0.06 * (detail - 0.5) + 0.00006 * max(over_sea - 1300.0, 0.0));
    g.albedo = mix(g.albedo, rock, bare);
    g.roughness = mix(g.roughness, 1.0, bare);
    float white = smoothstep(1450.0, 1950.0, over_sea + 700.0 * (broad - 0.5) + 250.0 * (medium - 0.5)) * (1.0 - smoothstep(0.22, 0.50, steep - 0.10 * (detail - 0.5)));
    g.albedo = mix(g.albedo, snow, white);
    g.roughness = mix(g.roughness, 0.25, white);
    float beach = (1.0 - smoothstep(2.0, 7.0, over_sea + 5.0 * (medium - 0.5))) * (1.0 - smoothstep(0.10, 0.28, steep));
    g.albedo = mix(g.albedo, sand, beach);
    g.albedo = mix(g.albedo, bed, smoothstep(0.0, -2.5, over_sea));
    g.albedo *= mix(0.62, 1.0, smoothstep(-0.4, 1.2, over_sea + 0.8 * (detail - 0.5)) + step(over_sea, -3.0));
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
    vec2 place = position.xz + pattern.xz;
    vec3 n = ground_normal();
    float altitude = position.y + camera.y;
    Ground g = ground_at(altitude, n, place, distance);
    n = roughen(n, place, distance, g.roughness);

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
    color = vec4(display(aerial_perspective(light, position)), 1.0);
}
