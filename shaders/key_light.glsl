// key_light.glsl - the key light, from the sun or the moon, at positions on the ground.
#include "tile_lights.glsl"

// Result of light_in (tile_lights.glsl) for the finest ready tile at a position, metres from the camera. Where no tile
// is ready, the position counts as open and lit.
vec2 light_at(vec2 place)
{
    vec2 p;
    int lod = lod_at(place), slot = slot_from(lod, place, p);
    return slot >= 0 ? light_in(slot, p) : vec2(-1.0e4, 1.0);
}

// Share of the key light that is above the horizon. up: cosine of the light's zenith angle; horizon: tangent of the
// horizon's elevation. tile_light.comp finds a horizon only if its tangent is at most 0.2 below the tangent of the
// light's elevation at the camera's foot. Far from the camera, where the ground curves away, the light may stand lower
// than this limit. No horizon is known there, so the position counts as lit.
float is_lit(float up, float horizon)
{
    float tangent = up * inversesqrt(max(1.0 - up * up, 1e-6)),
          edge = frame_key.y / max(length(frame_key.xz), 1.0e-3);
    float lit = max(smoothstep(-0.012, 0.016, tangent - horizon), 1.0 - smoothstep(edge - 0.19, edge - 0.1, horizon));
    return has_layer(LAYER_SHADOWS) ? lit : 1.0;
}

vec3 key_light(vec3 position, float altitude)
{
    return SUN_IRRADIANCE * frame_key_irradiance * transmittance_to(max(altitude, 0.0) * 1e-3, key_up(position));
}

// Share of the path from the camera along d that lies in the shadow of the land. If an end of the path is in shadow,
// about a kilometre of the path next to this end counts as shaded. is_open: the path ends on the sea, which counts as
// lit, because tiles have only the light of the sea's bed
float shaded_way(vec3 d, float distance, bool is_open)
{
    const float SHADOW = 1200.0; // m
    float sum = 0.0;
    for (int n = 0; n < TURNS(is_open ? 1 : 2); n++) { // at the camera, and at the other end of the path
        vec3 at = n == 0 ? vec3(0.0) : d * distance;
        float shade = 1.0 - is_lit(n == 0 ? frame_key.y : key_up(at), light_at(place_of(at.xz)).x);
        sum += n == 0 ? shade * (1.0 - smoothstep(50.0, 400.0, frame_lod_height)) : shade;
    }
    return sum * min(0.5, SHADOW / max(distance, 1.0));
}
