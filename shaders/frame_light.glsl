// frame_light.glsl - measurements of a frame's light that stay on the GPU.
layout(std430, binding = 3) buffer FrameLight {
    // rgb: irradiance of the sky on level ground; w: share of the sun that land and low clouds do not hide
    vec4 sky;
    float exposure; // factor on the light of the picture
    float mean;     // log2 of the mean luminance of earlier frames
    vec2 unused;
    vec4 skies[SKIES]; // irradiance of the sky at sea level by the zenith angle of the key light; set only if
                       // in_space() > 0
} frame_light;

// Weight of the rules for views from space: 0 for a camera below 12 km, 1 above 40 km.
float in_space()
{
    return smoothstep(1.2e4, 4.0e4, frame_camera.y);
}

// skies_place: position of a zenith cosine in frame_light.skies, 0..1; entries are densest near the horizon. skies_up
// is the inverse.
float skies_place(float up)
{
    return 0.5 + 0.5 * sign(up) * sqrt(abs(up));
}

float skies_up(float place)
{
    float x = 2.0 * place - 1.0;
    return x * abs(x);
}

// Irradiance of the sky on level ground at a position.
vec3 sky_at(vec3 position)
{
    float share = in_space(), at = skies_place(clamp(dot(frame_key, up_at(position)), -1.0, 1.0)) * float(SKIES - 1);
    int n = min(int(at), SKIES - 2);
    vec3 there = mix(frame_light.skies[n].rgb, frame_light.skies[n + 1].rgb, at - float(n));
    return share <= 0.0 ? frame_light.sky.rgb : mix(frame_light.sky.rgb, there, share);
}

float luminance_of(vec3 light)
{
    return dot(light, vec3(0.2126, 0.7152, 0.0722)); // ITU-R BT.709
}
