// globe.glsl - bends the plane of the land over a sphere, whose top is at the camera's foot.
//
// A place is a position on the plane, metres east and south of the camera. The land at a place with distance s from the
// camera's foot lies on the sphere at the angle s / radius (azimuthal equidistant projection), and its height is
// measured along the camera's vertical. Near the camera the land is the plane. With curvature 0 it is a plane
// everywhere.

// If `across` is a place, the square of its angle from the camera's foot, seen from the sphere's centre. If `across` is
// x and z of a position on the sphere, the square of the sine of this angle.
float angle_square(vec2 across)
{
    return dot(across, across) * (4.0 * frame_curvature * frame_curvature);
}

// Depth of the sphere below the camera's horizontal plane, across: x and z of a position, m from the camera
float drop(vec2 across)
{
    return 2.0 * dot(across, across) * frame_curvature / (1.0 + sqrt(max(1.0 - angle_square(across), 0.0)));
}

// Position of sea level at a place (x, z) and its depth below the camera's horizontal plane (y). The sums are Taylor's
// series; at an angle of 180 degrees, beyond which nothing is drawn, their errors are below 1e-5.
vec3 bent(vec2 place)
{
    float a = min(angle_square(place), 9.8696);
    float sine = 1.0 - a * (1.0 / 6.0 - a * (1.0 / 120.0 - a * (1.0 / 5040.0 - a * (1.0 / 362880.0 -
                 a * (1.0 / 39916800.0 - a / 6227020800.0)))));
    float depth = 0.5 - a * (1.0 / 24.0 - a * (1.0 / 720.0 - a * (1.0 / 40320.0 - a * (1.0 / 3628800.0 -
                  a * (1.0 / 479001600.0 - a / 87178291200.0)))));
    return vec3(place * sine, 2.0 * dot(place, place) * frame_curvature * depth).xzy;
}

// The place of a position. across: x and z of the position. The angle is halved twice before the arcsine's series.
vec2 place_of(vec2 across)
{
    float q = min(angle_square(across), 1.0), half_way = 2.0 + 2.0 * sqrt(1.0 - q), h = q / half_way,
          quarter = 2.0 + 2.0 * sqrt(1.0 - h), x = h / quarter;
    float series = 1.0 + x * (1.0 / 6.0 + x * (3.0 / 40.0 + x * (5.0 / 112.0 + x * (35.0 / 1152.0 +
                   x * (63.0 / 2816.0)))));
    return across * (4.0 * inversesqrt(half_way * quarter) * series);
}

// The vertical at a position.
vec3 up_at(vec3 position)
{
    vec2 aside = 2.0 * frame_curvature * position.xz;
    return vec3(aside, sqrt(max(1.0 - dot(aside, aside), 0.0))).xzy;
}

// A direction in the frame of a position with the vertical `up`: x east, y up, z south along the land.
vec3 local_direction(vec3 d, vec3 up)
{
    float aside = dot(d.xz, up.xz) / (1.0 + up.y);
    return vec3(d.x - up.x * (d.y + aside), dot(d, up), d.z - up.z * (d.y + aside));
}

// How much a ray climbs over the sphere per metre of the ray, at a distance. Heights are measured along the camera's
// vertical.
float climb_at(vec3 d, float distance)
{
    vec3 up = up_at(d * distance);
    return dot(d, up) / max(up.y, 0.01);
}

// Coefficients (x, y, z) of x t^2 + y t + z = 0. Its solutions t are the distances at which a ray meets the curved
// surface `rise` metres over its origin.
vec3 meeting_of(vec3 d, float rise)
{
    return vec3(frame_curvature, d.y * (1.0 - 2.0 * frame_curvature * rise), -rise * (1.0 - frame_curvature * rise));
}

// Sine of the angle by which the horizon of the surface `over` metres below the camera lies under the horizontal.
float dip_of(float over)
{
    float x = frame_curvature * max(over, 0.0);
    return 2.0 * sqrt(x * (1.0 + x)) / (1.0 + 2.0 * x);
}
