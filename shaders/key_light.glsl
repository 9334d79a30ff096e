// key_light.glsl - the key light, of the sun or the moon, at places on the ground.
#include "tile_lights.glsl"

// The key light's zenith cosine where the ground has curved away.
float key_up(vec3 position)
{
    return dot(frame_key, normalize(vec3(2.0 * frame_curvature * position.xz, 1.0).xzy));
}

// Share of the key light, whose zenith has the cosine `up`, over a horizon.
float is_lit(float up, float horizon)
{
    float tangent = up * inversesqrt(max(1.0 - up * up, 1e-6));
    return has_layer(LAYER_SHADOWS) ? smoothstep(-0.012, 0.016, tangent - horizon) : 1.0;
}

vec3 key_light(vec3 position, float altitude)
{
    return SUN_IRRADIANCE * frame_key_irradiance * transmittance_to(max(altitude, 0.0) * 1e-3, key_up(position));
}
