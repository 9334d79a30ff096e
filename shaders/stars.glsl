// stars.glsl - light of sun, moon and stars behind the air.
float disc(vec3 d, vec3 toward, float radius)
{
    return 1.0 - smoothstep(radius * 0.96, radius * 1.04, acos(clamp(dot(d, toward), -1.0, 1.0)));
}

vec3 stars(vec3 d)
{
    // A cube map of cells, some of which have a star of random brightness. It rotates with the time of day.
    float hours = atan(frame_sun.y, frame_sun.x), c = cos(hours), s = sin(hours);
    vec3 e = vec3(c * d.x + s * d.y, -s * d.x + c * d.y, d.z), a = abs(e);
    float most = max(a.x, max(a.y, a.z));
    vec2 face = most == a.x ? e.yz : most == a.y ? e.xz : e.xy;
    uint side = (most == a.x ? 0u : most == a.y ? 1u : 2u) * 2u + uint(dot(e, vec3(1.0)) > 0.0);
    vec2 uv = (face / most * 0.5 + 0.5) * 120.0;
    ivec2 cell = ivec2(uv);
    uint h = hash(uint(cell.x) + 128u * uint(cell.y) + 16384u * side);
    if ((h & 15u) > 1u)
        return vec3(0.0);
    vec2 at = vec2(h >> 8 & 255u, h >> 16 & 255u) / 255.0 * 0.6 + 0.2;
    float width = max(frame_pixel_width * 60.0, 0.04), off = length(uv - vec2(cell) - at);
    float bright = (pow(float(h >> 24) / 255.0, 10.0) + 0.015) * 0.0016 / (width * width);
    vec3 tint = mix(vec3(1.0, 0.8, 0.6), vec3(0.7, 0.85, 1.0), float(h >> 4 & 15u) / 15.0);
    return tint * bright * 0.05 * exp(-off * off / (width * width));
}

// Light from behind the air in a direction.
vec3 heavens(vec3 d)
{
    vec3 through = transmittance_from_camera(d);
    vec3 light = SUN_IRRADIANCE * 400.0 * disc(d, frame_sun, 0.00465) * through;
    if (frame_night > 0.0 || frame_air_density <= 0.0) {
        float on = disc(d, frame_moon, 0.0055);
        vec3 face = vec3(0.95, 0.97, 1.0) * (0.75 + 0.25 * noise(d.xy * 900.0, 2.0).x);
        float dark = max(frame_night, 1.0 - frame_air_density);
        light += (mix(stars(d), vec3(0.0), on) + face * on * 0.22) * through * dark;
    }
    return light;
}
