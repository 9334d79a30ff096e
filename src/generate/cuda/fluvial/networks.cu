/* networks.cu - which blocks share a network, and which networks are kept. */
#include "generate/cuda/fluvial/networks.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "generate/cuda/fluvial/blocks.cuh"
#include "generate/cuda/fluvial/ground.cuh"

using namespace ter_cuda;

namespace
{

/* ---- sharing ---- */

/** Cells that blocks lie over. */
struct bounds {
    int64_t x0, y0, x1, y1; /* the ends not included */

    void widen(const ter_window &w)
    {
        x0 = std::min(x0, w.x);
        y0 = std::min(y0, w.y);
        x1 = std::max(x1, w.x + w.width);
        y1 = std::max(y1, w.y + w.height);
    }
};

constexpr bounds NOTHING = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};

/** What a network costs: its nodes, those of the last level twice, for their channels. */
double cost_of(const bounds &b)
{
    constexpr int MARGIN = TER_GROUND_CELLS + TER_CHANNEL_MARGIN;
    double width = (double)(b.x1 - b.x0) + 2 * MARGIN, height = (double)(b.y1 - b.y0) + 2 * MARGIN, cost = 2.0 * width * height;
    for (int n = TER_NETWORK_LAST; n > 0; n--) {
        const int margin = n > 1 ? TER_REFINE_MARGIN : TER_ROOT_MARGIN;
        width = 0.5 * width + 2 * margin + 1;
        height = 0.5 * height + 2 * margin + 1;
        cost += width * height;
    }
    return cost;
}

/** Halving of sets of blocks. */
struct sharing {
    const std::vector<ter_window> &cells;
    size_t nodes_max;
    std::vector<network> networks;
    std::vector<double> costs; /* of the first blocks of a set, by their number less one */

    double split(int *first, int *last);
    double best_split(int *first, int *last, int **middle);
    void sort(int *first, int *last, bool is_by_x) const;
};

void sharing::sort(int *first, int *last, bool is_by_x) const
{
    std::sort(first, last, [&](int a, int b) {
        const ter_window &v = cells[(size_t)a], &w = cells[(size_t)b];
        const int64_t left = is_by_x ? 2 * v.x + v.width : 2 * v.y + v.height,
                      right = is_by_x ? 2 * w.x + w.width : 2 * w.y + w.height;
        return left != right ? left < right : a < b;
    });
}

/** Order a set so that its halves, each with a network of its own, cost least, along either axis; of equal ones those of more equal
 *  numbers. Large sets are halved in the middle. */
double sharing::best_split(int *first, int *last, int **middle)
{
    constexpr size_t MANY = 512;
    const size_t count = (size_t)(last - first);
    double best = INFINITY;
    bool is_by_x = false;
    size_t best_size = 0;
    for (bool axis : {false, true}) {
        sort(first, last, axis);
        bounds b = NOTHING;
        for (size_t n = 0; n < count; n++) {
            b.widen(cells[(size_t)first[n]]);
            costs[n] = cost_of(b);
        }
        b = NOTHING;
        for (size_t n = count - 1; n > 0; n--) {
            b.widen(cells[(size_t)first[n]]);
            const double cost = costs[n - 1] + cost_of(b);
            const bool is_evener = std::max(n, count - n) < std::max(best_size, count - best_size);
            if ((count <= MANY || n == count / 2) && (cost < 0.999 * best || (is_evener && cost < 1.001 * best))) {
                best = cost;
                best_size = n;
                is_by_x = axis;
            }
        }
    }
    if (!is_by_x)
        sort(first, last, false);
    *middle = first + best_size;
    return best;
}

/** Networks for a set of blocks: one, or those of its halves. Returns what they cost. */
double sharing::split(int *first, int *last)
{
    const size_t count = (size_t)(last - first), before = networks.size();
    bounds b = NOTHING;
    for (const int *n = first; n != last; n++)
        b.widen(cells[(size_t)*n]);
    const double together = cost_of(b);
    const double nodes = (double)(b.x1 - b.x0 + 2 * TER_CHANNEL_MARGIN) * (double)(b.y1 - b.y0 + 2 * TER_CHANNEL_MARGIN);
    const bool may_share = count == 1 || nodes <= (double)nodes_max;
    double apart = INFINITY;
    if (count > 1) {
        int *middle;
        best_split(first, last, &middle);
        apart = split(first, middle);
        apart += split(middle, last);
    }
    if (!may_share || apart < together)
        return apart;
    networks.resize(before);
    networks.push_back({{b.x0, b.y0, (int)(b.x1 - b.x0), (int)(b.y1 - b.y0)}, std::vector<int>(first, last)});
    return together;
}

/* ---- memory ---- */

constexpr int MARGIN = 24;               /* cells around a network that is kept */
constexpr size_t KEPT_NODES_MAX = 65536; /* of the last level of a network that is kept, but for one large one */

bool reaches(const kept_network &kept, const ter_fluvial *f, const ter_window &cells)
{
    return kept.is_made && memcmp(&kept.plan.f, f, sizeof *f) == 0 && ter_window_contains(kept.cells, cells);
}

/** A kept network that reaches over cells, or NULL. may_be_large: no other one is needed, whose arrays would take its place */
kept_network *find_kept(fluvial_memory *memory, const ter_fluvial *f, const ter_window &cells, bool may_be_large)
{
    for (kept_network &kept : memory->kept)
        if (reaches(kept, f, cells))
            return &kept;
    return may_be_large && reaches(memory->large, f, cells) ? &memory->large : nullptr;
}

/** Where a network can be kept: the longest unused place, or NULL when this call uses all. */
kept_network *find_room(fluvial_memory *memory)
{
    kept_network *oldest = &memory->kept[0];
    for (kept_network &kept : memory->kept)
        if (!kept.is_made || (oldest->is_made && kept.used < oldest->used))
            oldest = &kept;
    return oldest->is_made && oldest->used == memory->n_calls ? nullptr : oldest;
}

/** Plan a network in its place of the generator's memory. */
ter_status plan_kept(kept_network *kept, device_array *nodes, const ter_fluvial *f, const ter_window &cells, uint64_t call)
{
    ter_arena sizes = {nullptr, 0};
    kept->is_made = false;
    kept->plan = {};
    kept->plan.f = *f;
    ter_plan_drainage(cells, &sizes, &kept->plan);
    const ter_status status = reserve(nodes, sizes.bytes);
    ter_arena arena = {(char *)nodes->at, 0};
    ter_plan_drainage(cells, &arena, &kept->plan);
    kept->is_made = status == TER_OK;
    kept->cells = cells;
    kept->used = call;
    return status;
}

/** Networks on their way. */
struct networks_to_make {
    std::vector<size_t> passing;        /* which are not kept */
    std::vector<ter_fluvial_job> plans; /* of all that are made */
    std::vector<kept_network *> kept;   /* of those the ones that are */
};

/** Plan the networks that are not kept in one piece of memory. */
ter_status plan_passing(fluvial_memory *memory, const ter_fluvial *f, const network *networks, networks_to_make *m,
                        std::vector<ter_fluvial_job> *plans)
{
    ter_arena sizes = {nullptr, 0};
    if (m->passing.empty())
        return TER_OK;
    memory->large.is_made = false;
    for (size_t n : m->passing) {
        ter_fluvial_job job;
        ter_plan_drainage(networks[n].cells, &sizes, &job);
    }
    const ter_status status = reserve(&memory->network, sizes.bytes);
    ter_arena arena = {(char *)memory->network.at, 0};
    for (size_t n : m->passing) {
        (*plans)[n].f = *f;
        ter_plan_drainage(networks[n].cells, &arena, &(*plans)[n]);
        m->plans.push_back((*plans)[n]);
    }
    return status;
}

ter_status make(fluvial_memory *memory, const std::vector<ter_fluvial_job> &plans, cudaStream_t stream)
{
    if (plans.empty())
        return TER_OK;
    ter_status status = upload(&memory->networks, plans, stream);
    const fluvial_jobs jobs = {plans.data(), (const ter_fluvial_job *)memory->networks.at, (int)plans.size(), stream};
    if (status == TER_OK)
        status = run_network(jobs);
    return status == TER_OK ? run_piece_bounds(jobs) : status;
}

} // namespace

size_t ter_cuda::last_nodes(ter_window cells)
{
    return ter_window_count(ter_window_grown(cells, TER_GROUND_CELLS + TER_CHANNEL_MARGIN));
}

std::vector<network> ter_cuda::share_networks(const std::vector<ter_window> &cells, size_t nodes_max)
{
    std::vector<int> order(cells.size());
    for (size_t n = 0; n < order.size(); n++)
        order[n] = (int)n;
    sharing s = {cells, nodes_max, {}, std::vector<double>(cells.size())};
    if (!order.empty())
        s.split(order.data(), order.data() + order.size());
    return s.networks;
}

ter_status ter_cuda::take_networks(fluvial_memory *memory, const ter_fluvial *f, const network *networks, size_t count, bool is_all,
                                   cudaStream_t stream, std::vector<ter_fluvial_job> *plans)
{
    networks_to_make m;
    ter_status status = TER_OK;
    const bool is_alone = is_all && count == 1;
    plans->assign(count, ter_fluvial_job{});
    for (size_t n = 0; n < count && status == TER_OK; n++) {
        kept_network *kept = find_kept(memory, f, networks[n].cells, is_alone);
        const ter_window wide = ter_window_grown(networks[n].cells, MARGIN);
        if (kept) {
            kept->used = memory->n_calls;
        } else if (last_nodes(wide) <= KEPT_NODES_MAX && (kept = find_room(memory)) != nullptr) {
            status = plan_kept(kept, &kept->nodes, f, wide, memory->n_calls);
            m.kept.push_back(kept);
            m.plans.push_back(kept->plan);
        } else if (is_alone) {
            kept = &memory->large;
            status = plan_kept(kept, &memory->network, f, networks[n].cells, memory->n_calls);
            m.kept.push_back(kept);
            m.plans.push_back(kept->plan);
        }
        if (kept)
            (*plans)[n] = kept->plan;
        else
            m.passing.push_back(n);
    }
    if (status == TER_OK)
        status = plan_passing(memory, f, networks, &m, plans);
    if (status == TER_OK)
        status = make(memory, m.plans, stream);
    for (kept_network *kept : m.kept)
        kept->is_made = kept->is_made && status == TER_OK;
    return status;
}
