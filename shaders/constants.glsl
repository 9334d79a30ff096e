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

// Plants; src/program/render/forest.c, plant_mesh.h and plant_atlas.c.
#define PLANT_VERTEX_FLOATS 10
#define PLANT_MESH_RANGE_M 130 // no mesh of a tree is drawn farther away
#define IMPOSTOR_VIEWS_A_SIDE 8
#define PLANT_SHADOW_NEAR_M 140.0   // half the side of the square of ground that the near shadow map covers
#define PLANT_SHADOW_FAR_M 1000.0   // the same for the far shadow map
#define PLANT_SHADOW_DEPTH_M 5000.0 // range of the depths 0..1 of a shadow map
#define TREE_HOLLOW_MAX 0.35        // deeper hollows count as this deep for trees; src/program/surface/ground_cover.c

// Lists for the plants that have impostors: spruce, pine, oak, birch, shrub, dry bush. A plant is LEAST_M to
// LEAST_M + MORE_M high. Noise multiplies the height of a tree by TREE_GROWTH_LEAST to
// TREE_GROWTH_LEAST + TREE_GROWTH_MORE. A crown is an ellipsoid of leaves. Its sizes, and the height of its middle over
// the plant's middle, are in heights of the plant. Impostors treat the crown as a sphere (CROWN_RADII) whose radius is
// about the mean of half its width and half its height. Spruces have no crown.
// src/program/render/plant_mesh.c, src/program/surface/canopy.c.
#define PLANT_HEIGHTS_LEAST_M 13.0, 11.0, 9.0, 9.0, 1.2, 1.6
#define PLANT_HEIGHTS_MORE_M 16.0, 10.0, 10.0, 9.0, 1.6, 2.2
#define TREE_GROWTH_LEAST 0.88
#define TREE_GROWTH_MORE 0.24
#define CROWN_MIDDLES 0.0, 0.26, 0.14, 0.14, -0.04, 0.08
#define CROWN_HALF_WIDTHS 0.0, 0.25, 0.36, 0.21, 0.58, 0.52
#define CROWN_HALF_HEIGHTS 0.0, 0.26, 0.36, 0.37, 0.52, 0.42
#define CROWN_RADII 0.0, 0.26, 0.36, 0.29, 0.55, 0.47

// Staging buffer of tiles; src/program/render/river_cover.h.
#define STAGING_TILES 256 // tiles in the buffer
#define STAGING_HEIGHT 0  // layers of the buffer, each of STAGING_TILES tiles
#define STAGING_WATER 1
#define STAGING_FLOW 2
#define STAGING_SHORE 3
#define STAGING_GLACIER 4 // only in worlds with glaciers
#define STAGING_DRYNESS 5 // only in worlds with drought
#define STAGING_LAYERS 6
#define STAGING_HAS_GLACIERS 1u // of a tile: which of these layers it has
#define STAGING_HAS_DROUGHT 2u
#define COVER_RIVER 199 // bytes of the cover: 0 to this number are the share of a narrow river, the others are ice
#define COVER_ICE_M 20.0 // thickness of a glacier whose byte is 255, m; more counts as this

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

#endif
