/* start.h - where commands begin unless they are told another place. */
#ifndef TER_WORLD_START_H
#define TER_WORLD_START_H

/** Lattice coordinates on land of the default world: the 4096 x 4096 samples to the south-east of it are between 14 and 219 m over
 *  the sea. Both are multiples of 1024, so that they are samples of the coarser levels of detail too. */
enum { START_X = 1909760, START_Z = 2522112 };

#endif
