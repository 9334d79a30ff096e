// glacier.glsl - the ice of a glacier where no snow covers it: grey blue, with dust in bands, stones near its edges, and
// open cracks where it is steep.

void add_glacier(Site s, Grain g, inout Ground ground)
{
    float ice = s.cover.x, share = smoothstep(0.0, 0.12, ice);
    if (share <= 0.0)
        return;
    float dust = clamp(0.45 + 1.2 * g.spots.y + 0.8 * g.spots.z + 0.5 * g.medium, 0.0, 1.0),
          stones = (1.0 - smoothstep(0.15, 0.75, ice + 0.25 * g.medium)) * (0.75 + 0.25 * g.detail),
          cracks = smoothstep(0.04, 0.16, s.steep) * smoothstep(0.25, 0.5, abs(g.crowns));
    vec3 albedo = mix(vec3(0.42, 0.49, 0.54), vec3(0.27, 0.29, 0.30), dust);
    albedo = mix(albedo, vec3(0.16, 0.30, 0.40), 0.6 * cracks);
    albedo = mix(albedo, color(COLOR_ROCK) * (0.8 + 0.3 * g.detail), 0.85 * stones);
    ground.albedo = mix(ground.albedo, albedo, share);
    ground.bumps = mix(ground.bumps, 0.12 * g.rough + 0.05 * g.fine, share);
    ground.gloss = mix(ground.gloss, 0.08 * (1.0 - stones), share);
}
