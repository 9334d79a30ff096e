// impostor.glsl - views of plants from all sides above, kept in pictures.
layout(binding = 13) uniform sampler2DArray impostors; // times opacity: normal octahedral (xy), brightness, dark for bark; opacity

// A view, and how it shows a plant.
struct View {
    vec2 cell; // of the picture of all views
    vec3 right, up;
    int kind;
    float wide; // of the width of the kind
    float level;
};

// What a view shows of a place of the plant, heights from its middle.
vec4 shown_at(View v, vec3 place)
{
    place /= vec3(v.wide, 1.0, v.wide);
    vec2 uv = vec2(dot(place, v.right), dot(place, v.up)) / (2.0 * IMPOSTOR_RADIUS) + 0.5;
    if (any(lessThan(uv, vec2(0.01))) || any(greaterThan(uv, vec2(0.99))))
        return vec4(0.0);
    return textureLod(impostors, vec3((v.cell + uv) / float(IMPOSTOR_VIEWS), float(v.kind)), clamp(v.level, 0.0, 3.0));
}

bool is_bark(vec4 shown)
{
    return shown.b < 0.25 * shown.a;
}

// What a view shows where a ray from q towards the eye meets the plant: its crown in the plane through its middle that faces the eye, its
// trunk at its axis, down to the ground. Views are from another direction, by 17 degrees and more: what is not where the ray meets it is
// shown beside its place, and a trunk beside its foot.
vec4 met_by_ray(View v, vec3 from, vec3 q)
{
    const vec2 CROWN[IMPOSTOR_KINDS] = vec2[](vec2(0.0), vec2(0.26, 0.26), vec2(0.14, 0.36), vec2(0.14, 0.29), vec2(-0.04, 0.55), vec2(0.08, 0.47)); // middle, radius: as in plant_mesh.c
    const float STEEP = 0.12;   // squared cosine of the height above which ray and axis are too near to each other
    const float FOOT = -0.515; // as deep as a trunk is wide
    vec3 at_axis = q - from * (dot(q.xz, from.xz) / max(dot(from.xz, from.xz), STEEP));
    vec3 middle = vec3(0.0, CROWN[v.kind].x, 0.0), in_crown = v.kind == SPRUCE ? at_axis : q + from * (middle.y * from.y);
    vec4 crown = shown_at(v, in_crown);
    if (in_crown.y > middle.y || distance(in_crown, middle) < CROWN[v.kind].y)
        return crown;
    vec4 trunk = shown_at(v, at_axis);
    return !is_bark(trunk) && !is_bark(crown) ? crown : is_bark(trunk) && at_axis.y >= FOOT ? trunk : vec4(0.0);
}

// What the view from `from` (towards the eye, in the plant's own axes) shows at q, heights from the plant's middle. wide: of its kind's width;
// footprint: of a pixel, in heights. Between views one is chosen by two random numbers.
vec4 impostor_at(int kind, vec3 from, vec3 q, float wide, float footprint, vec2 random)
{
    vec2 grid = clamp((upper_octahedral(normalize(vec3(from.x, max(from.y, 0.0), from.z))) * 0.5 + 0.5) * float(IMPOSTOR_VIEWS) - 0.5, 0.0, float(IMPOSTOR_VIEWS - 1));
    View v;
    v.cell = min(floor(grid + random), float(IMPOSTOR_VIEWS - 1));
    vec3 view = from_upper_octahedral((v.cell + 0.5) / float(IMPOSTOR_VIEWS) * 2.0 - 1.0);
    v.right = right_of(view);
    v.up = cross(view, v.right);
    v.kind = kind;
    v.wide = wide;
    v.level = log2(footprint * float(textureSize(impostors, 0).x / IMPOSTOR_VIEWS) / (2.0 * IMPOSTOR_RADIUS));
    return met_by_ray(v, from, q);
}
