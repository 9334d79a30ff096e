// plant_kinds.glsl - the kinds of plants and stones, and the materials of their triangles. It is included as GLSL in
// plants.glsl and as C in src/program/render/plant_mesh.h. Each includer defines the macros.
//
//   PLANT_KIND(name, number)      a kind; kinds before BOULDER have impostors, too
//   PLANT_MATERIAL(name, number)  a material; materials before MATERIAL_BARK are pictures of leaves
PLANT_KIND(SPRUCE, 0)
PLANT_KIND(PINE, 1)
PLANT_KIND(OAK, 2)
PLANT_KIND(BIRCH, 3)
PLANT_KIND(SHRUB, 4)
PLANT_KIND(DRY_BUSH, 5)
PLANT_KIND(BOULDER, 6)
PLANT_KIND(STONE, 7)
PLANT_KIND(TUFT, 8)
PLANT_MATERIAL(MATERIAL_NEEDLES, 0)
PLANT_MATERIAL(MATERIAL_LEAVES, 1)
PLANT_MATERIAL(MATERIAL_SMALL_LEAVES, 2)
PLANT_MATERIAL(MATERIAL_BLADES, 3)
PLANT_MATERIAL(MATERIAL_BARK, 4)
PLANT_MATERIAL(MATERIAL_PALE_BARK, 5)
PLANT_MATERIAL(MATERIAL_ROCK, 6)
