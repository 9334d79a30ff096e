// plant_choice.glsl - chooses the kind and the age of a plant at a site. Each kind has a niche, see
// src/program/render/plant_table.h. Kinds that could grow at the same site form stands, in which one of them is common.

// What decides which plants grow at a site.
struct Stand {
    vec2 heat_and_moist; // -1..1, 0..1, see heat_for_trees
    float water;         // 1 beside water, 0 elsewhere
    float open;          // 0 in a closed wood, 1 in the open
    vec3 patches;        // noise of different widths, about -1..1. The narrowest are 50 m wide: narrower ones would
                         // change with the rounding of positions, and a tree must not depend on the camera
};

Stand stand_at(Site s, Grain g, Climate c, float water, float open)
{
    return Stand(vec2(clamp(heat_for_trees(s, g, c), -1.0, 1.0), s.wetness), water, open,
                 vec3(1.6 * g.broad, 2.2 * g.spots.z, 2.2 * g.spots.y));
}

// How often a kind grows in a stand, relative to other kinds.
float frequency(int kind, Stand s)
{
    vec4 niche = plant_kinds[kind].niche, habit = plant_kinds[kind].habit;
    vec2 away = (s.heat_and_moist - niche.xz) * niche.yw, part = max(1.0 - away * away, 0.0);
    float share = habit.x * part.x * part.x * part.y * part.y;
    share *= mix(1.0, 4.0 * s.water, habit.y) * mix(1.0, mix(0.4, 2.5, s.open), habit.z);
    vec3 liked = cos(float(kind) * vec3(1.71, 2.93, 4.37) + vec3(0.0, 1.0, 2.0));
    return share * exp2(2.2 * dot(liked, s.patches));
}

// A kind of the range from `first` to below `end`; -1: none of them grows there. random: 0..1
int choose_kind(int first, int end, Stand s, float random)
{
    float all = 0.0;
    for (int kind = first; kind < end; kind++)
        all += frequency(kind, s);
    float left = random * all;
    for (int kind = first; kind < end && all > 1.0e-6; kind++) {
        left -= frequency(kind, s);
        if (left < 0.0)
            return kind;
    }
    return -1;
}

// The dead tree that stands where a tree of a kind has died.
int dead_kind(int kind)
{
    return plant_kinds[kind].look.x == float(LEAVES_NEEDLES) || kind == LARCH ? DEAD_CONIFER : DEAD_TREE;
}

// Age of a tree. Trees of a stand have about the same age. random: 0..1
int tree_age(Grain g, float random)
{
    float grown = 0.76 + 0.5 * g.spots.z + 0.45 * g.spots.y + 0.75 * (random - 0.5);
    return clamp(int(grown * float(AGES)), 0, AGES - 1);
}

// Share of trees that are dead: storms and beetles leave patches of them.
float dead_share(Grain g)
{
    return 0.012 + 0.45 * smoothstep(0.30, 0.52, g.spots.z - 0.7 * g.spots.y);
}

// Height of a full-grown plant of a kind, m. random: 0..1
float full_height(int kind, float random)
{
    return plant_kinds[kind].size.x + plant_kinds[kind].size.y * random;
}
