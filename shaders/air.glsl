// air.glsl - scattering and absorption of the atmosphere, and lookups in its tables. Lengths are kilometres in this
// file, and the planet's centre is the origin.
//
// Source: Hillaire, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique", 2020; coefficients and
// the mapping of the transmittance table: Bruneton and Neyret 2008.
layout(binding = 2) uniform sampler2D air_transmittance;
layout(binding = 3) uniform sampler2D air_multiple;

const float AIR_DEPTH_KM = 100.0;
const float SUN_IRRADIANCE = 10.0; // at the top of the air; defines the unit of light
const vec3 SCATTER_AIR = vec3(5.802e-3, 13.558e-3, 33.1e-3);
const float SCATTER_HAZE = 3.996e-3, ABSORB_HAZE = 4.4e-3, HAZE_G = 0.8;
const vec3 ABSORB_OZONE = vec3(0.650e-3, 1.881e-3, 0.085e-3);
const vec3 GROUND_ALBEDO = vec3(0.2);

struct Air { vec3 scatter_air; float scatter_haze; vec3 extinction; };

Air air_at(float height)
{
    float h = clamp(height, 0.0, AIR_DEPTH_KM);
    vec3 scatter = SCATTER_AIR * exp(-h / 8.0) * frame_air_density;
    float haze = exp(-h / 1.2) * frame_haze * frame_air_density;
    float ozone = max(0.0, 1.0 - abs(h - 25.0) / 15.0) * frame_air_density;
    return Air(scatter, SCATTER_HAZE * haze, scatter + (SCATTER_HAZE + ABSORB_HAZE) * haze + ABSORB_OZONE * ozone);
}

float phase_air(float c)
{
    return 3.0 / (16.0 * PI) * (1.0 + c * c);
}

float phase_haze(float c) // Cornette and Shanks 1992
{
    const float g = HAZE_G;
    return 3.0 / (8.0 * PI) * (1.0 - g * g) * (1.0 + c * c) / ((2.0 + g * g) * pow(1.0 + g * g - 2.0 * g * c, 1.5));
}

// Distance along a ray, from radius r with zenith cosine mu, to the far side of a sphere; negative: the ray misses the
// sphere.
float to_sphere_top(float r, float mu, float radius)
{
    float d = r * r * (mu * mu - 1.0) + radius * radius;
    return d < 0.0 ? -1.0 : -r * mu + sqrt(d);
}

float to_ground(float r, float mu)
{
    float d = r * r * (mu * mu - 1.0) + frame_air_radius * frame_air_radius;
    return d < 0.0 || mu > 0.0 ? -1.0 : -r * mu - sqrt(d);
}

vec2 transmittance_place(float r, float mu)
{
    float top = frame_air_radius + AIR_DEPTH_KM, h = sqrt(top * top - frame_air_radius * frame_air_radius);
    float rho = sqrt(max(r * r - frame_air_radius * frame_air_radius, 0.0));
    float d = max(to_sphere_top(r, mu, top), 0.0), least = top - r, most = rho + h;
    vec2 x = vec2((d - least) / (most - least), rho / h);
    vec2 size = vec2(AIR_TRANSMITTANCE_WIDTH, AIR_TRANSMITTANCE_HEIGHT);
    return (clamp(x, 0.0, 1.0) * (size - 1.0) + 0.5) / size;
}

// Transmittance from the top of the air to a height, for light at zenith cosine mu. It falls to 0 while the sun's disc
// sets.
vec3 transmittance_to(float height, float mu)
{
    float r = frame_air_radius + clamp(height, 0.001, AIR_DEPTH_KM - 0.001);
    float horizon = -sqrt(max(1.0 - frame_air_radius * frame_air_radius / (r * r), 0.0));
    vec3 t = frame_air_density > 0.0 ? texture(air_transmittance, transmittance_place(r, max(mu, horizon + 0.0005))).rgb
             : vec3(1.0);
    return t * smoothstep(-0.0047, 0.0047, mu - horizon);
}

vec3 multiple_scattering(float height, float mu)
{
    vec2 x = clamp(vec2(mu * 0.5 + 0.5, height / AIR_DEPTH_KM), 0.0, 1.0);
    return texture(air_multiple, (x * float(AIR_MULTIPLE_SIDE - 1) + 0.5) / float(AIR_MULTIPLE_SIDE)).rgb;
}

// Light scattered into a ray per kilometre of homogeneous air, for sunlight of irradiance 1. scattered_once: single
// scattering; scattered_again: all higher orders of scattering; mu_sun: zenith cosine of the sun; c: cosine of the
// angle between the ray and the direction to the sun
vec3 scattered_once(Air air, float height, float mu_sun, float c)
{
    return (air.scatter_air * phase_air(c) + air.scatter_haze * phase_haze(c)) * transmittance_to(height, mu_sun);
}

vec3 scattered_again(Air air, float height, float mu_sun)
{
    return (air.scatter_air + air.scatter_haze) * multiple_scattering(height, mu_sun);
}

// Add the light scattered into a ray between two distances. light: all scattered light; once: only the part of it that
// is sunlight scattered once; transmittance: of the air from the origin, up to `from` before the call and up to `to`
// after it
void march_air(vec3 origin, vec3 direction, float from, float to, int steps, inout vec3 light, inout vec3 once,
               inout vec3 transmittance)
{
    float c = dot(direction, frame_sun), length_of_step = (to - from) / float(steps);
    for (int n = 0; n < steps; n++) {
        vec3 p = origin + direction * (from + (float(n) + 0.5) * length_of_step);
        float r = length(p), height = r - frame_air_radius;
        Air air = air_at(height);
        vec3 through = exp(-air.extinction * length_of_step);
        float mu_sun = dot(p, frame_sun) / r;
        vec3 direct = SUN_IRRADIANCE * scattered_once(air, height, mu_sun, c);
        vec3 source = direct + SUN_IRRADIANCE * scattered_again(air, height, mu_sun);
        if (frame_night > 0.0) // moonlight is scattered isotropically, for simplicity
            source += SUN_IRRADIANCE * frame_key_irradiance * frame_night * (air.scatter_air + air.scatter_haze) *
                      (transmittance_to(height, dot(p, frame_key) / r) / (4.0 * PI) +
                       multiple_scattering(height, dot(p, frame_key) / r));
        vec3 share = transmittance * (1.0 - through) / max(air.extinction, vec3(1e-7));
        light += share * source;
        once += share * direct;
        transmittance *= through;
    }
}

vec3 camera_in_air()
{
    return vec3(0.0, frame_air_radius + max(frame_camera.y * 1e-3, 0.002), 0.0);
}

// Transmittance of the air from the camera along a direction.
vec3 transmittance_from_camera(vec3 d)
{
    float r = camera_in_air().y, top = frame_air_radius + AIR_DEPTH_KM,
          passed = r / top * sqrt(max(1.0 - d.y * d.y, 0.0));
    if (r <= top)
        return transmittance_to(frame_camera.y * 1e-3, d.y);
    return d.y > 0.0 || passed >= 1.0 ? vec3(1.0) : transmittance_to(AIR_DEPTH_KM, -sqrt(1.0 - passed * passed));
}

// Distance, km, from a camera above the lower air to the point where a ray enters the lower air, which scatters nearly
// all of the light; if the ray misses the lower air, to the ray's lowest point. 0 for a camera inside the lower air and
// for a ray that rises. Froxels begin at this distance. Seen from space, the lower air is thin compared with its
// distance from the camera. Froxels that began at the camera would be so long that they would be visible as rings.
float to_thick_air(vec3 d)
{
    const float THICK_KM = 24.0;
    float r = camera_in_air().y, top = frame_air_radius + THICK_KM, under = r * r * (d.y * d.y - 1.0) + top * top;
    return r > top && d.y < 0.0 ? -r * d.y - sqrt(max(under, 0.0)) : 0.0;
}

// Length, km, of the part of a ray that is divided into froxels. The part begins at to_thick_air. If this is more than
// 0, the part ends BELOW_KM behind the point where the ray meets the ground, or behind the lowest point of a ray that
// misses the ground. Otherwise it ends at frame_far.
float length_of_air(vec3 d)
{
    const float BELOW_KM = 20.0;
    float thick = to_thick_air(d), r = camera_in_air().y, ground = to_ground(r, d.y),
          lowest = ground > 0.0 ? ground : -r * d.y;
    return thick > 0.0 ? max(lowest - thick, 0.0) + BELOW_KM : max(frame_far * 1e-3, 1.0);
}
