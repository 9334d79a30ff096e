/* guide_line_file.c - transforms lines from the coordinates of their file to those of the world. */
#include "program/guide/guide_line_file.h"

#include "program/guide/guide_readers.h"

result guide_lines_of_file(const char *path, const char *options, const guide_raster *raster, const int64_t at[2],
                           double spacing, guide_lines *out)
{
    const guide_crs *crs = &raster->crs;
    char quoted[RESULT_QUOTE];
    const result res = guide_read_lines(path, crs, out);
    if (res.kind != RESULT_DONE)
        return res;
    if (out->count == 0)
        return result_of(RESULT_FILE, "%srivers %s has no lines", options, result_quote(path, quoted));
    for (int n = 0; n < out->count; n++) {
        double *places = (double *)out->rivers[n].places;
        for (int k = 0; k < out->rivers[n].count; k++) {
            double *p = places + 2 * k;
            const double column = (p[0] - crs->east) * crs->metres / crs->spacing,
                         row = (crs->north - p[1]) * crs->metres / crs->spacing;
            p[0] = crs->spacing > 0.0 ? (double)at[0] + column * spacing : p[0];
            p[1] = crs->spacing > 0.0 ? (double)at[1] + row * spacing : -p[1];
        }
    }
    return res;
}
