/* lattice_end.h - where the lattice of a level ends. */
#ifndef TERRANE_PYTHON_LATTICE_END_H
#define TERRANE_PYTHON_LATTICE_END_H

#include <cstdint>

#include "parts.h"

/** The largest coordinate of a level's lattice; the smallest one is its negative. The level may be one that the library
 * refuses later. */
inline int64_t lattice_end(int levels, int level)
{
    const int shift = levels + TER_FINE_LODS - level;
    return shift < 0 ? TER_COORDINATE_MAX << TER_FINE_LODS : TER_COORDINATE_MAX << TER_FINE_LODS >> shift;
}

#endif
