/* craters.h - adds craters to a batch of tiles. */
#ifndef TERRANE_FRACTAL_CPU_CRATERS_H
#define TERRANE_FRACTAL_CPU_CRATERS_H

#include "library/fractal/cpu/tile_batch.h"

/** Add the craters of a world that has some to tiles that have heights without craters. */
ter_status ter_cpu_craters(ter_cpu_state *cpu, const ter_cpu_batch *batch);

#endif
