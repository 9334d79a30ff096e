// frame_light.glsl - what the GPU itself finds out about a frame's light.
layout(std430, binding = 3) buffer FrameLight {
    vec4 sky;       // rgb: irradiance of the sky on ground that faces up; w: share of the sun that the camera sees past land and low clouds
    float exposure; // from the frames before
    float mean;     // their mean luminance, logarithmic
} frame_light;

float luminance_of(vec3 light)
{
    return dot(light, vec3(0.2126, 0.7152, 0.0722)); // ITU-R BT.709
}
