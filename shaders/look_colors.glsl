// look_colors.glsl - the colours of a look, in order. It is included as GLSL in ground.glsl and as C in
// src/program/surface/look.h. Each includer defines the macro.
//
//   LOOK_COLOR(constant, name, number)  constant: name in GLSL; LOOK_name: name in C
LOOK_COLOR(COLOR_GRASS, GRASS, 0)
LOOK_COLOR(COLOR_DRY, DRY, 1)
LOOK_COLOR(COLOR_FOREST, FOREST, 2)
LOOK_COLOR(COLOR_ALPINE, ALPINE, 3)
LOOK_COLOR(COLOR_SOIL, SOIL, 4)
LOOK_COLOR(COLOR_ROCK, ROCK, 5)
LOOK_COLOR(COLOR_ROCK_DARK, ROCK_DARK, 6)
LOOK_COLOR(COLOR_SAND, SAND, 7)
LOOK_COLOR(COLOR_SNOW, SNOW, 8)
LOOK_COLOR(COLOR_BED, BED, 9)
