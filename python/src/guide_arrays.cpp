/* guide_arrays.cpp - copies arrays of numpy, and what rasterio reads. */
#include "guide_arrays.h"

#include <nanobind/ndarray.h>

#include <cstring>

#include "errors.h"

using places_array = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using numbers_array = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

static void copy_numbers(const char *name, nb::handle given, guide_raster &out)
{
    const auto numbers = nb::cast<numbers_array>(given);
    const auto rows = static_cast<int64_t>(numbers.shape(0)), columns = static_cast<int64_t>(numbers.shape(1));
    require(guide_raster_allocate(name, columns, rows, &out));
    std::memcpy(out.numbers, numbers.data(), numbers.nbytes());
}

void guide_read_array(nb::handle given, guide_raster &out)
{
    copy_numbers("array", given[0], out);
    out.greatest = nb::cast<double>(given[1]);
    out.is_picture = nb::cast<bool>(given[2]);
}

void guide_read_by_rasterio(const char *path, guide_raster &out)
{
    const nb::object given = nb::module_::import_("terrane.raster").attr("read")(path);
    const nb::object transform = given.attr("transform"), no_data = given.attr("no_data");
    georeference g = {};
    g.has_transform = !transform.is_none();
    for (int n = 0; n < 6 && g.has_transform; n++)
        g.transform[n] = nb::cast<double>(transform[n]);
    g.is_in_degrees = nb::cast<bool>(given.attr("is_in_degrees"));
    g.metres = nb::cast<double>(given.attr("metres"));
    g.epsg = nb::cast<int>(given.attr("epsg"));
    g.has_no_data = !no_data.is_none();
    g.no_data = g.has_no_data ? nb::cast<double>(no_data) : 0.0;
    g.bits = nb::cast<int>(given.attr("bits"));
    g.is_image = nb::cast<bool>(given.attr("is_image"));
    out.greatest = 1.0;
    copy_numbers(path, given.attr("numbers"), out);
    require(georeference_check(path, &g, &out));
    georeference_apply(&g, &out);
}

copied_arrays::copied_arrays(const arrays_given &given)
{
    for (int n = 0; n < TER_GUIDE_RASTER_COUNT; n++) {
        const char *name = ter_guide_raster_name(static_cast<ter_guide_raster>(n));
        if (!given.rasters.contains(name))
            continue;
        const nb::object raster = given.rasters[name];
        guide_read_array(raster, rasters_[n].at);
        arrays_.rasters[n] = &rasters_[n].at;
    }
    if (given.rivers.is_none())
        return;
    arrays_.rivers = &lines_.at;
    for (const nb::handle river : given.rivers) {
        const auto places = nb::cast<places_array>(river[0]);
        double *out = guide_lines_add(&lines_.at, static_cast<int>(places.shape(0)), nb::cast<double>(river[1]));
        if (!out)
            throw failure("OutOfMemoryError", "no memory for rivers");
        std::memcpy(out, places.data(), places.nbytes());
    }
}
