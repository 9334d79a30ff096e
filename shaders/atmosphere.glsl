// atmosphere.glsl - one model for sky, aerial perspective and the colour of the sun: single scattering by air and haze in a flat,
// exponentially thinning atmosphere. Source: Hoffman and Preetham, "Rendering Outdoor Light Scattering in Real Time", 2002; air
// mass: Kasten and Young 1989; scattering coefficients: Bruneton and Neyret 2008.
const vec3 BETA_AIR = vec3(5.8e-6, 13.5e-6, 33.1e-6);
const float BETA_HAZE = 4.0e-6;
const float HEIGHT_AIR = 8000.0, HEIGHT_HAZE = 1200.0;
const float SUN_RADIANCE = 22.0;

// Length of air a ray crosses, in vertical thicknesses.
float air_mass(float mu)
{
    float degrees_up = degrees(asin(clamp(mu, 0.0, 1.0)));
    return 1.0 / (max(mu, 0.0) + 0.50572 * pow(degrees_up + 6.07995, -1.6364));
}

float phase_air(float c) { return 0.0596831 * (1.0 + c * c); }

float phase_haze(float c)
{
    const float g = 0.76;
    return 0.0795775 * (1.0 - g * g) / pow(1.0 + g * g - 2.0 * g * c, 1.5);
}

// Sunlight that reaches an altitude.
vec3 sunlight(float altitude)
{
    float mass = air_mass(sun.y);
    vec3 depth = BETA_AIR * HEIGHT_AIR * exp(-max(altitude, 0.0) / HEIGHT_AIR) +
                 1.1 * BETA_HAZE * sun.w * HEIGHT_HAZE * exp(-max(altitude, 0.0) / HEIGHT_HAZE);
    return SUN_RADIANCE * exp(-depth * mass) * smoothstep(-0.06, 0.02, sun.y);
}

// Light of the whole sky on a surface that faces up.
vec3 skylight(float altitude)
{
    float day = smoothstep(-0.15, 0.25, sun.y);
    return mix(vec3(0.012, 0.018, 0.035), vec3(0.55, 0.85, 1.45) * exp(-altitude / 30000.0), day) * 1.25;
}

// Density of a layer integrated along a segment between two altitudes.
float column(float from, float to, float distance, float scale)
{
    float a = exp(-max(from, -2000.0) / scale), b = exp(-max(to, -2000.0) / scale);
    float rise = to - from;
    return abs(rise) < 1.0 ? distance * 0.5 * (a + b) : distance * scale * (a - b) / rise;
}

// Light scattered into a ray through air columns, and what remains of the light behind.
vec3 scatter(vec3 direction, vec2 columns, float altitude, out vec3 transmittance)
{
    float c = dot(direction, sun.xyz);
    vec3 air = BETA_AIR * columns.x;
    float haze = BETA_HAZE * sun.w * columns.y;
    vec3 depth = air + 1.1 * haze;
    transmittance = exp(-depth);
    vec3 source = sunlight(0.5 * altitude + 1500.0) * (air * phase_air(c) + haze * phase_haze(c)) + skylight(altitude) * 0.10 * (air + haze);
    return source / max(depth, vec3(1e-9)) * (1.0 - transmittance);
}

// Air between the camera and a point.
vec3 aerial_perspective(vec3 color, vec3 position, float to)
{
    float distance = length(position);
    vec2 columns = vec2(column(camera.y, to, distance, HEIGHT_AIR), column(camera.y, to, distance, HEIGHT_HAZE));
    vec3 transmittance;
    vec3 light = scatter(position / max(distance, 1e-3), columns, camera.y, transmittance);
    return color * transmittance + light;
}

// Air along a ray from the camera to space. A ray that goes down passes its lowest point, thicker air, and comes up again.
float column_to_space(float mu, float scale)
{
    float height = max(camera.y, 0.0);
    float up = scale * exp(-height / scale) * air_mass(abs(mu));
    if (mu >= 0.0)
        return up;
    float lowest = height - mu * mu / max(4.0 * planet.x, 1e-9);
    return 2.0 * scale * air_mass(0.0) * exp(-max(lowest, 0.0) / scale) - up;
}

// The sky without the sun's disc.
vec3 sky_light(vec3 direction)
{
    vec2 columns = vec2(column_to_space(direction.y, HEIGHT_AIR), column_to_space(direction.y, HEIGHT_HAZE));
    vec3 transmittance;
    return scatter(direction, columns, camera.y, transmittance);
}

// Filmic curve (Narkowicz 2015, fitted to ACES) and sRGB gamma.
vec3 display(vec3 light)
{
    vec3 x = light * planet.y;
    x = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
    return mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}
