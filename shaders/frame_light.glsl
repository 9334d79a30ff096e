// frame_light.glsl - measurements of a frame's light that stay on the GPU.
layout(std430, binding = 3) buffer FrameLight {
    // rgb: irradiance of the sky on level ground; w: share of the sun that land and low clouds do not hide
    vec4 sky;
    float exposure; // from earlier frames
    float mean;     // log2 of the mean luminance of earlier frames
} frame_light;

float luminance_of(vec3 light)
{
    return dot(light, vec3(0.2126, 0.7152, 0.0722)); // ITU-R BT.709
}
