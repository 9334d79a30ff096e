// plant_lists.glsl - lists of the plants placed by scatter.comp: lists of meshes by their size, a list of impostors, a
// list for each shadow map.
const int LIST_IMPOSTORS = PLANT_MESH_LISTS, LIST_SHADOWS = LIST_IMPOSTORS + 1;

struct List { uint first, count, groups, padding; }; // range of plants; work groups that draw each plant's mesh
layout(std430, binding = 6) buffer Lists { List lists[]; };
layout(std430, binding = 7) buffer Plants { Plant scattered[]; };
