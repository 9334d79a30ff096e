// weather_map.glsl - reads the weather map: levels around the camera, each four times as wide as the previous one.
//
// Texels of a level lie on multiples of their size in the drifting air, so the map does not depend on the camera's
// path.
const int WEATHER_LEVELS = WEATHER_MAP_LEVELS;

float weather_texel(int level)
{
    return frame_weather_texel * float(1 << 2 * level);
}
layout(binding = 20) uniform sampler2DArray weather_low;  // cover, upright, base, top
layout(binding = 21) uniform sampler2DArray weather_high; // cirrus, middle

vec4 weather_in(sampler2DArray map, vec2 place, int level)
{
    float size = weather_texel(level), side = float(textureSize(map, 0).x);
    vec2 from = frame_weather_place / size;
    return textureLod(map, vec3((from - floor(from) + place / size) / side + 0.5, float(level)), 0.0);
}

// Value of the map at a position, metres from the camera. Levels are blended within the last quarter of the finer
// level. From space a coarser level is used, whose texels are not much smaller than pixels.
vec4 weather_at(sampler2DArray map, vec2 place)
{
    float away = max(abs(place.x), abs(place.y)) / (weather_texel(0) * float(textureSize(map, 0).x) * 0.49);
    away = max(away, 0.25 * frame_camera.y * frame_pixel_width / weather_texel(0));
    int level = clamp(int(ceil(0.5 * log2(max(away, 1e-3)))), 0, WEATHER_LEVELS - 1);
    away /= float(1 << 2 * level);
    vec4 found = weather_in(map, place, level);
    if (away > 0.75 && level < WEATHER_LEVELS - 1)
        found = mix(found, weather_in(map, place, level + 1), min(4.0 * away - 3.0, 1.0));
    return found;
}

// Displacement of cloud shapes at a position, m, which hides the repetition of their textures. WEATHER_CELL is a whole
// number of periods of the displacement, so the displacement is continuous across cells.
vec2 weather_push(vec2 place)
{
    vec2 turns = (frame_weather_place + place) * (6.2831853 / 131072.0);
    return 4500.0 * sin(turns.yx) + 1900.0 * sin(3.0 * turns + 1.0 + turns.yx);
}
