// sea_level.glsl - intersects rays with the mean sea level.
const float WATER_OPAQUE = 90.0; // m; a deeper bed is invisible: less than a thousandth of its light is left
const float HIGHEST_WAVE = 4.0;  // m; no wave is higher over the mean sea

// Whether a ray from a camera over the mean sea points below the horizon of the sea. ray: of any length
bool is_under_horizon(vec3 ray)
{
    float over = frame_camera.y - frame_sea_level;
    return has_layer(LAYER_WATER) && over > 0.0 && ray.y < -dip_of(over) * length(ray);
}

// Distance at which a ray meets the mean sea, from above or from below; negative: the ray misses it. cover: share of
// the pixel that is sea, less than 1 where the horizon passes through the pixel
float to_sea(vec3 d, out float cover)
{
    float s = frame_sea_level - frame_camera.y;
    vec3 m = meeting_of(d, s);
    float root = sqrt(max(m.y * m.y - 4.0 * m.x * m.z, 0.0));
    cover = 1.0;
    if (s > 0.0)
        return d.y > 0.0 ? -2.0 * m.z / (m.y + root) : -1.0;
    float dip = dip_of(-s), over = (-d.y - dip) / (frame_pixel_width * sqrt(1.0 - dip * dip));
    if (d.y >= 0.0 || over <= -0.5)
        return -1.0;
    cover = clamp(over + 0.5, 0.0, 1.0);
    return 2.0 * m.z / (-m.y + root);
}
