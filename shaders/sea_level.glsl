// sea_level.glsl - intersects rays with the mean sea level.
const float WATER_OPAQUE = 90.0; // depth from which a bed is invisible: a thousandth of its light is left, m
const float HIGHEST_WAVE = 4.0;  // m; no wave is higher over the mean sea

// Whether a ray from a camera over the mean sea points below the horizon of the sea. ray: of any length
bool is_under_horizon(vec3 ray)
{
    float over = frame_camera.y - frame_sea_level;
    return has_layer(LAYER_WATER) && over > 0.0 && ray.y < 0.0 &&
           ray.y * ray.y > 4.0 * over * frame_curvature * dot(ray.xz, ray.xz);
}

// Distance at which a ray meets the mean sea, from above or from below; negative: the ray misses it. cover: share of
// the pixel that is sea, less than 1 where the horizon passes through the pixel
float to_sea(vec3 d, out float cover)
{
    float s = frame_sea_level - frame_camera.y, k = dot(d.xz, d.xz) * frame_curvature;
    cover = 1.0;
    if (s > 0.0)
        return d.y > 0.0 ? 2.0 * s / (d.y + sqrt(d.y * d.y + 4.0 * k * s)) : -1.0;
    float dip = 2.0 * sqrt(k * -s), over = (-d.y - dip) / frame_pixel_width;
    if (d.y >= 0.0 || over <= -0.5)
        return -1.0;
    cover = clamp(over + 0.5, 0.0, 1.0);
    float root = sqrt(max(d.y * d.y - dip * dip, 0.0));
    return 2.0 * -s / (-d.y + root);
}
