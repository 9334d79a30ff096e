// view_layers.glsl - the parts of a picture that can be switched off, and the views for debugging. It is included as
// GLSL in frame.glsl and as C in src/program/render/view.h. Each includer defines the macros.
//
//   VIEW_LAYER(name, bit)     a part; bit: its place in frame_layers
//   VIEW_DEBUG(name, number)  a view for debugging
VIEW_LAYER(LAYER_TERRAIN, 0)
VIEW_LAYER(LAYER_WATER, 1)
VIEW_LAYER(LAYER_SKY, 2)
VIEW_LAYER(LAYER_CLOUDS, 3)
VIEW_LAYER(LAYER_SHADOWS, 4)
VIEW_LAYER(LAYER_HUD, 5)
VIEW_LAYER(LAYER_TREES, 6)
VIEW_DEBUG(DEBUG_OFF, 0)
VIEW_DEBUG(DEBUG_LOD, 1)
VIEW_DEBUG(DEBUG_NORMALS, 2)
VIEW_DEBUG(DEBUG_TILES, 3)
VIEW_DEBUG(DEBUG_WIRE, 4)
