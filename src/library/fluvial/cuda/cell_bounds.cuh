/* cell_bounds.cuh - bounds of the pieces of a cell, by which most cells are passed over. */
#ifndef TERRANE_FLUVIAL_CUDA_CELL_BOUNDS_CUH
#define TERRANE_FLUVIAL_CUDA_CELL_BOUNDS_CUH

#include "library/fluvial/passes.h"

namespace
{

/** Of a cell of ter_fluvial_job.piece_at. A cell without pieces has a box without points. */
struct alignas(16) cell_bounds {
    float x0, y0, x1, y1; /* box of their lines, units from the cell's corner */
    float foot;           /* m; the lowest point of them */
    float slope, floor;   /* the least slope of their sides, the widest floor */
    float lake;           /* m; the highest level of their lakes, or TER_NO_LAKE */
};

static_assert(sizeof(cell_bounds) == TER_PIECE_BOUNDS * sizeof(float), "numbers of ter_fluvial_job.piece_bounds");

__device__ __forceinline__ cell_bounds no_bounds()
{
    return {1e30f, 1e30f, -1e30f, -1e30f, 1e30f, 0.0f, 0.0f, TER_NO_LAKE};
}

__device__ __forceinline__ cell_bounds bounds_of(const ter_piece pieces[TER_PIECES])
{
    cell_bounds b = no_bounds();
    b.slope = 1e30f;
    for (int i = 0; i < TER_PIECES; i++) {
        const ter_piece &p = pieces[i];
        b.x0 = fminf(b.x0, fminf(p.x, p.x + p.along_x));
        b.y0 = fminf(b.y0, fminf(p.y, p.y + p.along_y));
        b.x1 = fmaxf(b.x1, fmaxf(p.x, p.x + p.along_x));
        b.y1 = fmaxf(b.y1, fmaxf(p.y, p.y + p.along_y));
        b.foot = fminf(b.foot, fminf(p.z, p.z + p.dz));
        b.slope = fminf(b.slope, fminf(p.slope, p.slope + p.dslope));
        b.floor = fmaxf(b.floor, fmaxf(p.floor, p.floor + p.dfloor));
        b.lake = fmaxf(b.lake, p.lake);
    }
    return b;
}

__device__ __forceinline__ cell_bounds load_bounds(const cell_bounds *b)
{
    const float4 box = __ldg((const float4 *)b), rest = __ldg((const float4 *)b + 1);
    return {box.x, box.y, box.z, box.w, rest.x, rest.y, rest.z, rest.w};
}

/** No side of a cell's pieces is lower at a point. ter_valley_side is at least .7 of its profile and .02 of the
 * distance, and the profile is at least the distance less 1.04 of the half width that it is made for: floor + 8.
 *
 *  square  of the least distance of their box from the point
 *  above   share of a rise above the level of a plateau there
 */
__device__ __forceinline__ float lowest_side(const cell_bounds &b, float square, float above)
{
    const float rise = fmaxf(0.72f * sqrtf(square) - 0.73f * (b.floor + 8.0f), 0.0f);
    return b.foot + above * b.slope * rise * 0.9999f - 0.2f;
}

} // namespace

#endif
