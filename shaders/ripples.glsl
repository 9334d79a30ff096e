// ripples.glsl - ridges that the wind leaves in sand.

// Slopes of ridges across a direction. They bend and end like those in sand, because noise moves their phase.
//
// waves: ridges on a side of the pattern, to the east and to the south, whole numbers, so that the pattern repeats;
// place: metres; phase: displacement in ridges; steep: greatest slope; footprint: width of a pixel, metres
vec2 ridge_slopes(vec2 place, ivec2 waves, float phase, float steep, float footprint)
{
    vec2 k = vec2(waves);
    float width = PATTERN * inversesqrt(dot(k, k)), keep = 1.0 - smoothstep(0.12, 0.45, footprint / width);
    // the parts before the decimal point are removed before the sum, which keeps its precision
    float turn = 6.2831853 * fract(fract(place.x * (k.x / PATTERN)) + fract(place.y * (k.y / PATTERN)) + phase);
    return normalize(k) * (keep * steep * (cos(turn) + 0.35 * cos(2.0 * turn + 0.8)));
}

// Slopes of ripples in sand: a hand high beside the camera, and metres wide.
vec2 sand_ripples(vec2 place, float crowns, vec3 spots, float footprint)
{
    float calm = smoothstep(-0.4, 0.3, spots.y);
    return ridge_slopes(place, ivec2(160000, 80000), 0.9 * crowns + 0.8 * spots.x, 0.16 * calm, footprint) +
           ridge_slopes(place, ivec2(14000, 7000), 0.8 * crowns + 1.2 * spots.y, 0.12, footprint);
}
