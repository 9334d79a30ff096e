// plant_lists.glsl - what scatter.comp has placed: a list for the mesh of each kind, of plants far away, and of those in each shadow map.
const int LIST_IMPOSTORS = 9, LIST_SHADOWS = 10;

struct List { uint first, count, first_index, n_indices; }; // of plants; of the mesh of a kind
layout(std430, binding = 6) buffer Lists { List lists[]; };
layout(std430, binding = 7) buffer Plants { Plant scattered[]; };
