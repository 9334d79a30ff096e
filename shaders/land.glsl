// land.glsl - light from a position on the ground towards the camera, without the effect of the air.
#include "craters.glsl"

vec3 level_color(int lod, float morphing)
{
    const vec3 shown[6] = vec3[](vec3(0.9, 0.2, 0.2), vec3(0.9, 0.6, 0.1), vec3(0.8, 0.8, 0.2), vec3(0.2, 0.8, 0.3),
                                 vec3(0.2, 0.6, 0.9), vec3(0.6, 0.3, 0.9));
    return mix(shown[lod % 6], shown[(lod + 1) % 6], morphing);
}

vec3 land_light(vec3 position)
{
    vec2 p, place = place_of(position.xz);
    int lod = lod_at(place), slot = slot_from(lod, place, p);
    if (slot < 0)
        return vec3(0.0);
    vec2 slopes = vec2(0.0), seen = vec2(0.0), edge = p;
    float morphing = morphing_at(lod, place), narrow = 0.0;
    vec3 cover = vec3(0.0);
    for (int n = 0, in_slot = slot; n < TURNS(2) && in_slot >= 0; n++) { // the tile, then its parent if ready
        vec2 level_slopes = slopes_in(lod + n, in_slot, p), level_seen = light_in(in_slot, p);
        float level_narrow = MAY_BE_BANK && frame_has_rivers != 0 ? narrow_river(lod + n, in_slot, p) : 0.0;
        vec3 level_cover = frame_has_rivers > 1 ? ground_cover(water_of_tile(in_slot), in_slot, p) : vec3(0.0);
        slopes = n == 0 ? level_slopes : mix(slopes, level_slopes, morphing);
        seen = n == 0 ? level_seen : mix(seen, level_seen, morphing);
        narrow = n == 0 ? level_narrow : mix(narrow, level_narrow, morphing);
        cover = n == 0 ? level_cover : mix(cover, level_cover, morphing);
        in_slot = n == 0 && morphing > 0.0 && lod < frame_coarsest_lod ? slot_at(lod + 1, place, p) : -1;
    }
    vec2 wide = slopes;
    if (frame_quality > 0) { // single stones do not change what the ground consists of
        int own = max(lod, frame_fine_lods), wider = min(own + 2, frame_coarsest_lod),
            own_slot = own > lod ? slot_at(own, place, p) : -1;
        if (own_slot >= 0)
            wide = slopes_in(own, own_slot, p);
        int at = slot_at(wider, place, p);
        if (at >= 0)
            wide = mix(wide, slopes_in(wider, at, p), 0.6);
    }
    float steep = 1.0 - inversesqrt(1.0 + dot(wide, wide));
    float distance = length(position), altitude = position.y + frame_camera.y + drop(position.xz);
    vec3 vertical = up_at(position), key = local_direction(frame_key, vertical),
         d = local_direction(position / distance, vertical);
    vec3 n = normalize(vec3(-slopes.x, 1.0, -slopes.y));
    float footprint = distance * frame_pixel_width / clamp(-dot(n, d), 0.35, 1.0);
    Climate c = climate_at(place);
    Ground g = ground_at(altitude - frame_sea_level, n, steep, seen.y, place + frame_pattern,
                         place + frame_broad_pattern, footprint,
                         vec2(planted_share(distance), planted_bushes(distance)), cover, c);
    if (frame_has_craters != 0)
        g.albedo = cratered(g.albedo, place, altitude);
    if (MAY_BE_BANK && frame_has_rivers != 0 && has_layer(LAYER_WATER)) {
        if (frame_quality > 0)
            add_marsh(lod, altitude, steep, place, footprint, c, g);
        add_river_banks(lod, slot, edge, altitude, place, footprint, narrow,
                        frozen_at(c, altitude - frame_sea_level), g);
    }
    slopes += g.bumps;
    n = normalize(vec3(-slopes.x, 1.0, -slopes.y));

    float lit = is_lit(key.y, seen.x);
    float through = shadow_of_plants(position);
    float below_clouds = light_below_clouds(position).y;
    vec3 unshadowed = key_light(position, altitude), direct = unshadowed * (lit * below_clouds * through);
    vec3 open_sky = sky_below_clouds(position, unshadowed),
         sky = open_sky * (seen.y * (0.6 + 0.4 * n.y)) * under_leaves(through);
    // The land around reflects light, more onto slopes and into hollows. About half of the land is lit, less under
    // clouds.
    vec3 around = g.albedo * (unshadowed * (0.6 * lit_around(below_clouds) * max(key.y, 0.0)) + open_sky) *
                  (0.5 - 0.4 * n.y + 0.6 * (1.0 - seen.y));
    vec3 light = g.albedo / PI * (direct * max(dot(n, key), 0.0) + sky + around);
    if (g.gloss > 0.0) {
        vec3 r = reflect(d, n);
        float fresnel = g.gloss * (0.02 + 0.98 * pow(clamp(1.0 + dot(n, d), 0.0, 1.0), 5.0));
        light = mix(light, sky_light(normalize(vec3(r.x, abs(r.y), r.z))), fresnel);
    }
    if (frame_debug_view == DEBUG_LOD)
        light = level_color(lod, morphing) * (0.3 + max(dot(n, key), 0.0)) * 2.0;
    else if (frame_debug_view == DEBUG_NORMALS)
        light = (n * 0.5 + 0.5) * 2.0;
    else if (frame_debug_view == DEBUG_TILES && any(lessThan(min(edge, float(QUADS) - edge), vec2(1.0))))
        light = vec3(2.0, 0.1, 0.1);
    return light;
}
