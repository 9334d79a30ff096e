/* cell_bounds.cuh - computes bounds of the pieces and reaches of a cell. With these bounds, most cells are skipped. */
#ifndef TERRANE_FLUVIAL_CUDA_CELL_BOUNDS_CUH
#define TERRANE_FLUVIAL_CUDA_CELL_BOUNDS_CUH

#include "library/fluvial/passes.h"

namespace
{

/** Bounds of a cell of ter_fluvial_job.piece_at. The box of a cell without pieces is empty. */
struct alignas(16) cell_bounds {
    float x0, y0, x1, y1; /* box around the lines of the pieces, units from the cell's corner */
    float foot;           /* m; lowest height of the lines */
    float slope, floor;   /* least slope of the sides, greatest half width of the floors */
    float lake;           /* m; highest level of the lakes, or TER_NO_LAKE */
    /* box in which the reaches can change samples, units from the cell's corner; only of cells with a brook */
    float bed_x0, bed_y0, bed_x1, bed_y1;
};

static_assert(sizeof(cell_bounds) == TER_PIECE_BOUNDS * sizeof(float), "floats of ter_fluvial_job.piece_bounds");

__device__ __forceinline__ cell_bounds no_bounds()
{
    return {1e30f, 1e30f, -1e30f, -1e30f, 1e30f, 0.0f, 0.0f, TER_NO_LAKE, 1e30f, 1e30f, -1e30f, -1e30f};
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

/** Load the bounds, except the box of the reaches. */
__device__ __forceinline__ cell_bounds load_bounds(const cell_bounds *b)
{
    const float4 box = __ldg((const float4 *)b), rest = __ldg((const float4 *)b + 1);
    return {box.x, box.y, box.z, box.w, rest.x, rest.y, rest.z, rest.w, 0.0f, 0.0f, 0.0f, 0.0f};
}

/** Lower bound of the sides of a cell's pieces at a point, metres. ter_valley_side is at least 0.7 times its profile
 * plus 0.02 times the distance. The profile is at least the distance less 1.04 times the half width that it is made
 * for, which is floor + 8.
 *
 *  square  squared distance from the point to the box, units
 *  above   TER_PROVINCE_ABOVE at the point
 */
__device__ __forceinline__ float lowest_side(const cell_bounds &b, float square, float above)
{
    const float rise = fmaxf(0.72f * sqrtf(square) - 0.73f * (b.floor + 8.0f), 0.0f);
    return b.foot + above * b.slope * rise * 0.9999f - 0.2f;
}

} // namespace

#endif
