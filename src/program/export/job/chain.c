/* chain.c - divides the sides of the finest level of detail, and names the files of each level. */
#include "program/export/job/chain.h"

/** How sides may be divided. */
typedef enum division {
    DIVIDE_EITHER, /* as DIVIDE_SPANS or as DIVIDE_CELLS, whichever leaves no remainder */
    DIVIDE_SPANS,  /* the first and the last sample stay: N + 1 samples become N/2 + 1 */
    DIVIDE_CELLS   /* each sample stands for a cell: N samples become N/2 */
} division;

/** Meshes, and tiles with an overlap, begin and end at the same points in all levels of detail. Tiles without an
 * overlap only begin at the same points. A single raster may do either. */
static division division_of(const export_job *job)
{
    if (job->tiles.is_set)
        return job->tiles.overlap ? DIVIDE_SPANS : DIVIDE_CELLS;
    return job->tile.format->is_mesh ? DIVIDE_SPANS : DIVIDE_EITHER;
}

/** Number of samples on a side of a level of detail whose samples are `stride` times as far apart; 0 if the side cannot
 * be divided so. */
static int64_t side_at(division division, int64_t side, int64_t stride)
{
    if (division != DIVIDE_CELLS && (side - 1) % stride == 0)
        return (side - 1) / stride + 1;
    return division != DIVIDE_SPANS && side % stride == 0 ? side / stride : 0;
}

/** Refuse a size if some level of detail would not cover the same land, and name the nearest sizes. */
static result check_size(const export_job *job, export_lods lods)
{
    static const char *const sides[] = {
        [DIVIDE_EITHER] = "k*N or k*N + 1", [DIVIDE_SPANS] = "k*N + 1", [DIVIDE_CELLS] = "k*N"};
    const division division = division_of(job);
    const int64_t stride = INT64_C(1) << (lods.coarsest - lods.finest), width = job->tile.width,
                  height = job->tile.height, more = division == DIVIDE_CELLS ? 0 : 1;
    if (side_at(division, width, stride) && side_at(division, height, stride))
        return result_done();
    const int64_t odd = side_at(division, width, stride) ? height : width,
                  least = (odd - more) / stride > 0 ? (odd - more) / stride * stride : stride;
    return result_of(
        RESULT_USAGE,
        "--size is %lldx%lld, expected sides of %s samples with N = %lld, as %lld or %lld, so that all levels "
        "of detail of --lod %d-%d cover the same land",
        (long long)width, (long long)height, sides[division], (long long)stride, (long long)(least + more),
        (long long)(least + stride + more), lods.finest, lods.coarsest);
}

static result check_pattern(const export_job *job, export_lods lods)
{
    if (!pattern_has_lod(job->path))
        return result_of(RESULT_USAGE,
                         "-o is '%s', expected {lod} in the name for several levels of detail, --lod %d-%d", job->path,
                         lods.finest, lods.coarsest);
    if (job->tiles.is_set && pattern_has_ambiguous_lod(job->path))
        return result_of(RESULT_USAGE,
                         "-o is '%s', expected something between {lod} and an index: their digits would run together",
                         job->path);
    return result_done();
}

result export_chain_check(const export_job *job, export_lods lods)
{
    if (lods.finest == lods.coarsest)
        return result_done();
    const result res = check_pattern(job, lods);
    return res.kind == RESULT_DONE ? check_size(job, lods) : res;
}

result export_chain_job(const export_job *job, export_lods lods, int lod, char path[EXPORT_PATH_MAX], export_job *level)
{
    const int64_t stride = INT64_C(1) << (lod - lods.finest);
    *level = *job;
    level->path = path;
    level->is_of_chain = lods.finest < lods.coarsest;
    level->tile.lod = lod;
    level->tile.width = side_at(division_of(job), job->tile.width, stride);
    level->tile.height = side_at(division_of(job), job->tile.height, stride);
    return pattern_set_lod(job->path, lod, path);
}
