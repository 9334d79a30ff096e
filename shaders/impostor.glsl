// impostor.glsl - reads impostors: pictures of plants, called views, from all directions above the horizon.

// A texel has the octahedral normal (xy), the brightness (z), below 0.25 for bark, and the opacity (w). The first three
// are premultiplied by the opacity.
layout(binding = 13) uniform sampler2DArray impostors;

// A view of a plant.
struct View {
    vec2 cell; // column and row in the picture with all views
    vec3 right, up;
    int kind;
    float wide;  // width of the plant relative to its kind
    float level; // level of the mipmap
};

// Texel of a view at a point of the plant. place: from the plant's middle, in heights of the plant
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

// Texel of a view where a ray from q towards the eye meets the plant. The crown counts as the plane through the crown's
// middle that faces the eye. The trunk, or a plant without crown, counts as the plant's axis above the ground. The
// direction of a view may differ from that of the ray by 17 degrees and more. With any other point on the ray the texel
// would be displaced, and a trunk would stand beside its foot.
vec4 met_by_ray(View v, vec3 from, vec3 q)
{
    vec2 ball = plant_kinds[v.kind].size.zw; // the crown's middle and radius
    // least squared cosine of the ray's elevation: steeper rays are nearly parallel to the axis
    const float STEEP = 0.12;
    const float FOOT = -0.515; // lowest drawn point of a trunk, a little below the ground, which is at -0.5
    vec3 at_axis = q - from * (dot(q.xz, from.xz) / max(dot(from.xz, from.xz), STEEP));
    vec3 middle = vec3(0.0, ball.x, 0.0), in_crown = ball.y == 0.0 ? at_axis : q + from * (middle.y * from.y);
    vec4 crown = shown_at(v, in_crown);
    if (in_crown.y > middle.y || distance(in_crown, middle) < ball.y)
        return crown;
    vec4 trunk = shown_at(v, at_axis);
    return !is_bark(trunk) && !is_bark(crown) ? crown : is_bark(trunk) && at_axis.y >= FOOT ? trunk : vec4(0.0);
}

// Texel of an impostor. from: direction to the eye, in the plant's axes; q: point on the ray, from the plant's middle,
// in heights of the plant; wide: width relative to the kind; footprint: width of a pixel, in heights; random: two
// random numbers, which choose between adjacent views
vec4 impostor_at(int kind, vec3 from, vec3 q, float wide, float footprint, vec2 random)
{
    vec2 grid = clamp((upper_octahedral(normalize(vec3(from.x, max(from.y, 0.0), from.z))) * 0.5 + 0.5) *
                      float(IMPOSTOR_VIEWS) - 0.5, 0.0, float(IMPOSTOR_VIEWS - 1));
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
