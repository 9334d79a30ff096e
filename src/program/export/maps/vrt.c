/* vrt.c - writes and removes .vrt files, which are XML for GDAL. */
#include "program/export/maps/vrt.h"
#include "program/core/system.h"
#include "program/file/commit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "program/file/path_name.h"
#include "program/file/text_writer.h"

#define MARK "<!-- made by terrane -->"

enum { XML_NAME = 5 * EXPORT_PATH_MAX / 2 };

/** Write the part of a path after the last '/', with the special characters of XML replaced. */
static void name_for_xml(const char *path, char name[XML_NAME])
{
    size_t used = 0;
    for (const char *at = path_base(path); *at && used + 8 < XML_NAME; at++) {
        const char *text = *at == '&' ? "&amp;" : *at == '<' ? "&lt;" : *at == '>' ? "&gt;" : NULL;
        if (text)
            used += (size_t)snprintf(name + used, XML_NAME - used, "%s", text);
        else
            name[used++] = *at;
    }
    name[used] = '\0';
}

static void add_begin(text_writer *w, const export_file *whole)
{
    const export_place place = export_file_place(whole);
    const double half = place.step / 2;
    const export_format *format = whole->format;
    const export_layer *layer = &export_layers[whole->layer];
    const bool is_scaled = export_format_is_scaled(format);
    text_put(w, "<VRTDataset rasterXSize=\"%lld\" rasterYSize=\"%lld\">\n  " MARK "\n", (long long)whole->width,
             (long long)whole->height);
    if (format->envi_type || format->has_place || format->world_ending)
        text_put(w, "  <GeoTransform>%.17g, %.17g, 0, %.17g, 0, %.17g</GeoTransform>\n", place.east - half, place.step,
                 place.north + half, -place.step);
    if (format->has_place && place.epsg > 0)
        text_put(w, "  <SRS>EPSG:%d</SRS>\n  <Metadata>\n    <MDI key=\"AREA_OR_POINT\">Point</MDI>\n  </Metadata>\n",
                 place.epsg);
    else if (format->has_place)
        text_put(w, "  <SRS>LOCAL_CS[\"terrane\",UNIT[\"metre\",1,AUTHORITY[\"EPSG\",\"9001\"]],AXIS[\"Easting\",EAST],"
                    "AXIS[\"Northing\",NORTH]]</SRS>\n  <Metadata>\n    <MDI key=\"AREA_OR_POINT\">Point</MDI>\n  "
                    "</Metadata>\n");
    text_put(w, "  <VRTRasterBand dataType=\"%s\" band=\"1\">\n    <Description>%s</Description>\n",
             is_scaled ? "UInt16" : "Float32", layer->name);
    if (is_scaled)
        text_put(w, "    <UnitType>%s</UnitType>\n    <Offset>%.17g</Offset>\n    <Scale>%.17g</Scale>\n", layer->unit,
                 whole->range[0], (whole->range[1] - whole->range[0]) / 65535.0);
    if (layer->has_no_data)
        text_put(w, "    <NoDataValue>nan</NoDataValue>\n");
}

static void add_tile(text_writer *w, const export_plan *plan, int64_t number)
{
    char name[XML_NAME];
    planned_file f;
    const int border = plan->tiles.border;
    const long long width = plan->tile_width, height = plan->tile_height;
    export_plan_file(plan, number, &f);
    name_for_xml(f.path, name);
    text_put(w,
             "    <SimpleSource>\n      <SourceFilename relativeToVRT=\"1\">%s</SourceFilename>\n      "
             "<SourceBand>1</SourceBand>\n"
             "      <SrcRect xOff=\"%d\" yOff=\"%d\" xSize=\"%lld\" ySize=\"%lld\"/>\n"
             "      <DstRect xOff=\"%lld\" yOff=\"%lld\" xSize=\"%lld\" ySize=\"%lld\"/>\n    </SimpleSource>\n",
             name, border, border, width, height, (long long)f.column, (long long)f.row, width, height);
}

/** Whether GDAL can join the tiles of the k-th layer: their samples must be numbers, and their first row must be the
 * northern one. */
static bool can_join(const export_plan *plan, int k)
{
    const export_file *file = &plan->layers[k];
    return !file->format->is_mesh && file->format->channels == 0 && !file->is_south_first;
}

bool vrt_is_possible(const export_plan *plan)
{
    bool is_any = false;
    for (int k = 0; k < plan->n_layers; k++)
        is_any |= can_join(plan, k);
    return plan->tiles.is_set && plan->is_regular && is_any;
}

bool vrt_fits(const export_plan *plan)
{
    return plan->whole.width <= INT32_MAX && plan->whole.height <= INT32_MAX;
}

/** Whether the .vrt of the k-th layer may be written to a path: no file has this name, or the file is the .vrt of an
 * earlier export of this set. */
static bool is_of_set(const export_plan *plan, int k, const char *path)
{
    char name[XML_NAME], mark[XML_NAME + 8];
    planned_file first;
    export_plan_file(plan, k, &first);
    name_for_xml(first.path, name);
    snprintf(mark, sizeof mark, ">%s<", name);
    return output_file_may_replace(path, MARK) && output_file_may_replace(path, mark);
}

static result check_layer(const export_plan *plan, int k)
{
    char path[EXPORT_PATH_MAX];
    file_names_set_path(&plan->names, k, ".vrt", path);
    const result res = output_file_check_kind(path);
    if (res.kind != RESULT_DONE || plan->may_replace || is_of_set(plan, k, path))
        return res;
    return result_of(RESULT_FILE, "'%s' exists already and does not belong to this set; --force replaces it", path);
}

result vrt_check(const export_plan *plan)
{
    result res = result_done();
    for (int k = 0; k < plan->n_layers && res.kind == RESULT_DONE; k++)
        if (can_join(plan, k))
            res = check_layer(plan, k);
    return res;
}

/** All tiles as one file of the k-th layer. */
static export_file whole_of(const export_plan *plan, int k)
{
    export_file whole = plan->layers[k];
    whole.x = plan->whole.x;
    whole.z = plan->whole.z;
    whole.width = plan->whole.width;
    whole.height = plan->whole.height;
    return whole;
}

static result write_layer(const export_plan *plan, int k)
{
    char path[EXPORT_PATH_MAX];
    text_writer w = {.used = 0};
    const export_file whole = whole_of(plan, k);
    file_names_set_path(&plan->names, k, ".vrt", path);
    w.result = output_file_open_beside(&w.out, path, 0, true);
    if (w.result.kind != RESULT_DONE)
        return w.result;
    w.out.is_durable = plan->is_durable;
    add_begin(&w, &whole);
    for (int64_t n = 0; n < plan->n_tiles && w.result.kind == RESULT_DONE; n++)
        add_tile(&w, plan, n * plan->n_layers + k);
    text_put(&w, "  </VRTRasterBand>\n</VRTDataset>\n");
    if (text_flush(&w).kind == RESULT_DONE)
        return output_file_commit(&w.out);
    output_file_discard(&w.out);
    return w.result;
}

result vrt_write(const export_plan *plan)
{
    result res = result_done();
    for (int k = 0; k < plan->n_layers && res.kind == RESULT_DONE; k++)
        if (can_join(plan, k))
            res = write_layer(plan, k);
    return res;
}

result vrt_remove(const export_plan *plan)
{
    char path[EXPORT_PATH_MAX];
    for (int k = 0; k < plan->n_layers; k++) {
        file_names_set_path(&plan->names, k, ".vrt", path);
        if ((!can_join(plan, k) || !vrt_fits(plan)) && is_of_set(plan, k, path) && !system_remove(path) &&
            errno != ENOENT)
            return result_of_file("remove", path);
    }
    return result_done();
}
