// clouds.comp - clouds in front of what the terrain pass drew: their light (rgb) and what they let through (a).
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"
#include "air.glsl"
#include "frame_light.glsl"
#include "aerial.glsl"
#include "picture.glsl"
#include "clouds.glsl"

layout(rgba16f, binding = 0) writeonly uniform image2D target;

// Distances along a ray between which it is inside the layer; x > y when it never is.
vec2 through_layer(vec3 d, float end)
{
    float base = frame_cloud_base + frame_sea_level - frame_camera.y, top = base + frame_cloud_depth, k = dot(d.xz, d.xz) * frame_curvature;
    vec2 bounds = vec2(0.0, end);
    // A surface of height s over the camera, which curves away: k t^2 + d.y t - s = 0.
    float below = d.y * d.y + 4.0 * k * base, above = d.y * d.y + 4.0 * k * top;
    if (base > 0.0) { // from under the layer up through it
        if (d.y <= 0.0 && k <= 0.0)
            return vec2(1.0, 0.0);
        bounds = vec2(2.0 * base / (d.y + sqrt(below)), 2.0 * top / (d.y + sqrt(above)));
    } else if (top > 0.0) { // from within it
        float down = d.y < 0.0 && below > 0.0 ? 2.0 * -base / (-d.y + sqrt(below)) : 1.0e9;
        float up = d.y > 0.0 || k > 0.0 ? 2.0 * top / (d.y + sqrt(above)) : 1.0e9;
        bounds = vec2(0.0, min(down, up));
    } else { // from over it down
        if (d.y >= 0.0 || above <= 0.0)
            return vec2(1.0, 0.0);
        bounds.x = 2.0 * -top / (-d.y + sqrt(above));
        bounds.y = below > 0.0 ? 2.0 * -base / (-d.y + sqrt(below)) : (-d.y + sqrt(above)) / max(2.0 * k, 1e-12);
    }
    return vec2(bounds.x, min(bounds.y, end));
}

float depth_to_key(vec3 position, float height, vec3 cover)
{
    float depth = 0.0, step = frame_cloud_depth * 0.12;
    for (int n = 0; n < (frame_quality == 2 ? 4 : 2); n++) {
        float t = step * (float(n) + 0.5) * (1.0 + float(n));
        vec3 at = position + frame_key * t;
        depth += cloud_density(at, height + frame_key.y * t, cover, 0, length(position) * frame_pixel_width) * step * (1.0 + 2.0 * float(n));
    }
    return depth * CLOUD_EXTINCTION;
}

float phase_cloud(float c, float g)
{
    return (1.0 - g * g) / (4.0 * PI * pow(1.0 + g * g - 2.0 * g * c, 1.5));
}

vec3 light_in_cloud(vec3 position, float height, vec3 cover, float c, float density)
{
    float depth = depth_to_key(position, height, cover), h = clamp((height - frame_cloud_base) / frame_cloud_depth, 0.0, 1.0);
    vec3 sunny = SUN_IRRADIANCE * frame_key_irradiance * transmittance_to(height * 1e-3, frame_key.y);
    float orders = 0.0, a = 1.0;
    for (int n = 0; n < 3; n++) {
        orders += a * exp(-depth * a) * mix(phase_cloud(c, -0.15 * a), phase_cloud(c, 0.8 * a), 0.7);
        a *= 0.5;
    }
    orders *= 1.0 - 0.6 * exp(-density * 8.0) * (0.5 - 0.5 * c); // dark edges away from the light
    return sunny * orders * 2.4 + frame_light.sky.rgb / PI * mix(0.5, 1.0, h);
}

void main()
{
    ivec2 at = band_pixel(), size = imageSize(target);
    if (any(greaterThanEqual(at, size)))
        return;
    ivec2 pixel = at * ivec2(frame_picture_size) / size;
    vec3 ray = ray_of(pixel), d = normalize(ray);
    float depth = depth_of(pixel, 0), end = depth > 0.0 ? length(ray) / depth : frame_far * 1.5;
    vec2 t = through_layer(d, min(end, 2.0e5 + 8.0 * max(frame_camera.y, 0.0)));
    vec3 light = vec3(0.0);
    float through = 1.0, sum = 0.0, distance = 0.0;
    if (t.y > t.x) {
        int steps = frame_quality == 2 ? 36 : frame_quality == 1 ? 24 : 14;
        float longest = frame_cloud_depth * 12.0, span = min(t.y - t.x, longest), step = span / float(steps), c = dot(d, frame_key);
        float jitter = fract(52.9829189 * fract(dot(vec2(at), vec2(0.06711056, 0.00583715)))); // Jimenez 2014
        if (frame_quality == 0)
            jitter = 0.5 + 0.3 * (jitter - 0.5); // too few steps to hide the grain
        vec3 cover = vec3(0.0);
        for (int n = 0; n < steps && through > 0.02; n++) {
            float s = t.x + (float(n) + jitter) * step;
            vec3 position = d * s;
            float height = over_sea(position);
            if (n % 4 == 0) // varies over kilometres
                cover = cover_at(position.xz, s * frame_pixel_width);
            float density = cloud_density(position, height, cover, 1, s * frame_pixel_width);
            if (density <= 0.002)
                continue;
            float passed = exp(-density * CLOUD_EXTINCTION * step);
            light += through * (1.0 - passed) * light_in_cloud(position, height, cover, c, density);
            distance += through * (1.0 - passed) * s;
            sum += through * (1.0 - passed);
            through *= passed;
        }
    }
    if (sum > 0.0) {
        vec3 seen = through_air(light / sum, (vec2(pixel) + 0.5) * frame_pixel_size, distance / sum);
        light = seen * sum;
        float far = 1.0 - smoothstep(1.0e5, 2.0e5 + 4.0 * max(frame_camera.y, 0.0), distance / sum);
        light *= far;
        through = mix(1.0, through, far);
    }
    imageStore(target, at, vec4(light, through));
}
