// mark.glsl - finds the ground of a pixel, land or sea, and whether it lies in the marked rectangle.

// Distance along a ray to the sea; 0: the ray does not meet the sea. d: unit vector
float mark_to_sea(vec3 d)
{
    float over = frame_camera.y - frame_sea_level;
    vec3 m = meeting_of(d, -over);
    float root = m.y * m.y - 4.0 * m.x * m.z;
    return has_layer(LAYER_WATER) && over > 0.0 && d.y < 0.0 && root >= 0.0 ? 2.0 * m.z / (-m.y + sqrt(root)) : 0.0;
}

// Ground that a pixel shows: its position to the east and south of the camera, m (xy), and its distance, m (z);
// distance 0: the pixel shows no ground.
vec3 mark_ground(ivec2 pixel)
{
    vec3 ray = ray_of(pixel), d = normalize(ray);
    float depth = depth_of(pixel, 0), land = depth > 0.0 ? length(ray) / depth : 0.0, sea = mark_to_sea(d);
    float distance = land > 0.0 && sea > 0.0 ? min(land, sea) : land > 0.0 ? land : min(sea, frame_far);
    return vec3(place_of(d.xz * distance), distance);
}

bool is_marked(ivec2 pixel)
{
    vec3 ground = mark_ground(clamp(pixel, ivec2(0), ivec2(frame_picture_size) - 1));
    return ground.z > 0.0 && all(greaterThanEqual(ground.xy, frame_mark_from)) &&
           all(lessThanEqual(ground.xy, frame_mark_to));
}
