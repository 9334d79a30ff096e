// river_cover.glsl - reads which share of the ground narrow rivers or the dry beds of rivers cover, how thick glaciers
// and sand are, and whether a tile has any of these at all. Rivers up to 1.6 sample distances of their tile wide are
// narrow. The cover of wider ones fades out, and is 0 from 3.2 sample distances on (tile_rivers.comp).
const int COVER_WORDS = TILE_FLOATS / 4 + 1; // words of a slot: a byte per sample, then a word of COVER_HAS_...
                                             // bits. All bits are set if the cover is unknown

// Sample distance, m, up to which the cover is not used, because samples show even the narrowest brook, 1.9 m wide.
const float NARROW_FROM = 1.5;

// Level of detail whose samples tell where the land is a marsh: three levels coarser than the drawn one, where samples
// still show brooks.
int marsh_lod(int lod)
{
    return min(max(lod, frame_fine_lods) + 3, frame_coarsest_lod);
}

// One of 16 samples around a position p of a tile, up to four sample distances away.
ivec2 marsh_sample(vec2 p, int n)
{
    return ivec2(floor(p)) - 3 + 2 * ivec2(n & 3, n >> 2);
}

layout(std430, binding = 4) readonly buffer RiverCover { uint river_cover[]; };

uint water_of_tile(int slot)
{
    return river_cover[slot * COVER_WORDS + TILE_FLOATS / 4];
}

// Whether a slot with this word may have water.
bool may_be_wet(uint known)
{
    return (known & COVER_HAS_WATER) != 0u;
}

// Whether the cover of a slot with this word is known and has all bits of `wanted`.
bool covers(uint known, uint wanted)
{
    return known <= (COVER_HAS_WATER | COVER_HAS_GROUND) && (known & wanted) == wanted;
}

// Bytes of the cover at the four samples around a position, of the northern and of the southern row.
struct CoverBytes { uvec2 west, east; };

// a: the sample to the north-west
CoverBytes cover_bytes(int slot, ivec2 a)
{
    int n = (a.y + APRON) * SAMPLES + a.x + APRON, word = slot * COVER_WORDS + n / 4, shift = 8 * (n & 3);
    uvec2 rows = uvec2(river_cover[word], river_cover[word + SAMPLES / 4]), west = rows >> shift, east = west >> 8;
    if (shift == 24)
        east = uvec2(river_cover[word + 1], river_cover[word + SAMPLES / 4 + 1]);
    return CoverBytes(west & 255u, east & 255u);
}

// Shares of bytes of the cover that narrow rivers have.
vec2 river_shares(uvec2 bytes)
{
    return mix(vec2(bytes), vec2(0.0), greaterThan(bytes, uvec2(COVER_RIVER))) / float(COVER_RIVER);
}

// Thickness of ice (x), share of a dry bed (y) and thickness of sand (z) of a byte of the cover, 0..1.
vec3 ground_shares(uint byte)
{
    float n = float(byte), bed = n - float(COVER_RIVER), ice = n - float(COVER_BED), sand = n - float(COVER_ICE);
    return sand > 0.0 ? vec3(0.0, 0.0, sand / float(COVER_SAND - COVER_ICE))
           : ice > 0.0 ? vec3(ice / float(COVER_ICE - COVER_BED), 0.0, 0.0)
           : vec3(0.0, max(bed, 0.0) / float(COVER_BED - COVER_RIVER), 0.0);
}

// Share of the ground around a position of a tile that narrow rivers cover. known: word of the slot, see water_of_tile
float narrow_cover(uint known, int slot, vec2 p, float samples_a_metre)
{
    if (!covers(known, COVER_HAS_WATER) || samples_a_metre * NARROW_FROM >= 1.0)
        return 0.0;
    CoverBytes c = cover_bytes(slot, ivec2(p));
    vec2 t = fract(p), shares = mix(river_shares(c.west), river_shares(c.east), t.x);
    return mix(shares.x, shares.y, t.y);
}

// At a position of a tile: thickness of the glacier as a share of COVER_ICE_M, 1 where it is thicker (x); share of the
// ground that dry beds cover (y); thickness of the sand of dunes as a share of COVER_SAND_M (z).
vec3 ground_cover(uint known, int slot, vec2 p)
{
    if (!covers(known, COVER_HAS_GROUND))
        return vec3(0.0);
    CoverBytes c = cover_bytes(slot, ivec2(p));
    vec2 t = fract(p);
    return mix(mix(ground_shares(c.west.x), ground_shares(c.east.x), t.x),
               mix(ground_shares(c.west.y), ground_shares(c.east.y), t.x), t.y);
}

// Length in metres, in the direction of the ray d, of the level ground that a pixel covers. land: distance of this
// ground, m
float pixel_length(vec3 d, float land)
{
    return land * frame_pixel_width / clamp(-climb_at(d, land), 0.002, 1.0);
}

// Number of positions within a pixel that are tested for water. If a pixel is longer than the sample distance, a river
// across the pixel may miss its middle.
int places_in_pixel(vec3 d, float land)
{
    int lod = lod_at(place_of(d.xz * land));
    return frame_quality > 0 && pixel_length(d, land) * frame_levels[lod].samples_a_metre > 1.2 ? 4 : 1;
}

// Position n of `count` positions within a pixel, from the nearest to the farthest.
vec2 place_in_pixel(vec3 d, float land, int n, int count)
{
    return place_of(d.xz * (land + ((float(n) + 0.5) / float(count) - 0.5) * pixel_length(d, land)));
}

// Height of gravel bars over the bed of shallow water, m. They are so low that they do not block brooks. patches: noise
// of 16 m
float bars_of(float patches, float depth)
{
    return clamp(0.5 * patches, 0.0, 0.18) * (1.0 - smoothstep(0.8, 2.0, depth));
}

float narrow_river(int lod, int slot, vec2 p)
{
    return narrow_cover(water_of_tile(slot), slot, p, frame_levels[lod].samples_a_metre);
}
