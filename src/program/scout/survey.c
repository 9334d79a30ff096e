/* survey.c - scores squares of land by relief and water. */
#include "program/scout/survey.h"

#include <math.h>

static const double AROUND = 1.5; /* half side of the square that is scored for a part, in widths of the part */
static const double RELIEF_ENOUGH_M = 1800.0; /* relief with the highest score */

static double worth_of_share(double share, double enough)
{
    return sqrt(fmin(share / enough, 1.0));
}

/** Score of a square of points. half: points from its centre to each side */
static double worth_of(const land *l, int column, int row, int half)
{
    const int64_t side = l->side;
    double n[LAND_KINDS] = {0}, low = 1e30, high = -1e30, count = 0.0;
    for (int64_t j = row - half; j <= row + half; j++)
        for (int64_t i = column - half; i <= column + half; i++)
            if (i >= 0 && j >= 0 && i < side && j < side) {
                const double height = (double)l->surface[j * side + i];
                low = fmin(low, height);
                high = fmax(high, height);
                n[l->kinds[j * side + i]] += 1.0;
                count += 1.0;
            }
    const double land_share = 1.0 - n[LAND_SEA] / count;
    return 2.0 * fmin((high - low) / RELIEF_ENOUGH_M, 1.0) + 1.5 * worth_of_share(n[LAND_SEA] / count, 0.2) +
           worth_of_share(n[LAND_LAKE] / count, 0.02) + 0.8 * worth_of_share(n[LAND_RIVER] / count, 0.01) +
           0.5 * worth_of_share(n[LAND_SNOW] / count, 0.05) + fmin(land_share / 0.5, 1.0);
}

/** Insert a part into the list of the best parts, best first. Returns the new length of the list. */
static int insert(survey_part *parts, int count, int most, const survey_part *part)
{
    int at = count < most ? count++ : most;
    while (at > 0 && parts[at - 1].score < part->score) {
        if (at < most)
            parts[at] = parts[at - 1];
        at--;
    }
    if (at < most)
        parts[at] = *part;
    return count;
}

int survey_parts(const land *l, double margin_m, survey_part *parts, int most)
{
    const int width = (int)fmax(SURVEY_PART_M / l->step_m, 1.0), half = (int)(AROUND * width);
    const int from = (int)(margin_m / l->step_m), to = l->side - from;
    int count = 0;
    for (int row = from + width / 2; row < to; row += width)
        for (int column = from + width / 2; column < to; column += width) {
            const survey_part part = {.middle = {(double)(l->i + column) * l->step, (double)(l->j + row) * l->step},
                                      .score = worth_of(l, column, row, half)};
            count = insert(parts, count, most, &part);
        }
    return count;
}
