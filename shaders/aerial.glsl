// aerial.glsl - applies aerial perspective, which it reads from the froxels of air_froxels.comp.
layout(binding = 5) uniform sampler3D air_scattering;
layout(binding = 6) uniform sampler3D air_transmittances;

// Light that reaches the camera if a surface at a distance along the ray of a pixel sends `light`: the part that the
// air transmits, plus light that the air scatters into the ray. pixel: position in the picture, 0..1; shaded: share of
// the path in the shadow of the land; clouded: share of the path under clouds, which block direct sunlight and make the
// light of the sky grey
vec3 through_air(vec3 light, vec2 pixel, float distance, float shaded, float clouded)
{
    vec3 size = vec3(textureSize(air_scattering, 0));
    vec4 near = frame_inverse_view_projection * vec4(pixel * 2.0 - 1.0, 1.0, 1.0);
    vec3 d = normalize(near.xyz / near.w);
    float thick = 1e3 * to_thick_air(d), w = sqrt(clamp((distance - thick) / (1e3 * length_of_air(d)), 0.0, 1.0));
    vec3 at = (vec3(pixel * (size.xy - 1.0), w * size.z - 1.0) + 0.5) / size;
    float share = thick > 0.0 ? 1.0 : min(w * size.z, 1.0);
    share *= share;
    vec4 scattered = texture(air_scattering, at);
    vec3 through = mix(vec3(1.0), texture(air_transmittances, at).rgb, share);
    vec3 sky = mix(frame_light.sky.rgb, vec3(1.0), in_space());
    // only thin air turns grey; thick air is white already
    vec3 gray = mix(vec3(1.0), min(sqrt(luminance_of(sky) / max(sky, vec3(1e-9))), 1.0), through);
    vec3 kept = mix(vec3(1.0 - scattered.a * shaded), gray * (1.0 - scattered.a), clouded);
    // Thin air is drawn clearer from high above, as in photographs from orbit, whose contrast is raised against haze.
    float high = smoothstep(2.0e3, 2.5e4, frame_camera.y), clear = high * luminance_of(through);
    if (high > 0.0)
        through = pow(through, vec3(1.0 - 0.6 * clear));
    return light * through + scattered.rgb * (share * kept * (1.0 - 0.65 * clear));
}
