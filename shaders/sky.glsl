// sky.glsl - looks up the light of the sky in the table of air_sky.comp.
layout(binding = 4) uniform sampler2D sky_view;

float horizon_angle() // zenith angle of the ground's horizon
{
    float r = camera_in_air().y;
    return PI - asin(frame_air_radius / r);
}

// The sky is black at zenith angles smaller than this one. For a camera above the air it is the zenith angle of the
// horizon of the air's top, otherwise 0.
float black_angle()
{
    float r = camera_in_air().y, top = frame_air_radius + AIR_DEPTH_KM;
    return r > top ? PI - asin(top / r) : 0.0;
}

// Sine of the angle of the ground's horizon below the horizontal plane.
float horizon_dip()
{
    float h = camera_in_air().y - frame_air_radius, r = frame_air_radius + h;
    return frame_curvature > 0.0 ? sqrt(h * (h + 2.0 * frame_air_radius)) / r * 0.998 : 0.0;
}

vec2 sun_azimuth()
{
    float n = length(frame_sun.xz);
    return n > 1e-4 ? frame_sun.xz / n : vec2(1.0, 0.0);
}

// Direction of a position, 0..1, in the table. The sky is symmetric about the vertical plane through the sun.
vec3 sky_direction(vec2 x)
{
    float horizon = horizon_angle(), side = x.y * 2.0 - 1.0;
    float theta = horizon + side * side * (side < 0.0 ? black_angle() - horizon : PI - horizon);
    float azimuth = PI * x.x * x.x;
    vec2 a = sun_azimuth(), h = cos(azimuth) * a + sin(azimuth) * vec2(-a.y, a.x);
    return vec3(sin(theta) * h.x, cos(theta), sin(theta) * h.y);
}

vec3 sky_light(vec3 d)
{
    float horizon = horizon_angle(), theta = acos(clamp(d.y, -1.0, 1.0)), n = length(d.xz);
    float black = black_angle(), side = theta < horizon ? -sqrt((horizon - theta) / (horizon - black))
                                        : sqrt((theta - horizon) / (PI - horizon));
    if (theta < black)
        return vec3(0.0);
    float azimuth = acos(n > 1e-5 ? clamp(dot(d.xz, sun_azimuth()) / n, -1.0, 1.0) : 0.0);
    vec2 x = vec2(sqrt(azimuth / PI), side * 0.5 + 0.5), size = vec2(textureSize(sky_view, 0));
    return texture(sky_view, (x * (size - 1.0) + 0.5) / size).rgb;
}

// Light of a moonless night: airglow and starlight, brighter towards the horizon. From space only the air glows.
vec3 night_light(vec3 d)
{
    if (acos(clamp(d.y, -1.0, 1.0)) < black_angle())
        return vec3(0.0);
    return vec3(0.35, 0.55, 1.0) * 2.2e-4 * (frame_night + 0.02) * (0.6 + 0.8 * exp(-3.0 * max(d.y, 0.0)));
}
