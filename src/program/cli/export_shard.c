/* export_shard.c - takes the shard from --shard, or from the environment of a job array. */
#include "program/cli/export_shard.h"

#include <stdlib.h>

#include "program/cli/notes.h"
#include "program/cli/option.h"

/** Read a number from the environment. Returns false if the variable is missing or is not a number. */
static bool environment(const char *name, int *value)
{
    const char *text = getenv(name);
    const option number = {.name = name, .kind = OPTION_INTEGER, .target = value};
    return text && option_set(&number, name, text).kind == RESULT_DONE;
}

/** Choose the shard of this task of a SLURM job array. */
static result take_task(export_job *job)
{
    int id, count, least = 0, step = 1;
    if (!environment("SLURM_ARRAY_TASK_ID", &id) || !environment("SLURM_ARRAY_TASK_COUNT", &count))
        return result_of(
            RESULT_USAGE,
            "SLURM_ARRAY_TASK_ID is '%s' and SLURM_ARRAY_TASK_COUNT '%s', expected two integers; or --shard I/N",
            getenv("SLURM_ARRAY_TASK_ID"), getenv("SLURM_ARRAY_TASK_COUNT") ? getenv("SLURM_ARRAY_TASK_COUNT") : "");
    environment("SLURM_ARRAY_TASK_MIN", &least);
    environment("SLURM_ARRAY_TASK_STEP", &step);
    const int64_t shard = step > 0 && id >= least ? ((int64_t)id - least) / step : -1;
    if (shard < 0 || shard >= count)
        return result_of(RESULT_USAGE,
                         "SLURM_ARRAY_TASK_ID is %d of %d tasks from %d on, expected one of them; or --shard I/N", id,
                         count, least);
    job->shard = (int)shard;
    job->n_shards = count;
    note("shard %d/%d, from SLURM's job array; --shard 0/1 makes all", job->shard, count);
    return result_done();
}

result export_shard_take(export_job *job, const int *given)
{
    if (given && !job->tiles.is_set)
        return result_of(RESULT_USAGE, "--shard is for sets of tiles, expected --tiles CxR too");
    if (given) {
        job->shard = given[0];
        job->n_shards = given[1];
    }
    return job->tiles.is_set && !given && getenv("SLURM_ARRAY_TASK_ID") ? take_task(job) : result_done();
}
