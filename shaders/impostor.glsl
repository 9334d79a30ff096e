// impostor.glsl - views of plants from all sides above, kept in pictures.
layout(binding = 13) uniform sampler2DArray impostors; // times opacity: normal octahedral (xy), brightness, dark for bark; opacity

// What the view from `from` (towards the eye, in the plant's own axes) shows at q, heights from the plant's middle. footprint: of a pixel,
// in heights. Between views one is chosen by two random numbers.
vec4 impostor_at(int kind, vec3 from, vec3 q, float footprint, vec2 random)
{
    vec2 grid = clamp((upper_octahedral(normalize(vec3(from.x, max(from.y, 0.0), from.z))) * 0.5 + 0.5) * float(IMPOSTOR_VIEWS) - 0.5, 0.0, float(IMPOSTOR_VIEWS - 1));
    vec2 cell = min(floor(grid + random), float(IMPOSTOR_VIEWS - 1));
    vec3 view = from_upper_octahedral((cell + 0.5) / float(IMPOSTOR_VIEWS) * 2.0 - 1.0), right = right_of(view), up = cross(view, right);
    vec2 uv = vec2(dot(q, right), dot(q, up)) / (2.0 * IMPOSTOR_RADIUS) + 0.5;
    if (any(lessThan(uv, vec2(0.01))) || any(greaterThan(uv, vec2(0.99))))
        return vec4(0.0);
    float level = log2(footprint * float(textureSize(impostors, 0).x / IMPOSTOR_VIEWS) / (2.0 * IMPOSTOR_RADIUS));
    return textureLod(impostors, vec3((cell + uv) / float(IMPOSTOR_VIEWS), float(kind)), clamp(level, 0.0, 3.0));
}
