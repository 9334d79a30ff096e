/* launch.cu - launches the passes of the definition, one kernel for each pass. */
#include "library/fluvial/cuda/launch.cuh"

#include "library/fluvial/cuda/pass.cuh"

using namespace ter_cuda;

namespace
{

int greater(int a, int b)
{
    return a > b ? a : b;
}

/** A job whose loop counts are the greatest of all blocks. Windows that a block lacks are empty, so it skips them. */
ter_fluvial_job loops_of(const fluvial_jobs &jobs)
{
    ter_fluvial_job loops = jobs.host[0];
    for (int n = 1; n < jobs.count; n++) {
        const ter_fluvial_job &job = jobs.host[n];
        loops.n_grounds = greater(loops.n_grounds, job.n_grounds);
        loops.n_octaves = greater(loops.n_octaves, job.n_octaves);
        loops.places.count = greater(loops.places.count, job.places.count);
        for (int o = 0; o < TER_OCTAVES; o++)
            loops.octave[o].n_halvings = greater(loops.octave[o].n_halvings, job.octave[o].n_halvings);
    }
    return loops;
}

__global__ void __launch_bounds__(THREADS)
    samples_kernel(const ter_fluvial_job *jobs, const ter_fluvial_output *outputs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const int width = job->points.at.width, count = width * job->points.at.height;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < count; n += (int)gridDim.x * THREADS)
        ter_make_sample(job, &outputs[blockIdx.y], n % width, n / width);
}

} // namespace

ter_status ter_cuda::run_places(const fluvial_jobs &jobs)
{
    const ter_fluvial_job loops = loops_of(jobs), *job = &loops;
    TER_PASSES_TO_PLACES(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_channels(const fluvial_jobs &jobs)
{
    const ter_fluvial_job *job = &jobs.host[0];
    TER_PASSES_TO_PROVINCES(job, LAUNCH);
    TER_PASSES_TO_ROOT(job, LAUNCH);
    TER_PASSES_TO_NODES(job, 1, LAUNCH);
    TER_PASSES_TO_CHANNELS(job, LAUNCH);
    TER_PASS_TO_SLOPES(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_pieces(const fluvial_jobs &jobs)
{
    TER_PASSES_TO_PIECES(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_ground(const fluvial_jobs &jobs)
{
    const ter_fluvial_job loops = loops_of(jobs), *job = &loops;
    TER_PASSES_TO_GROUND(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_dry_ground(const fluvial_jobs &jobs)
{
    const ter_fluvial_job loops = loops_of(jobs), *job = &loops;
    for (int g = 0; g < job->n_grounds; g++)
        TER_PASS_TO_DRY_GROUND(job, g, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_gullies(const fluvial_jobs &jobs)
{
    const ter_fluvial_job loops = loops_of(jobs), *job = &loops;
    TER_PASSES_TO_GULLIES(job, LAUNCH);
    TER_PASS_TO_BASE(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_heights(const fluvial_jobs &jobs)
{
    const ter_fluvial_job *job = &jobs.host[0];
    TER_PASSES_TO_HEIGHTS(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_samples(const fluvial_jobs &jobs, const ter_fluvial_output *outputs)
{
    const int most =
        greatest_of(jobs, [&](int n) { return jobs.host[n].points.at.width * jobs.host[n].points.at.height; });
    const dim3 grid((unsigned)((most + THREADS - 1) / THREADS), (unsigned)jobs.count);
    samples_kernel<<<grid, THREADS, 0, jobs.stream>>>(jobs.device, outputs);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
