// rock.glsl - faces of bare rock: ribs with gullies and cracks between them, and strata that form ledges.
//
// On steep land, noise over horizontal coordinates would be stretched into thin lines. So the noise is a function of
// positions on vertical planes (triplanar mapping: Geiss, GPU Gems 3, 2007).
struct RockFace {
    float height;  // 0 in cracks and gullies, 1 on ribs
    float tone;    // relative brightness of the rock
    float level;   // -1 on risers, 1 on ledges
    float grain;   // detail of metres and less, -1..1
    vec2 bumps;    // slopes of the detail, to the east and south
};

const float MEAN_HEIGHT = 0.62; // mean of RockFace.height
const RockFace NO_FACE = RockFace(MEAN_HEIGHT, 1.0, 0.0, 0.0, vec2(0.0));

// Noise on a face (x), and its slopes times `size` to the east, to the south and upwards (yzw). looks: weights of the
// planes perpendicular to east and to south; one of them is 0 for most faces; stretch: ratio of height to width of
// features
vec4 face_noise(vec2 place, float height, vec2 looks, float size, float stretch)
{
    vec3 east_west = vec3(0.0), south_north = vec3(0.0);
    if (looks.y > 0.0)
        east_west = noise(vec2(place.x, height / stretch), size);
    if (looks.x > 0.0)
        south_north = noise(vec2(place.y, height / stretch + 37.0 * size), size);
    return vec4(looks.y * east_west.x + looks.x * south_north.x, looks.y * east_west.y, looks.x * south_north.y,
                (looks.y * east_west.z + looks.x * south_north.z) / stretch);
}

// Face of rock at a position. slopes: of the land; layered: strength of strata, 0..1
RockFace rock_face(vec2 place, float height, vec2 slopes, float layered, float footprint)
{
    RockFace f = RockFace(0.0, 1.0, 0.0, 0.0, vec2(0.0));
    vec2 looks = smoothstep(vec2(0.25), vec2(0.75), slopes * slopes / max(dot(slopes, slopes), 1.0e-6));
    float weight = 1.0, all = 0.0, relief = 0.34, fine = 0.5;
    for (float size = 128.0; size >= (frame_quality == 2 ? 0.06 : 0.5); size *= 0.5) {
        float keep = 1.0 - smoothstep(0.2, 0.7, footprint / size), edge = 0.06 + 0.3 * footprint / size;
        if (keep <= 0.0)
            break;
        vec4 v = face_noise(place, height, looks, size, clamp(size / 8.0, 1.0, 3.0));
        float ridge = sqrt(v.x * v.x + edge * edge);
        f.bumps += keep * relief * v.x / ridge * (v.yz + v.w * slopes);
        f.height += keep * weight * smoothstep(0.0, 0.45, ridge) + (1.0 - keep) * weight * MEAN_HEIGHT;
        f.tone -= keep * weight * 0.30 * (1.0 - smoothstep(0.0, 0.20, ridge));
        all += weight;
        if (size <= 8.0) { // nearby, small features get as much contrast as ribs have from afar
            f.grain += keep * fine * v.x;
            f.tone -= keep * 0.12 * (1.0 - smoothstep(0.0, 0.14, ridge));
            fine *= 0.9;
        }
        weight *= 0.8;
        relief *= 0.9;
    }
    f.height = all > 0.0 ? f.height / all : MEAN_HEIGHT;
    float across = height + 26.0 * faded_noise(place, 1024.0, footprint).x +
                   9.0 * faded_noise(place, 256.0, footprint).x;
    for (float size = 32.0; size >= 2.0; size *= 0.25) {
        float keep = layered * (1.0 - smoothstep(0.15, 0.5, footprint / size));
        if (keep <= 0.0)
            break;
        vec3 band = noise(vec2(across, 0.37 * size), size);
        f.bumps -= keep * 0.30 * band.y * slopes;
        f.tone += keep * 0.22 * band.x;
        f.level += keep * 0.6 * band.y;
    }
    f.tone += 0.16 * faded_noise(place, 128.0, footprint).x;
    f.tone = clamp(f.tone + 0.12, 0.40, 1.35);
    f.grain = clamp(f.grain, -1.0, 1.0);
    f.level = clamp(f.level, -1.0, 1.0);
    return f;
}
