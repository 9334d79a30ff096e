/* cover.cu - makes the ice and the sand of blocks by the passes of the definition, and lays them on their samples. */
#include "library/fluvial/cuda/cover.cuh"

#include "library/fluvial/cuda/climate.cuh"
#include "library/fluvial/cuda/pass.cuh"

using namespace ter_cuda;

namespace
{

__global__ void __launch_bounds__(THREADS)
    lay_kernel(const ter_fluvial_job *jobs, const ter_fluvial_output *outputs, size_t stride)
{
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const ter_fluvial_output *out = (const ter_fluvial_output *)((const char *)outputs + blockIdx.z * stride);
    const int x = (int)(blockIdx.x * TILE_X + threadIdx.x);
    for (int y = (int)(blockIdx.y * TILE_Y + threadIdx.y); y < job->points.at.height; y += (int)gridDim.y * TILE_Y)
        if (x < job->points.at.width)
            ter_add_cover(job, out, x, y);
}

ter_status run_passes(const fluvial_jobs &jobs)
{
    TER_PASSES_TO_COVER(job, LAUNCH);
    return TER_OK;
}

} // namespace

ter_status ter_cuda::take_cover_climate(fluvial_memory *memory, std::vector<ter_fluvial_job> *jobs, cudaStream_t stream)
{
    std::vector<ter_window> knots;
    for (const ter_fluvial_job &job : *jobs)
        if (job.cover_at.width > 0)
            knots.push_back(job.cover_at);
    if (knots.empty())
        return TER_OK;
    std::vector<ter_climate_plan> plans;
    const ter_status status = make_climate_knots(memory, &jobs->front().f, knots, stream, &plans);
    for (size_t n = 0, k = 0; n < jobs->size() && status == TER_OK; n++)
        if ((*jobs)[n].cover_at.width > 0)
            (*jobs)[n].climate = plans[k++];
    return status;
}

ter_status ter_cuda::run_sand_fields(const fluvial_jobs &jobs)
{
    for (int m = 0; m < TER_SAND_OCTAVES; m++)
        LAUNCH(ter_make_sand_knot, m, job->sand.field_at[n_of_pass].width, job->sand.field_at[n_of_pass].height);
    return TER_OK;
}

ter_status ter_cuda::run_cover(const fluvial_jobs &jobs, const ter_fluvial_output *outputs, size_t stride)
{
    if (!ter_has_cover(&jobs.host[0].f))
        return TER_OK;
    const ter_status status = run_passes(jobs);
    if (status != TER_OK)
        return status;
    constexpr int ROWS_MAX = 65535; /* of a grid */
    const int width = greatest_of(jobs, [&](int n) { return jobs.host[n].points.at.width; }),
              rows = (greatest_of(jobs, [&](int n) { return jobs.host[n].points.at.height; }) + TILE_Y - 1) / TILE_Y;
    const dim3 grid((unsigned)((width + TILE_X - 1) / TILE_X), (unsigned)(rows < ROWS_MAX ? rows : ROWS_MAX),
                    (unsigned)jobs.count);
    lay_kernel<<<grid, dim3(TILE_X, TILE_Y), 0, jobs.stream>>>(jobs.device, outputs, stride);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
