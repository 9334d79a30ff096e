// ground_rules.glsl - the rules that decide what the ground is made of. It is compiled as GLSL for the viewer, in
// ground.glsl, and as C for splat maps, in src/program/surface/ground_cover.c. Each includer defines the macros.
//
//   GROUND_SUM(name, sum)            a quantity, clamped to 0..1
//   GROUND_RULE(name, from, to, of)  a share: 0 if `of` is at most `from`, 1 if `of` is at least `to`, smooth between
//   GROUND_SHARE(name, share)        a share or another quantity that is not clamped
//   GROUND_COVER(color, share)       a material, and the share of the ground that it covers; it hides earlier materials
//   GROUND_PLAIN_COVER(color, share) the same for the plain look, which has few colours
//
// Arguments:
//   s  the site: over_sea, metres; steep, steepness of the surroundings, and wall, steepness of the site, 0..1;
//      hollow, wetness and patches, 0..1; footprint, metres
//   g  the noise at the site: region, broad, medium, detail
//   c  the climate: tree_line and snow_line, metres over the sea; aridity and strata, 0..1

// ---- plants ----
GROUND_RULE(ground_clearings, 0.34, 0.52, g.medium + 0.15 * g.detail)
GROUND_SUM(ground_wetness, 0.55 + 0.32 * g.region + 0.25 * s.hollow - c.aridity)
GROUND_SUM(ground_patches, 0.5 + 0.45 * g.broad + 0.3 * g.medium + 0.25 * g.detail)
GROUND_RULE(ground_grass, 0.02, 0.55, s.wetness + 0.40 * (s.patches - 0.5))
GROUND_RULE(ground_bare_soil, 0.55, 0.95, c.aridity + 0.35 * (s.patches - 0.5) - 0.3 * s.hollow)
GROUND_RULE(ground_soil_patches, 0.62, 0.9, s.patches)
GROUND_SHARE(ground_soil, max(ground_bare_soil(s, g, c), 0.35 * ground_soil_patches(s, g, c)))
GROUND_RULE(ground_trees_grow, 0.37, 0.59, s.wetness * 0.78 + 0.25 * (0.5 + g.broad * 0.45 + 0.4 * g.medium) +
            0.05 * g.detail)
GROUND_RULE(ground_over_trees, c.tree_line - 260.0, c.tree_line, s.over_sea + 220.0 * g.medium + 160.0 * g.broad)
GROUND_RULE(ground_too_steep_for_trees, 0.18, 0.32, s.steep + 0.10 * g.medium)
GROUND_RULE(ground_over_shore, 1.5, 6.0, s.over_sea + 2.0 * g.medium)
GROUND_SHARE(ground_forest, ground_trees_grow(s, g, c) * (1.0 - ground_over_trees(s, g, c)) *
             (1.0 - ground_too_steep_for_trees(s, g, c)) * ground_over_shore(s, g, c))
GROUND_RULE(ground_alpine_height, c.tree_line - 250.0, c.tree_line + 250.0, s.over_sea + 260.0 * (s.patches - 0.5))
GROUND_SHARE(ground_alpine, ground_alpine_height(s, g, c) * (1.0 - ground_bare_soil(s, g, c)))

// ---- rock ----
GROUND_RULE(ground_scree_slope, 0.12, 0.18, s.steep + 0.10 * g.medium + 0.06 * g.detail)
GROUND_RULE(ground_scree_height, c.tree_line - 300.0, c.tree_line + 500.0, s.over_sea + 300.0 * g.broad)
GROUND_SHARE(ground_scree, ground_scree_slope(s, g, c) * ground_scree_height(s, g, c))
GROUND_RULE(ground_rock, 0.19, 0.27, s.steep + 0.18 * g.medium + 0.08 * g.detail +
            0.00005 * max(s.over_sea - c.tree_line, 0.0) + 0.10 * c.strata)

// ---- snow lies in hollows and not on walls ----
GROUND_RULE(ground_slopes, 0.02, 0.1, s.steep)
GROUND_SHARE(ground_cold, s.over_sea + 220.0 * g.broad + 90.0 * g.medium + 30.0 * g.detail +
             300.0 * s.hollow * ground_slopes(s, g, c) - c.snow_line)
GROUND_RULE(ground_snow_falls, -150.0, 250.0, ground_cold(s, g, c))
GROUND_RULE(ground_snow_slides, 0.30, 0.46, mix(s.steep, s.wall, 0.35) + 0.05 * g.detail + 0.04 * g.medium -
            0.00010 * max(ground_cold(s, g, c), 0.0))
GROUND_SHARE(ground_snow, ground_snow_falls(s, g, c) * (1.0 - ground_snow_slides(s, g, c)))

// ---- shores ----
// Sand lies along some stretches of a coast, as high as waves throw it and some 80 m wide. Along other stretches plants
// reach down to the water. Steep coasts have rock, which waves keep bare.
GROUND_RULE(ground_sandy, -0.15, 0.20, g.broad + 0.25 * g.medium)
GROUND_SHARE(ground_beach_top, 0.2 + ground_sandy(s, g, c) * min(2.4, 110.0 * sqrt(s.steep)))
GROUND_RULE(ground_over_beach, 0.6, 1.4, (s.over_sea + 0.2 * g.detail) / ground_beach_top(s, g, c) + 0.5 * g.medium)
GROUND_RULE(ground_too_steep_for_sand, 0.012, 0.05, s.steep)
GROUND_RULE(ground_far_away, 15.0, 90.0, s.footprint)
GROUND_SHARE(ground_beach, (1.0 - ground_over_beach(s, g, c)) * (1.0 - ground_too_steep_for_sand(s, g, c)) *
             (1.0 - ground_far_away(s, g, c)))
GROUND_RULE(ground_over_surf, 0.8, 2.6, s.over_sea + 1.2 * g.medium + 0.6 * g.detail)
GROUND_SHARE(ground_shore_rock, (1.0 - ground_over_surf(s, g, c)) * ground_too_steep_for_sand(s, g, c) *
             (1.0 - ground_far_away(s, g, c)))
GROUND_RULE(ground_over_bed, -6.0, -0.5, s.over_sea)
GROUND_SHARE(ground_bed, 1.0 - ground_over_bed(s, g, c))

// ---- trees: the chance that a cell of the grid of trees has a tree ----
GROUND_RULE(ground_groves, 0.48, 0.85, s.patches + 0.40 * g.medium)
GROUND_SHARE(ground_single_trees, (0.003 + 0.18 * ground_groves(s, g, c) * ground_groves(s, g, c)) *
             (0.2 + 0.8 * ground_grass(s, g, c)) * (1.0 - 0.85 * c.aridity))
GROUND_SHARE(ground_place_for_trees, (1.0 - ground_over_trees(s, g, c)) * (1.0 - ground_too_steep_for_trees(s, g, c)) *
             ground_over_shore(s, g, c) * (1.0 - ground_snow_falls(s, g, c)) * (1.0 - 0.7 * ground_rock(s, g, c)))
GROUND_RULE(ground_poor_place, 0.0, 0.9, ground_over_trees(s, g, c))
GROUND_SHARE(ground_stunted, 0.72 * ground_poor_place(s, g, c))
GROUND_RULE(ground_closed_forest, 0.15, 0.75, ground_trees_grow(s, g, c))
GROUND_RULE(ground_riverside, -0.1, 0.4, g.medium)
GROUND_SHARE(ground_river_trees, (0.15 + 0.5 * ground_riverside(s, g, c)) * ground_place_for_trees(s, g, c) *
             (1.0 - c.aridity))
GROUND_SHARE(ground_trees, max(0.93 * ground_closed_forest(s, g, c) * (1.0 - 0.85 * ground_clearings(s, g, c)),
                               ground_single_trees(s, g, c)) * ground_place_for_trees(s, g, c))

// ---- the plain look ----
GROUND_RULE(ground_plain_rock, 650.0, 1000.0, s.over_sea)
GROUND_RULE(ground_plain_snow, 1500.0, 1800.0, s.over_sea)
GROUND_RULE(ground_plain_dry, 4.0, 30.0, s.over_sea)

// ---- covers, from the lowest to the uppermost; below all of them is dry grass ----
GROUND_COVER(GRASS, ground_grass(s, g, c))
GROUND_COVER(SOIL, ground_soil(s, g, c))
GROUND_COVER(FOREST, ground_forest(s, g, c))
GROUND_COVER(ALPINE, ground_alpine(s, g, c))
GROUND_COVER(SOIL, 0.8 * ground_scree(s, g, c))
GROUND_COVER(ROCK, ground_rock(s, g, c))
GROUND_COVER(SNOW, ground_snow(s, g, c))
GROUND_COVER(ROCK_DARK, ground_shore_rock(s, g, c))
GROUND_COVER(SAND, ground_beach(s, g, c))
GROUND_COVER(BED, ground_bed(s, g, c))
GROUND_PLAIN_COVER(ROCK, ground_plain_rock(s, g, c))
GROUND_PLAIN_COVER(SNOW, ground_plain_snow(s, g, c))
GROUND_PLAIN_COVER(SAND, 1.0 - ground_plain_dry(s, g, c))
