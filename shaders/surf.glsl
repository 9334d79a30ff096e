// surf.glsl - swell in shallow water: crests that follow the coast, grow, break and run up the beach.
//
// In shallow water of depth h a wave has the speed sqrt(g h). On a beach of slope b it needs the time 2 sqrt(h / g) / b
// to reach the shore. So the phase is a function of depth, and crests lie along lines of equal depth: waves turn
// towards the coast and become shorter. Each octave of slopes has its own train of waves; a position blends the trains
// of two octaves. Heights grow by Green's law up to 0.78 of the depth: McCowan 1894; Dean and Dalrymple, "Water wave
// mechanics", 1991.
struct Surf {
    vec2 slope;  // rise to the east and to the south
    float height;
    float foam;  // white share
    float run;   // m; how far the edge of the water on the shore lies below the mean level
    float lost;  // mean square slope of waves smaller than the footprint
    float open;  // height of arriving waves, as a share of their height on the open sea
};

const float SURF_DEPTH = 14.0, SURF_WAVES = 456.0; // m; number of swells in WAVES_PERIOD seconds
const float ROLLER = 5.0;                          // width of a breaking crest, m
const float SURF_HEIGHT = 1.25;                    // m; height of swells, from trough to crest, where the water is
                                                   // SURF_DEPTH deep

float wave_chance(float wave, float salt)
{
    return hash_unit(uint(int(mod(wave, SURF_WAVES))) + hash(uint(salt)));
}

// A train of waves on a coast with a slope of 2^octave. fall: growth of the depth to the east and to the south;
// exposed: height of arriving swells, as a share of SURF_HEIGHT
Surf surf_train(vec2 place, float depth, vec2 fall, float octave, float exposed, float footprint)
{
    float turns = SURF_WAVES * frame_time / float(WAVES_PERIOD),
          rate = 2.0 * SURF_WAVES / float(WAVES_PERIOD) * inversesqrt(9.81) * exp2(-octave);
    float bent = 0.35 * noise(place, 128.0).x + 0.12 * noise(place, 32.0).x;
    float phase = turns + rate * sqrt(depth) + bent + 0.37 * octave;
    float wave = floor(phase + 0.5), since = fract(phase); // since: periods since a crest has passed
    float along = noise(place + 512.0 * wave_chance(wave, 3.0 + octave), 64.0).x;
    float high = SURF_HEIGHT * exposed * clamp(0.75 + 0.35 * wave_chance(wave, 7.0) + 0.55 * along, 0.15, 1.5);
    float grown = high * pow(SURF_DEPTH / max(depth, 0.05), 0.25), limit = 0.78 * depth;
    float breaking = smoothstep(0.8, 1.25, grown / max(limit, 0.01)), size = min(grown, limit);
    vec2 gradient = fall * (rate * 0.5 * inversesqrt(max(depth, 0.03))); // turns per metre
    float keep = 1.0 - smoothstep(0.25, 0.8, footprint * length(gradient));
    float c = 0.5 + 0.5 * cos(2.0 * PI * phase), peak = c * c * (0.4 + 0.6 * c);
    float rise = -(0.8 * c + 1.8 * c * c) * PI * sin(2.0 * PI * phase); // growth of peak per turn
    Surf s;
    s.height = keep * size * (peak - 0.35);
    s.slope = keep * clamp(size * rise * gradient, -0.8, 0.8);
    s.lost = (1.0 - keep * keep) * min(2.0 * size * size * dot(gradient, gradient), 0.03);
    // The roller in front of a crest is all white. A crest breaks only along some stretches. There it leaves foam that
    // thins out. Between these stretches are patches of older foam.
    float torn = noise(place, 16.0).x,
          stretch = smoothstep(-0.30, 0.05, along + 0.25 * torn + 0.3 * wave_chance(wave, 5.0));
    float narrow = clamp(ROLLER * length(gradient), 0.02, 0.10),
          roller = smoothstep(1.0 - narrow, 1.0 - 0.4 * narrow, since);
    float trail = (0.5 + 0.3 * torn) * exp(-5.0 * since) * (1.0 - smoothstep(0.25, 0.5, since));
    float rags = 0.28 * smoothstep(0.0, 0.6, torn + 0.4 * noise(place, 4.0).x);
    s.foam = smoothstep(0.10, 0.45, SURF_HEIGHT * exposed) * breaking *
             mix(0.14, max(stretch * max(roller, trail), rags), keep);
    float swash = since < 0.2 ? smoothstep(0.0, 0.2, since) : 1.0 - smoothstep(0.2, 1.0, since);
    s.open = 0.0;
    s.run = (0.05 + 0.25 * high) * (1.0 - swash) * keep;
    return s;
}

const Surf NO_SURF = Surf(vec2(0.0), 0.0, 0.0, 0.0, 0.0, 0.0);

// Height of waves at a position, as a share of their height on the open sea. Waves grow with the square root of the
// fetch, which land limits (Hasselmann et al. 1973). A bay gets the full waves of the sea if about a quarter of all
// directions is open.
float open_to_waves(vec2 position)
{
    const int DIRECTIONS = QUALITY == 0 ? 4 : 6, FETCHES = 3;
    // fetches, m; height of waves after each fetch, as a share of the full height
    const float FETCH[FETCHES] = float[](200.0, 800.0, 2500.0), GROWN[FETCHES] = float[](0.05, 0.25, 0.60);
    float sum = 0.0;
    for (int k = 0; k < DIRECTIONS; k++) {
        float angle = 2.0 * PI * (float(k) + 0.25) / float(DIRECTIONS), open = 1.0;
        for (int n = 0; n < TURNS(FETCHES) && open > 0.0; n++) {
            vec2 place = position + vec2(cos(angle), sin(angle)) * FETCH[n];
            int lod = clamp(int(log2(max(0.04 * FETCH[n] / frame_spacing, 1.0))), lod_at(place), frame_coarsest_lod);
            float land = smoothstep(-3.0, 3.0, ground_height(lod, place) - frame_sea_level);
            sum += open * land * GROWN[n];
            open -= open * land;
        }
        sum += open;
    }
    return smoothstep(0.12, 0.28, sum / float(DIRECTIONS));
}

// Surf at a position, metres from the camera. distance: from the camera; depth: of the water
Surf surf_at(vec2 position, float distance, float depth, float footprint)
{
    const float FAR = 1.6e4, ASIDE = 10.0;
    if (depth > 1.5 * SURF_DEPTH || distance > FAR)
        return NO_SURF;
    float aside = max(ASIDE, distance * 0.004);
    int lod = clamp(int(log2(max(aside / frame_spacing, 1.0))), lod_at(position), frame_coarsest_lod);
    vec4 around;
    for (int n = 0; n < TURNS(4); n++) {
        float shift = (n & 1) == 0 ? -aside : aside;
        around[n] = ground_height(lod, position + (n < 2 ? vec2(shift, 0.0) : vec2(0.0, shift)));
    }
    float west = around.x, east = around.y, north = around.z, south = around.w;
    float bed = frame_sea_level - 0.25 * (west + east + north + south),
          smooth_depth = mix(depth, bed, smoothstep(0.0, 2.0, depth));
    if (smooth_depth > SURF_DEPTH)
        return NO_SURF;
    vec2 fall = vec2(west - east, north - south) / (2.0 * aside), place = position + frame_pattern;
    float steep = clamp(length(fall), 0.012, 0.5), octave = log2(steep), low = floor(octave),
          w = smoothstep(0.2, 0.8, octave - low);
    float open = open_to_waves(position),
          exposed = open * mix(0.35, 1.0, smoothstep(-0.7, 0.7, -dot(fall / max(length(fall), 1e-4), WIND)));
    exposed *= 1.0 - smoothstep(0.15, 0.5, steep);
    exposed *= (1.0 - smoothstep(0.6 * SURF_DEPTH, SURF_DEPTH, smooth_depth)) *
        (1.0 - smoothstep(0.5 * FAR, FAR, distance));
    float at = max(smooth_depth, 0.0);
#if QUALITY == 0
    Surf s = surf_train(place, at, fall, floor(octave + 0.5), exposed, footprint);
    s.open = open;
    return s;
#else
    Surf a = surf_train(place, at, fall, low, exposed, footprint),
         b = surf_train(place, at, fall, low + 1.0, exposed, footprint);
    return Surf(mix(a.slope, b.slope, w), mix(a.height, b.height, w), mix(a.foam, b.foam, w), mix(a.run, b.run, w),
                mix(a.lost, b.lost, w), open);
#endif
}
