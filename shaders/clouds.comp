// clouds.comp - computes light (rgb) and transmittance (a) of the clouds in front of land and plants.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"
#include "pages.glsl"
#include "air.glsl"
#include "frame_light.glsl"
#include "aerial.glsl"
#include "picture.glsl"
#include "plant_light.glsl"
#include "surfaces.glsl"
#include "weather.glsl"
#include "weather_map.glsl"
#include "clouds.glsl"
#include "cloud_light.glsl"
#include "cloud_sheets.glsl"
#include "sea_level.glsl"

layout(rgba16f, binding = 0) writeonly uniform image2D target;

const float FROM_SPACE = 4.0e5; // m; for a camera above this height, clouds beyond the horizon are not drawn
const float THROUGH_LEAST = 0.01; // transmittance at which a march ends

// Sums along a ray.
struct Met {
    vec2 light;     // of low clouds: scattered shares of the key light (x) and of the light of the sky (y)
    float through;  // transmittance so far
    float share;    // opacity of the low clouds
    float distance; // mean distance of the low clouds, times their share
};

// Distance at which a ray passes upwards through the curved surface `rise` metres over its origin.
float leaving(vec3 d, float rise)
{
    vec3 m = meeting_of(d, rise);
    return (-m.y + sqrt(max(m.y * m.y - 4.0 * m.x * m.z, 0.0))) / max(2.0 * m.x, 1e-12);
}

// Range of distances in which a ray is in the layer of low clouds; x > y: the ray misses the layer. The layer curves
// with the planet. A ray that leaves the layer downwards and meets neither land nor sea enters it again from below.
// Then the range ends where the ray finally leaves the layer.
vec2 through_layer(vec3 d, float end)
{
    float sea = frame_sea_level - frame_camera.y, base = frame_cloud_base * LOWEST_BASE + sea,
          top = cloud_ceiling() + sea;
    float lower = to_surface(d, base), upper = to_surface(d, top);
    // distance at which a ray that has left the layer downwards enters it again
    float again = leaving(d, base);
    vec2 bounds;
    if (base > 0.0) { // the camera is below the layer
        bounds = vec2(lower, upper);
        if (lower < 0.0)
            return vec2(1.0, 0.0);
    } else if (top > 0.0) { // the camera is inside the layer
        bounds = vec2(0.0, again > end && lower > 0.0 ? lower : upper > 0.0 ? upper : end);
    } else { // the camera is above the layer
        if (upper < 0.0)
            return vec2(1.0, 0.0);
        bounds = vec2(upper, again > end && lower > 0.0 ? lower
                      : leaving(d, top));
    }
    return vec2(bounds.x, min(bounds.y, end));
}

// Pass a sheet if it is nearer than `at`: set its share of the pixel and reduce the transmittance.
void pass_sheet(inout Met met, inout Sheet sheet, float at)
{
    float opacity = sheet.t >= 0.0 && sheet.t < at && !sheet.is_passed ? sheet.opacity : 0.0;
    sheet.is_passed = sheet.is_passed || sheet.t < at;
    sheet.share = max(sheet.share, met.through * opacity);
    met.through *= 1.0 - opacity;
}

// Distance along a ray in which the air is certainly clear. height: height of the ray, which is above or below the
// clouds; weather: weather at the ray's position; rise: slope of the ray; k: growth of the slope by the curvature, 1/m;
// s: distance of the position from the camera
float clear_for(float height, vec4 weather, float rise, float k, float s)
{
    float most = 1500.0 + 0.04 * s, gap = most;
    if (height > weather.w)
        gap = rise < 0.0 ? (weather.w - height) / rise : most;
    else if (height < weather.z)
        gap = rise > 0.0 ? (weather.z - height) / rise : most;
    float lowest = frame_cloud_base * LOWEST_BASE - height; // below the lowest base the air is clear everywhere
    return max(min(0.9 * gap, most), lowest > 0.0 ? 2.0 * lowest / (rise + sqrt(rise * rise + 4.0 * k * lowest) + 1e-12)
               : 0.0);
}

// Distance along a ray at which a cloud begins, found by bisection between a distance in clear air and a distance in
// the cloud. Without the bisection the steps of the march would be visible as rings around the camera.
float begin_of_cloud(vec3 d, float clear, float cloudy, float footprint)
{
    for (int n = 0; n < 4; n++) {
        float at = 0.5 * (clear + cloudy);
        vec3 position = d * at;
        Column column = column_at(place_of(position.xz), footprint);
        bool is_cloudy = cloud_extinction(position, over_sea(position), column, WITH_EDGES, footprint) > 1e-5;
        clear = is_cloudy ? clear : at;
        cloudy = is_cloudy ? at : cloudy;
    }
    return cloudy;
}

// March through the layer of low clouds. Steps grow with the distance. They are long in clear air, shorter between the
// hull of a cloud (hull_at) and the cloud, and short inside a cloud, where each step transmits about half of the light.
void march(vec3 d, vec2 t, float jitter, inout Sheet near, inout Sheet far, inout Met met)
{
    const int count = int[](26, 72, 144)[QUALITY];
    const float shortest = float[](140.0, 50.0, 40.0)[QUALITY], layers = float[](0.3, 0.2, 0.13)[QUALITY];
    float ratio = max(float[](0.07, 0.024, 0.014)[QUALITY],
                      log((t.y + 4000.0) / (t.x + 4000.0)) / (0.7 * float(count)));
    float s = t.x, c = dot(d, frame_key), up = key_up(d * s), k = dot(d.xz, d.xz) * frame_curvature, last = 0.0;
    // width of a cloud pixel at distance 1
    float wide = frame_pixel_width * frame_picture_size.x / float(imageSize(target).x);
    // Distance at which a long step hit a cloud and the march stepped back. Steps are short up to this distance;
    // otherwise the march would step back forever.
    float turned = 0.0;
    bool is_inside = false;
    for (int n = 0; n < count && s < t.y && met.through > THROUGH_LEAST; n++) {
        float rise = climb_at(d, s),
              step = max(min(s * ratio, layers * frame_cloud_depth / max(abs(rise), 0.001)), shortest);
        bool is_fine = is_inside || s <= turned;
        float fine = 0.3 * step, between = (QUALITY == 0 ? 1.0 : 0.5) * step, at = s + jitter * (is_fine ? fine : step);
        vec3 position = d * at;
        float height = over_sea(position), footprint = max(at * wide, 0.5 * fine);
        vec2 place = place_of(position.xz);
        vec4 weather = weather_at(weather_low, place);
#if QUALITY == 0 // do not step across a thin layer
        float outside = max(max(weather.z - height, height - weather.w), 0.0),
              inside = layers * (weather.w - weather.z);
        step = min(step, max((outside + inside) / max(abs(rise), 0.001), shortest));
#endif
        if (weather.x < 0.01 || height >= weather.w || height <= weather.z) {
            last = max(step, clear_for(height, weather, rise, k, s));
            if (s < turned) // just in front of a cloud
                last = min(last, max(turned - s, fine));
            s += last;
            is_inside = false;
            continue;
        }
        Column column = column_of(place, weather, footprint);
#if QUALITY == 0
        column.veil = veil_of(at * wide); // from the width of the pixel, not of the step, because a veil is translucent
#endif
        float extinction = cloud_extinction(position, height, column, WITH_EDGES, footprint);
        if (extinction > 1e-5 && !is_fine && last > 0.0) {
            is_inside = true;
#if QUALITY == 0
            turned = at;
            s -= 0.7 * min(last, step);
#else
            s = begin_of_cloud(d, max(at - min(last, step), t.x), at, footprint);
#endif
            continue;
        }
        is_inside = extinction > 1e-5;
        last = is_inside ? clamp(0.7 / extinction, fine, step) : s < turned ? fine
               : hull_at(height, column) > 0.0 ? between : step;
        s += last;
        if (!is_inside)
            continue;
        pass_sheet(met, near, at);
        pass_sheet(met, far, at);
        float share = met.through * (1.0 - exp(-min(extinction * last, 2.0)));
        met.light += share * light_in_cloud(position, height, column, weather, c, up, extinction, footprint, jitter);
        met.distance += share * at;
        met.share += share;
        met.through -= share;
    }
}

void main()
{
    ivec2 at = band_pixel(), size = imageSize(target);
    if (any(greaterThanEqual(at, size)))
        return;
    ivec2 pixel = at * ivec2(frame_picture_size) / size;
    vec3 ray = ray_of(pixel), d = normalize(ray);
    float depth = nearest_depth(pixel, 0), farthest = 4.0e5 + 8.0 * max(frame_camera.y, 0.0);
    float end = min(depth > 0.0 ? to_land(d, length(ray) / depth) : 1.0e9, farthest);
    float cover, sea = has_layer(LAYER_WATER) ? to_sea(d, cover) : -1.0;
    if (sea > 0.0 && is_under_horizon(ray))
        end = min(end, sea); // the sea hides clouds behind the horizon, also where no land is drawn
    else if (frame_camera.y > FROM_SPACE)
        end = 0.0; // beside the planet clouds are lower than a pixel
    vec2 t = through_layer(d, end), place = (vec2(pixel) + 0.5) * frame_pixel_size;
    Met met = Met(vec2(0.0), 1.0, 0.0, 0.0);
    Sheet near = sheet_at(d, end, 0), far = sheet_at(d, end, 1);
    if (far.t < near.t) {
        Sheet kept = near;
        near = far;
        far = kept;
    }
    float jitter = fract(52.9829189 * fract(dot(vec2(at), vec2(0.06711056, 0.00583715)))); // Jimenez 2014
    if (t.y > t.x)
        march(d, t, QUALITY == 0 ? 0.5 + 0.3 * (jitter - 0.5) : jitter, near, far, met);
    pass_sheet(met, near, 1e30);
    pass_sheet(met, far, 1e30);
    met.through = max(met.through - THROUGH_LEAST, 0.0) / (1.0 - THROUGH_LEAST); // opaque if the march ended early
    vec3 light = sheet_light(d, near, place) + sheet_light(d, far, place);
    float distance = met.distance / max(met.share, 1e-6), kept = 1.0 - smoothstep(0.6 * farthest, farthest, distance);
    if (met.share > 0.0) {
        vec3 position = d * distance;
        float height = over_sea(position);
        vec3 low = (met.light.x * key_in_clouds(position, height) + met.light.y * sky_in_clouds(position, height)) /
                   met.share;
        low = gray_below_clouds(low, covered_by_clouds(position));
        light += met.share * through_air(low, place, distance, 0.0, clouded_way(d, distance));
    }
    imageStore(target, at, vec4(light * kept, mix(1.0, met.through, kept)));
}
