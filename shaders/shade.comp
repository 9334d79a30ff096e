// shade.comp - computes the light of every pixel: land, plants, water, air in front of them, sky, and clouds in front
// of all.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"
#include "pages.glsl"
#include "air.glsl"
#include "sky.glsl"
#include "frame_light.glsl"
#include "aerial.glsl"
#include "picture.glsl"
#include "shade_kinds.glsl"
#include "weather.glsl"
#include "weather_map.glsl"
#include "plants.glsl"
#include "clouds.glsl"
#include "ground.glsl"
#include "river_cover.glsl"
#include "plant_light.glsl"
#include "key_light.glsl"
#include "surfaces.glsl"
#if HAS_PLANTS
#include "foliage.glsl"
#endif
#ifdef IS_SORTED
#include "river_banks.glsl"
#include "land.glsl"
#endif
#include "cloud_mirror.glsl"
#include "water.glsl"
#include "sea_level.glsl"
#include "sea_waves.glsl"
#include "surf.glsl"
#include "sea.glsl"
#include "rivers.glsl"
#include "river_surface.glsl"
#include "stars.glsl"

layout(binding = 9) uniform sampler2D clouds;
#ifndef IS_SORTED
layout(binding = 23) uniform sampler2DArray land_lights; // output of land.comp, rows from first_row on
#endif
layout(rgba16f, binding = 0) writeonly uniform image2D target;

#ifdef IS_SORTED
#include "shade_blocks.glsl"

ivec2 shaded_pixel()
{
    // an entry of the list that this dispatch shades
    int block = blocks[first_row + int(gl_WorkGroupID.x) * stride % int(gl_NumWorkGroups.x)];
    return ivec2(block & 0xffff, block >> 16) * 8 + ivec2(gl_LocalInvocationID.xy);
}
#else
ivec2 shaded_pixel()
{
    return band_pixel();
}
#endif

// Light of the sky behind everything. From space the limb is about as narrow as a pixel, so three rays are averaged.
vec3 background(vec3 d)
{
    vec3 sky = sky_light(d);
    if (black_angle() > 0.0) {
        vec3 aside = vec3(0.0, 0.33 * frame_pixel_width / max(length(d.xz), 0.1), 0.0);
        sky = (sky + sky_light(normalize(d + aside)) + sky_light(normalize(d - aside))) / 3.0;
    }
    return sky + night_light(d) + heavens(d);
}

// Glare of the sun: light scattered in the eye or lens (after Spencer et al., "Physically-Based Glare Effects for
// Digital Images", 1995).
vec3 glare(vec3 d)
{
    float off = acos(clamp(dot(d, frame_sun), -1.0, 1.0));
    vec3 bright = SUN_IRRADIANCE * transmittance_from_camera(frame_sun) * frame_light.sky.w;
    return bright * (0.22 * exp(-off * 55.0) + 0.035 * exp(-off * 9.0));
}

// Clouds in front of a pixel at a depth, interpolated from the picture of clouds. That picture has noise, and fewer
// pixels than the frame. The nearest texels are weighted by position; above quality 0 texels whose rays end at about
// the same depth get more weight. A ray below the horizon of the sea ends at the sea, and a ray above it reaches clouds
// beyond the horizon. So texels on the other side of the horizon get almost no weight.
vec4 cloud_at(ivec2 pixel, float depth, bool is_under)
{
    ivec2 size = textureSize(clouds, 0), picture = ivec2(frame_picture_size);
    vec2 place = (vec2(pixel) + 0.5) * frame_pixel_size * vec2(size) - 0.5;
    ivec2 middle = ivec2(floor(place + 0.5));
    float weights = 0.0;
    vec4 sum = vec4(0.0);
    for (int n = 0; n < 9; n++) {
        ivec2 texel = middle + ivec2(n % 3, n / 3) - 1, at = clamp(texel, ivec2(0), size - 1);
#if QUALITY == 0
        vec2 away = clamp(1.5 - abs(vec2(texel) - place), 0.0, 1.0);
        float weight = away.x * away.y;
#else
        float there = nearest_depth(at * picture / size, 0), other = abs(there - depth) / max(max(there, depth), 1e-12);
        vec2 away = max(1.5 - abs(vec2(at) - place), 0.0);
        float weight = away.x * away.y / (0.03 + 8.0 * other * other);
#endif
        if (is_under_horizon(ray_of(at * picture / size)) != is_under)
            weight *= 1e-4; // not 0: at the edge of the picture there may be no other texels
        sum += weight * texelFetch(clouds, at, 0);
        weights += weight;
    }
    return sum / weights;
}

// Light from a depth with the clouds in front of it. is_under: the ray points below the horizon of the sea
vec4 behind_clouds(vec4 light, ivec2 pixel, float depth, bool is_under)
{
    if (!has_clouds() || light.a <= 0.0)
        return light;
    vec4 cloud = cloud_at(pixel, depth, is_under);
    return vec4(light.rgb * cloud.a + cloud.rgb, light.a);
}

// Light of the ground that a sample of a pixel shows, without the effect of the air.
vec3 light_of_land(vec3 position, ivec2 pixel, int n)
{
#ifdef IS_SORTED
    return land_light(position);
#else
    return texelFetch(land_lights, ivec3(pixel - ivec2(0, first_row), n), 0).rgb;
#endif
}

// Light of the sea or of a river that a ray meets at a distance t. behind: light from the bed of the water; bed:
// distance to the bed. One function for both, because water_light is large and is then inlined only once.
vec3 light_of_water(vec3 d, float t, float bed, bool is_river, River river, vec3 behind)
{
    Water water = is_river ? river_water(d, t, river) : sea_water(d, t, bed);
    Blown blown = blown_at(d, water, !is_river);
    Waves waves = is_river ? river_waves(d, blown, water, river) : sea_waves(blown, bed, water, behind);
    vec3 light = water_light(d, water, waves, behind, bed);
    return is_river ? mix(behind, light, river.cover) : light;
}

// Light that reaches the camera if `light` starts at a distance along d and passes through the air. is_open: the ray
// ends on the sea; see shaded_way
vec3 before_air(vec3 light, vec3 d, float distance, bool is_open, ivec2 pixel)
{
    vec2 place = (vec2(pixel) + 0.5) * frame_pixel_size;
    return through_air(light, place, distance, shaded_way(d, distance, is_open), clouded_way(d, distance));
}

// Light (rgb) of a ray, and whether anything was drawn (a). depth: of the land, 0: no land; n: sample of the pixel, 0
// for a single surface; is_beyond: ignore the sea and take the background beyond the sea's horizon; share: share of the
// pixel that has this light, less than 1 for sea whose horizon passes through the pixel; is_open: this is the light of
// the sea
vec4 light_of(vec3 ray, vec3 d, float depth, ivec2 pixel, int n, bool is_beyond, out float share, out bool is_open)
{
    float land = MAY_HAVE_BED && depth > 0.0 ? to_land(d, length(ray) / depth) : -1.0, cover = 0.0;
    if (is_beyond && black_angle() > 0.0)
        land = -1.0; // the land behind the planet's limb is the bed of the sea
    float sea = MAY_BE_SEA && !is_beyond && has_layer(LAYER_WATER) ? to_sea(d, cover) : -1.0;
    bool is_under = MAY_BE_SEA && frame_camera.y < frame_sea_level && has_layer(LAYER_WATER);
    bool has_sea = MAY_BE_SEA && sea > 0.0 && (land < 0.0 || sea < land) && cover > 0.0 && sea < frame_far * 2.0;
    River river = MAY_BE_RIVER && frame_has_rivers != 0 && land >= 0.0 && has_layer(LAYER_WATER)
                  ? river_in_pixel(d, land) : NO_RIVER;
    has_sea = has_sea && river.cover <= 0.0;
    share = has_sea ? cover : 1.0;
    is_open = has_sea;
    if (MAY_BE_SEA && has_sea && !is_under)
        sea = to_crest(d, sea);
    if (land < 0.0 && !has_sea && !has_layer(LAYER_SKY))
        return vec4(0.0);
    bool is_deep = has_sea && !is_under && (land - sea) * -d.y > WATER_OPAQUE;
    vec3 light = vec3(0.0);
    if (MAY_BE_LAND && land >= 0.0 && !is_deep)
        light = light_of_land(d * land, pixel, n);
    if (is_under)
        return vec4(under_water(land >= 0.0 ? light : frame_light.sky.rgb / PI,
                                land < 0.0 ? max(sea, 0.0) : has_sea ? sea : land), 1.0);
    float distance = has_sea ? sea : land;
    bool has_river = MAY_BE_RIVER && river.cover > 0.0;
    if (has_river)
        distance = to_river(d, land, river);
    if ((MAY_BE_SEA && has_sea) || has_river)
        light = light_of_water(d, distance, land, MAY_BE_RIVER && (has_river || !MAY_BE_SEA), river, light);
    if (distance >= 0.0)
        light = before_air(light, d, distance, has_sea, pixel);
    else
        light = background(d.y < -horizon_dip() && black_angle() == 0.0 ? normalize(vec3(d.x, -horizon_dip(), d.z))
                           : d);
    return vec4(light, 1.0);
}

// Light of a ray, with the clouds in front. It comes from the nearest surface and, where the horizon of the sea passes
// through the pixel, also from the background beyond the horizon. most: upper limit of the light
vec4 light_behind_clouds(vec3 ray, float depth, ivec2 pixel, int n, float most)
{
    vec3 d = normalize(ray);
    vec4 sum = vec4(0.0);
    float left = 1.0;
    for (int surface = 0; surface < 2 && left > 0.0; surface++) {
        float share;
        bool is_open;
        vec4 light = min(light_of(ray, d, depth, pixel, n, surface > 0, share, is_open), vec4(most));
        sum += left * share * behind_clouds(light, pixel, depth, surface == 0 && (is_open || is_under_horizon(ray)));
        left -= left * share;
    }
    return sum.a > 0.0 ? sum / sum.a : sum;
}

#if HAS_PLANTS
vec4 light_of_plants(vec3 d, float distance, Foliage f, ivec2 pixel)
{
    vec3 light = foliage_light(d, distance, f);
    if (frame_camera.y < frame_sea_level && has_layer(LAYER_WATER))
        return vec4(under_water(light, distance), 1.0);
    return vec4(before_air(light, d, distance, false, pixel), 1.0);
}
#endif

void main()
{
    ivec2 pixel = shaded_pixel();
    if (any(greaterThanEqual(pixel, ivec2(frame_picture_size))))
        return;
    vec3 ray = ray_of(pixel), d = normalize(ray);
    vec4 sum = vec4(0.0);
    float unplanted = 1.0; // share of the pixel without plants
    int planted = 0;  // bits of the samples that show plants
#if HAS_PLANTS
    Foliage foliage = foliage_of(pixel, ray);
    unplanted -= foliage.cover;
    planted = foliage.samples;
    if (foliage.cover > 0.0)
        sum = foliage.cover * behind_clouds(light_of_plants(d, length(ray) * foliage.distance, foliage, pixel), pixel,
                                            1.0 / foliage.distance, is_under_horizon(ray));
#endif
    Surfaces surfaces = surfaces_of(pixel, planted);
    for (int n = 0; n < (surfaces.are_one ? 1 : PIXEL_SAMPLES); n++)
        if (surfaces.are_one || (planted >> n & 1) == 0) {
            float depth = surfaces.are_one ? surfaces.depth : depth_of(pixel, n);
            float of_pixel = surfaces.are_one ? unplanted : 1.0 / float(PIXEL_SAMPLES),
                  most = surfaces.are_one ? 1e30 : 60.0;
            sum += of_pixel * light_behind_clouds(ray, depth, pixel, n, most);
        }
    if (has_layer(LAYER_SKY))
        sum.rgb += glare(d);
    imageStore(target, pixel, vec4(min(sum.rgb, vec3(6.0e4)), sum.a));
}
