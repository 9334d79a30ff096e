/* passes.h - the passes from a plan to samples, in their order.
 *
 * RUN(step, n, width, height) calls step(job, n, x, y) for every 0 <= x < width, 0 <= y < height, in any order or in
 * parallel. It ends before the next RUN begins. The CPU backend runs loops, the CUDA backend launches kernels. The
 * width and height are expressions of `job`; a kernel evaluates them for each of many jobs. How often a list of passes
 * repeats a pass is the same for all jobs of a level of detail.
 */
#ifndef TERRANE_FLUVIAL_PASSES_H
#define TERRANE_FLUVIAL_PASSES_H

#include "library/fluvial/drought.h"
#include "library/fluvial/plan.h"
#include "library/fluvial/reach.h"
#include "library/fluvial/steepen.h"

/** RUN as plain loops. The caller must have a variable `job`. */
#define TER_LOOP(step, n, columns, rows)                                                                               \
    do {                                                                                                               \
        const int columns_ = (columns), rows_ = (rows);                                                                \
        for (int y_ = 0; y_ < rows_; y_++)                                                                             \
            for (int x_ = 0; x_ < columns_; x_++)                                                                      \
                step(job, n, x_, y_);                                                                                  \
    } while (0)

/** The passes that make the warp, and from it the places of all points that ter_plan_points has planned. After them,
 * call ter_plan_network. */
#define TER_PASSES_TO_PLACES(job, RUN)                                                                                 \
    do {                                                                                                               \
        for (int m_ = 0; m_ < TER_WARP_OCTAVES; m_++)                                                                  \
            RUN(ter_make_warp_knot, m_, (job)->warp_at[m_].width, (job)->warp_at[m_].height);                          \
        for (int g_ = 0; g_ < (job)->n_grounds; g_++) {                                                                \
            RUN(ter_make_warp, g_, (job)->ground[g_].points.at.width, (job)->ground[g_].points.at.height);             \
        }                                                                                                              \
        for (int n_ = 1; n_ < (job)->places.count; n_++)                                                               \
            RUN(ter_halve_places, n_, (job)->places.at[n_].at.width, (job)->places.at[n_].at.height);                  \
    } while (0)

/** The passes that make the knots of the provinces from those of the random fields. */
#define TER_PASSES_FROM_FIELDS_TO_PROVINCES(job, RUN)                                                                  \
    do {                                                                                                               \
        RUN(ter_make_continent_knot, 0, (job)->continent_at.width, (job)->continent_at.height);                        \
        RUN(ter_make_province_knot, 0, (job)->province_at.width, (job)->province_at.height);                           \
    } while (0)

/** The passes that make the knots of the random fields and of the provinces. */
#define TER_PASSES_TO_PROVINCES(job, RUN)                                                                              \
    do {                                                                                                               \
        for (int m_ = 0; m_ < TER_FIELD_OCTAVES; m_++)                                                                 \
            RUN(ter_make_field_knot, m_, (job)->field_at[m_].width, (job)->field_at[m_].height);                       \
        TER_PASSES_FROM_FIELDS_TO_PROVINCES(job, RUN);                                                                 \
    } while (0)

/** Nodes of level 0. */
#define TER_PASSES_TO_ROOT(job, RUN)                                                                                   \
    do {                                                                                                               \
        RUN(ter_make_root, 0, (job)->node_at[0].width, (job)->node_at[0].height);                                      \
        RUN(ter_link_root, 0, (job)->node_at[0].width - 2, (job)->node_at[0].height - 2);                              \
        RUN(ter_flood_root, 0, (job)->node_at[0].width - 6, (job)->node_at[0].height - 6);                             \
        for (int r_ = 0; r_ < TER_ROOT_ROUNDS; r_++)                                                                   \
            RUN(ter_drain_root, r_, (job)->node_at[0].width, (job)->node_at[0].height);                                \
        RUN(ter_finish_root, 0, (job)->node_at[0].width, (job)->node_at[0].height);                                    \
    } while (0)

/** Children of level n along the channels of level n - 1. library/fluvial/cuda/network.cu repeats these passes, and
 * those of nodes, guides, channels and slopes, because it skips cells. */
#define TER_PASSES_TO_CHILDREN(job, n, RUN)                                                                            \
    do {                                                                                                               \
        RUN(ter_make_edge, (n), (job)->node_at[(n)-1].width - 2 * ter_edge_margin(n),                                  \
            (job)->node_at[(n)-1].height - 2 * ter_edge_margin(n));                                                    \
        RUN(ter_make_children, (n), (job)->node_at[(n)-1].width - 2 * ter_child_margin(n),                             \
            (job)->node_at[(n)-1].height - 2 * ter_child_margin(n));                                                   \
        RUN(ter_make_corner, (n), (job)->node_at[(n)-1].width - 2 * ter_child_margin(n),                               \
            (job)->node_at[(n)-1].height - 2 * ter_child_margin(n));                                                   \
    } while (0)

/** The pass that applies the nodes and tails of a guide to the nodes of the guide's level. */
#define TER_PASS_TO_GUIDE(job, level, RUN)                                                                             \
    do {                                                                                                               \
        RUN(ter_guide_node, (level), (job)->node_at[level].width, (job)->node_at[level].height);                       \
    } while (0)

/** Nodes of levels `first` > 0 to the last one, from those of the level before. */
#define TER_PASSES_TO_NODES(job, first, RUN)                                                                           \
    do {                                                                                                               \
        for (int n_ = (first); n_ <= (job)->last; n_++) {                                                              \
            TER_PASSES_TO_CHILDREN(job, n_, RUN);                                                                      \
            RUN(ter_make_node, n_, (job)->node_at[n_].width, (job)->node_at[n_].height);                               \
            RUN(ter_share_ground, n_, (job)->node_at[n_].width - 2 * TER_AREA_MARGIN,                                  \
                (job)->node_at[n_].height - 2 * TER_AREA_MARGIN);                                                      \
            if (n_ == (job)->f.guide_level)                                                                            \
                TER_PASS_TO_GUIDE(job, n_, RUN);                                                                       \
        }                                                                                                              \
    } while (0)

/** Knots of meanders. */
#define TER_PASSES_TO_MEANDERS(job, RUN)                                                                               \
    do {                                                                                                               \
        for (int t_ = 0; t_ < TER_MEANDER_OCTAVES; t_++)                                                               \
            RUN(ter_make_meander_knot, t_, (job)->meander_at[t_].width, (job)->meander_at[t_].height);                 \
    } while (0)

/** Channels of the last level; their places are smoothed. The knots of meanders have been made. */
#define TER_PASSES_FROM_MEANDERS_TO_CHANNELS(job, RUN)                                                                 \
    do {                                                                                                               \
        RUN(ter_make_channel, 0, (job)->node_at[TER_NETWORK_LAST].width - 2,                                           \
            (job)->node_at[TER_NETWORK_LAST].height - 2);                                                              \
        for (int r_ = 0; r_ < TER_SMOOTH_ROUNDS; r_++)                                                                 \
            RUN(ter_smooth_channel, r_, (job)->node_at[TER_NETWORK_LAST].width - 2 * ter_smooth_margin(r_),            \
                (job)->node_at[TER_NETWORK_LAST].height - 2 * ter_smooth_margin(r_));                                  \
    } while (0)

/** Knots of meanders, and channels. */
#define TER_PASSES_TO_CHANNELS(job, RUN)                                                                               \
    do {                                                                                                               \
        TER_PASSES_TO_MEANDERS(job, RUN);                                                                              \
        TER_PASSES_FROM_MEANDERS_TO_CHANNELS(job, RUN);                                                                \
    } while (0)

/** Slopes of the valley sides of these channels. */
#define TER_PASS_TO_SLOPES(job, RUN)                                                                                   \
    do {                                                                                                               \
        RUN(ter_steepen_channel, 0, (job)->node_at[TER_NETWORK_LAST].width - 2 * TER_STEEPEN_MARGIN,                   \
            (job)->node_at[TER_NETWORK_LAST].height - 2 * TER_STEEPEN_MARGIN);                                         \
    } while (0)

/** Pieces of the valleys of these channels, and reaches of their beds. */
#define TER_PASSES_TO_PIECES(job, RUN)                                                                                 \
    do {                                                                                                               \
        RUN(ter_make_pieces, 0, (job)->piece_at.width, (job)->piece_at.height);                                        \
        RUN(ter_make_reaches, 0, (job)->piece_at.width, (job)->piece_at.height);                                       \
    } while (0)

/** The ground on lattice g follows the drought of the climate. */
#define TER_PASS_TO_DRY_GROUND(job, g, RUN)                                                                            \
    RUN(ter_dry_ground, (g), (job)->f.drought > 0.0f ? (job)->ground[g].points.at.width : 0,                           \
        (job)->ground[g].points.at.height)

/** The ground without gullies. */
#define TER_PASSES_TO_GROUND(job, RUN)                                                                                 \
    do {                                                                                                               \
        for (int g_ = 0; g_ < (job)->n_grounds; g_++) {                                                                \
            RUN(ter_make_ground, g_, (job)->ground[g_].points.at.width, (job)->ground[g_].points.at.height);           \
            TER_PASS_TO_DRY_GROUND(job, g_, RUN);                                                                      \
        }                                                                                                              \
    } while (0)

/** Kernels of octave o of the gullies, and the octave as coarser levels of detail show it. */
#define TER_PASSES_TO_WAVES(job, o, RUN)                                                                               \
    do {                                                                                                               \
        RUN(ter_make_gully, (o), (job)->octave[o].cells.width, (job)->octave[o].cells.height);                         \
        for (int r_ = 0; r_ < TER_PHASE_ROUNDS; r_++)                                                                  \
            RUN(ter_phase_gully, (o) | r_ << 2, (job)->octave[o].cells.width, (job)->octave[o].cells.height);          \
        RUN(ter_see_gully, (o), (job)->octave[o].coarse[0].at.width, (job)->octave[o].coarse[0].at.height);            \
    } while (0)

/** The octave as coarser levels of detail show it, interpolated n times to half the spacing. */
#define TER_PASSES_TO_SEEN(job, o, n, RUN)                                                                             \
    do {                                                                                                               \
        for (int d_ = 1; d_ <= (n); d_++)                                                                              \
            RUN(ter_halve_seen, (o) | d_ << 2, (job)->octave[o].coarse[d_].at.width,                                   \
                (job)->octave[o].coarse[d_].at.height);                                                                \
    } while (0)

/** All passes of octave o. */
#define TER_PASSES_TO_CARVED(job, o, RUN)                                                                              \
    do {                                                                                                               \
        TER_PASSES_TO_WAVES(job, o, RUN);                                                                              \
        TER_PASSES_TO_SEEN(job, o, (job)->octave[o].n_halvings, RUN);                                                  \
        RUN(ter_carve_gully, (o), (job)->octave[o].points.at.width, (job)->octave[o].points.at.height);                \
    } while (0)

/** All gullies. */
#define TER_PASSES_TO_GULLIES(job, RUN)                                                                                \
    do {                                                                                                               \
        for (int o_ = 0; o_ < (job)->n_octaves; o_++)                                                                  \
            TER_PASSES_TO_CARVED(job, o_, RUN);                                                                        \
    } while (0)

/** Heights of the coarsest of the fine lattices, before random displacement. */
#define TER_PASS_TO_BASE(job, RUN)                                                                                     \
    do {                                                                                                               \
        RUN(ter_make_base, 0, (job)->fine[(job)->n_fine - 1].at.width, (job)->fine[(job)->n_fine - 1].at.height);      \
    } while (0)

/** The passes that make the heights of the finer lattices, down to the requested points. After them, call
 * ter_make_sample. */
#define TER_PASSES_TO_HEIGHTS(job, RUN)                                                                                \
    do {                                                                                                               \
        for (int n_ = (job)->n_fine - 2; n_ >= 0; n_--)                                                                \
            RUN(ter_make_fine, n_, (job)->fine[n_].at.width, (job)->fine[n_].at.height);                               \
    } while (0)

#endif
