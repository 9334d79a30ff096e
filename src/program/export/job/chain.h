/* chain.h - a chain of levels of detail: jobs of the same land with samples 1, 2, 4, ... times as far apart.
 *
 * The job of a level of detail is the same as for an export of only this level. */
#ifndef TERRANE_PROGRAM_EXPORT_JOB_CHAIN_H
#define TERRANE_PROGRAM_EXPORT_JOB_CHAIN_H

#include "program/export/job/job.h"

/** The levels of detail of a chain, from the finest to the coarsest, which may be the same level. */
typedef struct export_lods {
    int finest, coarsest;
} export_lods;

/** Check what a chain needs of a job: {lod} in its path, and numbers of samples on its sides that can be divided for
 * all levels of detail.
 *
 *  job     the job of the finest level of detail; its path may have {lod}
 *  Errors  RESULT_USAGE
 */
result export_chain_check(const export_job *job, export_lods lods);

/** Make the job of one level of detail of a chain that export_chain_check has passed.
 *
 *  path    becomes the path of *level, and must outlive it
 *  Errors  RESULT_USAGE the name is too long
 */
result export_chain_job(const export_job *job, export_lods lods, int lod, char path[EXPORT_PATH_MAX],
                        export_job *level);

#endif
