/* export_shard.h - which tiles of a set an export makes. */
#ifndef TERRANE_PROGRAM_CLI_EXPORT_SHARD_H
#define TERRANE_PROGRAM_CLI_EXPORT_SHARD_H

#include "program/export/job/job.h"

/** Choose the shard of a job, whose tiles are set: that of --shard, or of this task of a SLURM job array.
 *
 *  given   index and number of shards; NULL without --shard
 *  Errors  RESULT_USAGE --shard without --tiles, or variables of the environment that do not fit
 */
result export_shard_take(export_job *job, const int *given);

#endif
