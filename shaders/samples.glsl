// samples.glsl - positions of a pixel's samples relative to its middle, in pixels: the standard positions of GPUs.
#if PIXEL_SAMPLES == 4
const vec2 SAMPLE_PLACES[4] = vec2[](vec2(-0.125, -0.375), vec2(0.375, -0.125), vec2(-0.375, 0.125),
                                     vec2(0.125, 0.375));
#elif PIXEL_SAMPLES == 2
const vec2 SAMPLE_PLACES[2] = vec2[](vec2(0.25, 0.25), vec2(-0.25, -0.25));
#else
const vec2 SAMPLE_PLACES[1] = vec2[](vec2(0.0));
#endif
