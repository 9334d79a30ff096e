/* terrane/terrane.h - endless terrain: the public interface of the library `terrane`. It includes all other headers.
 *
 * A world is a pure function (parameters, level, i, j) -> height and other layers. A generator evaluates it over
 * rectangles, batches of tiles and single points, on the CPU or on a CUDA device, always with the same bits.
 *
 *     ter_params -> ter_world -> ter_generator -> ter_fill: samples in host memory, device memory, an OpenGL buffer
 *                                      |
 *                                      +-- ter_fetch   rectangles, copied to host memory in the background
 *                                      +-- ter_probe   heights at a few places, answered later
 *                                      +-- ter_morph   one landscape becomes another
 *
 * The library never prints, exits, opens windows or writes files. It keeps no state outside the objects that it hands
 * out, except for one sentence per thread (ter_error_detail).
 *
 * Coordinates
 *     The lattice is the grid of points of level `levels`. A lattice step is the distance of two neighbours: 1 m in the
 *     default world, ter_params.spacing metres in general. Level k, 0 to levels + TER_FINE_LODS, has points at integers
 *     (i, j), which are 2^(levels - k) lattice steps apart:
 *
 *         x = i * 2^(levels - k)   lattice steps, grows to the east
 *         z = j * 2^(levels - k)   lattice steps, grows to the south
 *
 *     Heights are metres and grow upwards. Coordinates are valid up to TER_COORDINATE_MAX in each direction.
 *
 * The following holds for every function unless its own text says otherwise.
 *
 * Errors
 *     A function that can fail returns a ter_status. Results are written to out-parameters. When a call fails, the
 *     out-parameters are unchanged, and the contents of arrays that it fills are unspecified. ter_error_detail has the
 *     reason as a sentence.
 * NULL
 *     A pointer must not be NULL. Functions that return a ter_status answer TER_EINVAL and name the argument. Other
 *     functions do not check. Arrays of 0 elements may be NULL.
 * Structures that can grow
 *     A structure that begins with struct_size may get more members at its end in a later version. The caller sets
 *     struct_size to the size that the caller's header defines, as TER_SIZED does:
 *
 *         ter_generator_options options = {TER_SIZED(ter_generator_options), .threads = 4};
 *
 *     Members that the caller's header does not have get their defaults: 0 means the default. So a caller that was
 *     compiled with an older header keeps working. If the caller's header is newer than the library, members that the
 *     library does not have must be 0, else the call fails with TER_EINVAL. Structures without struct_size (ter_rect,
 *     ter_tile, ter_output, ter_probe_point) never change.
 * Memory
 *     An object that a `create` function makes belongs to the caller, who frees it with the matching `destroy`.
 *     Arguments are read during the call and not kept, with two exceptions. A world must live until all calls that use
 *     it have ended. A generator must outlive the fetches, probes, morphs, GL buffers and host memory made from it.
 * Threads
 *     Any thread may call any function. Objects are not locked: make one call at a time for a generator and all objects
 *     made from it. Different generators may be used at the same time. A world never changes and may be shared.
 * fork
 *     Threads do not survive fork: a child process must create its own generators. CUDA's driver does not survive fork
 *     either: the child of a process that has used CUDA can use only the CPU.
 */
#ifndef TERRANE_TERRANE_H
#define TERRANE_TERRANE_H

#include "terrane/craters.h"
#include "terrane/cuda.h"
#include "terrane/fetch.h"
#include "terrane/generator.h"
#include "terrane/guide.h"
#include "terrane/layers.h"
#include "terrane/morph.h"
#include "terrane/opengl.h"
#include "terrane/probe.h"
#include "terrane/reaches.h"
#include "terrane/status.h"
#include "terrane/world.h"

#endif
