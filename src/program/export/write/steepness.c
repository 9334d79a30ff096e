/* steepness.c - computes the mean slope of a small part of the heights. */
#include "program/export/write/steepness.h"

#include <math.h>

#include "program/core/fill.h"
#include "program/export/formats/export_file.h"
#include "program/surface/surface_shape.h"

enum { SIDE = 64 };

result export_mean_slope(const export_plan *plan, const strips_source *source, double *degrees)
{
    static const double DEGREES = 57.295779513082321; /* in a radian */
    float heights[SIDE * SIDE];
    const export_file part = export_file_middle(&plan->whole, SIDE * SIDE);
    ter_rect rect = export_file_rect(&part);
    rect.width = rect.width < SIDE ? rect.width : SIDE;
    rect.height = rect.height < SIDE ? rect.height : SIDE;
    *degrees = 0.0;
    if (rect.width < 3 || rect.height < 3)
        return result_done();
    const ter_status status = fill_heights(source->generators[0], source->world, &rect, heights, (size_t)rect.width);
    for (int64_t row = 1; row < rect.height - 1 && status == TER_OK; row++) {
        const layer_window window = {
            .heights = heights + row * rect.width, .stride = rect.width, .step_m = export_file_spacing_m(&part)};
        for (int64_t column = 1; column < rect.width - 1; column++) {
            double east, south;
            surface_slopes(&window, column, &east, &south);
            *degrees += DEGREES * atan(hypot(east, south)) / (double)((rect.width - 2) * (rect.height - 2));
        }
    }
    return result_of_library(status, "");
}
