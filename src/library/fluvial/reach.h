/* reach.h - makes the bed of a course: seven straight reaches between eight points.
 *
 *      r0 .. r3    on the straight line g0 g1 of course.h
 *      r3 .. r7    on the parabola through g1, g2 and g3
 *
 * The points of a bed wander more than the points of its valley. Where the side of another channel lies lower than the
 * bed's own channel, the bed follows that side down.
 */
#ifndef TERRANE_FLUVIAL_REACH_H
#define TERRANE_FLUVIAL_REACH_H

#include "library/fluvial/course.h"

#define TER_BED_WANDER 22.0f /* units; greatest reach of the bed's own octave of wandering */
#define TER_BED_SHIFT  6.0f  /* units; greatest shift across the course */
#define TER_BED_CUT    4.0f  /* m; greatest depth to which a bed is cut into the side of another channel */

/** Piece of its course on which reach i of a bed lies. */
TER_FN int ter_bed_piece(int i)
{
    return i < 3 ? 0 : i < 5 ? 1 : 2;
}

/** Share of the growth of a course's drained area that has been reached at point i of its bed, 0 <= i <= TER_REACHES.
 */
TER_FN float ter_bed_share(int i)
{
    return i < 2    ? 0.13f * (float)i
           : i == 2 ? 0.27f
           : i == 3 ? 0.4f
           : i == 4 ? 0.55f
           : i == 5 ? 0.7f
           : i == 6 ? 0.85f
                    : 1.0f;
}

/** Point i of the bed of a course, before it wanders and before it follows the ground. */
TER_FN ter_bank ter_bed_bank(const ter_course *course, int i)
{
    const ter_bank *g = course->g;
    if (i < 3)
        return ter_bank_between(g[0], g[1], (float)i * (1.0f / 3.0f));
    if (i == 3 || i == 5 || i == TER_REACHES)
        return g[(i - 1) / 2];
    const ter_bank *near = i == 4 ? &g[1] : &g[3], *far = i == 4 ? &g[3] : &g[1];
    ter_bank b = ter_bank_between(*near, g[2], 0.5f);
    b.x = 0.375f * near->x + 0.75f * g[2].x - 0.125f * far->x;
    b.y = 0.375f * near->y + 0.75f * g[2].y - 0.125f * far->y;
    return b;
}

/** Height of an inner point of the bed of a course that runs on. It is the height of the valley's channel. Where the
 * side of another channel lies lower, the bed is cut into that side, but not below the end of the course.
 *
 *  own, sides  m; heights of the valley's channel and of the lowest side
 */
TER_FN float ter_bed_height(const ter_course *course, float own, float sides)
{
    const float over = ter_max(own - sides, 0.0f);
    return ter_max(own - (over + ter_min(over, TER_BED_CUT)), course->g[TER_PIECES].z);
}

/** Let point i of a bed wander in its valley: move it by the octave of meanders that only beds have, and an inner point
 * also at random across the course. roam: receives the offset by which the point wanders together with its valley (2
 * numbers, units); it is not applied here */
TER_FN void ter_wander_bed(const ter_fluvial_job *job, int64_t cell_x, int64_t cell_y, const ter_course *course, int i,
                           ter_bank *b, float roam[2])
{
    float s[2] = {0.0f, 0.0f};
    const float own = ter_wander(job, cell_x, cell_y, b->wander, b->x, b->y, roam);
    if (b->wander > 0.0f)
        ter_meander(job, TER_MEANDER_OCTAVES - 1, cell_x, cell_y, b->x, b->y, s);
    const float reach = own * ter_min(b->wander, TER_BED_WANDER);
    b->x += reach * s[0];
    b->y += reach * s[1];
    if (i == 0 || i == TER_REACHES)
        return;
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_BED, cell_x, cell_y);
    const float vx = course->g[TER_PIECES].x - course->g[0].x, vy = course->g[TER_PIECES].y - course->g[0].y;
    const float shift =
        own * ter_min(b->wander, TER_BED_SHIFT) * ter_symmetric(&words, i) / ter_max(ter_length(vx, vy), 1.0f);
    b->x -= shift * vy;
    b->y += shift * vx;
}

/** Move a point of a bed by the offset with which it wanders with its valley. */
TER_FN void ter_roam_bed(const float roam[2], ter_bank *b)
{
    b->x = ter_exact_place(b->x + roam[0]);
    b->y = ter_exact_place(b->y + roam[1]);
}

/** The reach between points i and i + 1 of a bed.
 *
 *  a, b         the points, with the heights that the bed has there
 *  first, last  areas at the ends of the course: ter_course_areas
 */
TER_FN ter_reach ter_reach_between(const ter_fluvial_job *job, const ter_course *course, int i, ter_bank a, ter_bank b,
                                   float first, float last)
{
    const float area = first + ter_bed_share(i) * (last - first),
                end_area = first + ter_bed_share(i + 1) * (last - first);
    const float width = ter_river_width(area), end_width = ter_river_width(end_area);
    ter_reach r;
    r.x = a.x;
    r.y = a.y;
    r.along_x = b.x - a.x;
    r.along_y = b.y - a.y;
    const float square = r.along_x * r.along_x + r.along_y * r.along_y;
    r.inverse = square > 0.0f ? 1.0f / square : 0.0f;
    r.z = a.z;
    r.dz = b.z - a.z;
    r.area = area;
    r.darea = end_area - area;
    r.lake = ter_course_lake(job, course, ter_bed_piece(i), last);
    r.width = width * a.broad;
    r.dwidth = end_width * b.broad - r.width;
    r.fall = ter_water_fall(width); /* without `broad`, so that no water rises */
    r.dfall = ter_water_fall(end_width) - r.fall;
    return r;
}

/** The course that leaves the node of cell (x, y), with the heights of its pieces. */
TER_FN ter_course ter_course_of_pieces(const ter_fluvial_job *job, int64_t cell_x, int64_t cell_y,
                                       const ter_piece *pieces)
{
    ter_course course = ter_course_from(job, ter_window_index(job->node_at[TER_NETWORK_LAST], cell_x, cell_y));
    course.g[1].z = pieces[1].z;
    course.g[2].z = pieces[2].z;
    return course;
}

/** Reaches of the brook or river that leaves the node of cell (x, y). */
TER_PASS_FN void ter_make_reaches(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window here = job->piece_at;
    const int64_t cell_x = here.x + x, cell_y = here.y + y;
    const size_t cell = (size_t)y * (size_t)here.width + (size_t)x;
    if (job->course[cell] != TER_COURSE_BROOK)
        return;
    const ter_course course = ter_course_of_pieces(job, cell_x, cell_y, job->piece + cell * TER_PIECES);
    ter_bank b[TER_REACHES + 1];
    float first, last;
    ter_course_areas(job, &course, &first, &last);
    float px[TER_REACHES + 1], py[TER_REACHES + 1], sides[TER_REACHES + 1], roam[TER_REACHES + 1][2];
    for (int i = 0; i <= TER_REACHES; i++) {
        b[i] = ter_bed_bank(&course, i);
        ter_wander_bed(job, cell_x, cell_y, &course, i, &b[i], roam[i]);
        px[i] = b[i].x;
        py[i] = b[i].y;
        sides[i] = b[i].z;
    }
    if (ter_runs_on(job, &course)) {
        ter_sides_around(job, course.k, TER_REACHES + 1, px, py, b[0].z, sides);
        for (int i = 1; i < TER_REACHES; i++)
            b[i].z = ter_min(ter_bed_height(&course, b[i].z, sides[i]), b[i - 1].z);
    }
    for (int i = 0; i <= TER_REACHES; i++)
        ter_roam_bed(roam[i], &b[i]);
    for (int i = 0; i < TER_REACHES; i++)
        job->reach[cell * TER_REACHES + (size_t)i] = ter_reach_between(job, &course, i, b[i], b[i + 1], first, last);
}

#endif
