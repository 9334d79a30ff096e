// constants.glsl - the numbers that shaders and C share: it is included as GLSL by the shaders and as C by the headers
// and sources that are named below. Lengths are metres.
#ifndef CONSTANTS_GLSL
#define CONSTANTS_GLSL

// Tiles and the page table; src/program/stream/tile.h and quadtree.h explain them.
#define TILE_BITS 7
#define TILE_QUADS (1 << TILE_BITS)
#define TILE_APRON 4
#define TILE_SAMPLES (TILE_QUADS + 2 * TILE_APRON)
#define TILE_LODS 29
#define QUADTREE_PARTS_MAX 3
#define QUADTREE_PAGES 32
#define QUADTREE_SLOT_BITS 24
#define QUADTREE_HIDDEN_MAX 127.0
#define LIGHT_ATLAS_SIDE 8 // tiles per side of a layer of the light atlas; src/program/render/tile_store.c

// Periods of noise, so long that no repetition is visible; src/program/render/view.h,
// src/program/surface/ground_cover.c.
#define NOISE_PATTERN_M 65536.0
#define NOISE_BROAD_PATTERN_M 4194304.0

// Hash of a uint x: x = PCG_ADVANCE(x), x = PCG_MIX(x), PCG_FOLD(x). Source: pcg, Jarzynski and Olano 2020.
#define PCG_ADVANCE(x) ((x) * 747796405u + 2891336453u)
#define PCG_MIX(x) ((((x) >> (((x) >> 28u) + 4u)) ^ (x)) * 277803737u)
#define PCG_FOLD(x) (((x) >> 22u) ^ (x))

// Plants; src/program/render/forest.c, plant_kinds.h, plant_table.c and plant_atlas.c.
#define PLANT_VERTEX_FLOATS 10
#define PLANT_AGES 5          // a kind has a mesh for each age
#define PLANT_FULL_AGE 3      // the age whose pictures are the kind's impostors
#define PLANT_AGE_HEIGHTS 0.22, 0.45, 0.72, 0.92, 1.0 // height at each age, relative to a plant of the last age
#define PLANT_AGE_WIDTHS 0.88, 0.80, 0.88, 1.0, 1.14  // width of the crown, relative to its height and to the full age
#define PLANT_KINDS_MAX 59     // the four kinds of bark and "no plant" follow: 6 bits, see pack_plant
#define PLANT_MESH_RANGE_M 130 // no mesh of a tree is drawn farther away
#define BUSH_MESH_RANGE_M 55   // no mesh of a bush is drawn farther away
#define IMPOSTOR_VIEWS_A_SIDE 8
#define PLANT_SHADOW_NEAR_M 140.0   // half the side of the square of ground that the near shadow map covers
#define PLANT_SHADOW_FAR_M 1000.0   // the same for the far shadow map
#define PLANT_SHADOW_DEPTH_M 5000.0 // range of the depths 0..1 of a shadow map
#define TREE_HOLLOW_MAX 0.35        // deeper hollows count as this deep for trees; src/program/surface/ground_cover.c

// A list of meshes holds plants whose meshes need the same number of work groups of 64 triangles: 1, 2, 4, 6 ...
#define PLANT_LIST_GROUPS 1, 2, 4, 6, 8, 12, 16, 20
#define PLANT_MESH_LISTS 8

// Noise multiplies the height of a tree by TREE_GROWTH_LEAST to TREE_GROWTH_LEAST + TREE_GROWTH_MORE.
// TREE_USUAL_MAX_M: height of the highest trees, except single giants; src/program/surface/canopy.c.
#define TREE_GROWTH_LEAST 0.88
#define TREE_GROWTH_MORE 0.24
#define TREE_USUAL_MAX_M 29.0

// Sites for which the mean colour of woods is computed: heats -1 to 1 and moistures 0 to 1;
// src/program/render/plant_table.h.
#define CANOPY_HEATS 16
#define CANOPY_MOISTS 8

// Staging buffer of tiles; src/program/render/river_cover.h.
#define STAGING_TILES 256 // tiles in the buffer
#define STAGING_HEIGHT 0  // layers of the buffer, each of STAGING_TILES tiles
#define STAGING_WATER 1
#define STAGING_FLOW 2
#define STAGING_SHORE 3
#define STAGING_GLACIER 4 // only in worlds with glaciers
#define STAGING_DRYNESS 5 // only in worlds with drought
#define STAGING_SAND 6    // only in worlds with sand
#define STAGING_LAYERS 7
#define STAGING_HAS_GLACIERS 1u // of a tile: which of these layers it has
#define STAGING_HAS_DROUGHT 2u
#define STAGING_HAS_SAND 4u
#define COVER_RIVER 99      // bytes of the cover: 0 to this number are the share of a narrow river,
#define COVER_BED 199       // from there to this number the share of a dry bed,
#define COVER_ICE 239       // from there to this number ice,
#define COVER_SAND 255      // and from there to this number the sand of dunes
#define COVER_HAS_WATER 1u  // bits of the word of a slot: its tile has water,
#define COVER_HAS_GROUND 2u // and dry beds, ice or sand
#define COVER_ICE_M 20.0    // thickness of a glacier whose byte is COVER_ICE, m; more counts as this
#define COVER_SAND_M 2.0    // the same for sand

// Waves; src/program/render/frame_block.c, ocean_spectrum.c and ocean_spectrum.h.
#define WAVES_PERIOD_S 4096    // all waves repeat after this time; a power of two
#define WAVE_CASCADES_MAX 4
#define WAVE_LEVELS 12         // mipmap levels for which sea_block.glsl has the lost slopes, a multiple of 4
#define WIND_EAST 0.8944271910 // direction of the wind, (2, 1), as a unit vector
#define WIND_SOUTH 0.4472135955

// Shading on the CPU; src/program/render/shade_pass.c.
#define BLOCK_COUNTS 8 // integers before the lists of blocks

// Tables of the atmosphere, texels; src/program/render/air.c.
#define AIR_TRANSMITTANCE_WIDTH 256
#define AIR_TRANSMITTANCE_HEIGHT 64
#define AIR_MULTIPLE_SIDE 32
#define SKIES 16 // irradiances of the sky; src/program/render/renderer.c

// Weather; src/program/render/frame_block.c and weather.c.
#define WEATHER_CELL_M 1048576.0 // side of a cell of the coarsest noise
#define WEATHER_MAP_LEVELS 5

// Points of the climate on each side of the square around the camera; src/program/render/view.h.
#define CLIMATE_MAP_SIDE 16

// Rays of craters; src/program/render/view.h and src/program/viewer/flight/crater_rays.c.
#define CRATER_RAYS_MAX 24    // craters with rays in a frame
#define CRATER_RAY_RADII 14.0 // no ray is longer, in radii of its crater

#endif
