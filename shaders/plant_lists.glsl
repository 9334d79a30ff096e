// plant_lists.glsl - lists of the plants placed by scatter.comp: a list of meshes for each kind, a list of impostors,
// and a list for each shadow map.
const int LIST_IMPOSTORS = KINDS, LIST_SHADOWS = LIST_IMPOSTORS + 1;

struct List { uint first, count, first_index, n_indices; }; // range of plants; range of indices of the kind's mesh
layout(std430, binding = 6) buffer Lists { List lists[]; };
layout(std430, binding = 7) buffer Plants { Plant scattered[]; };
