/* lake_runs.c - the file has the runs of one row after another; memory has the index of the first run of each row. */
#include "program/features/lake_runs.h"

#include <stdlib.h>

#include "library/core/grow.h"
#include "program/file/output_file.h"

struct lake_runs {
    output_file file;
    uint64_t *first; /* for each row, and for the end, the number of runs before it */
    int64_t height, rows;
    lake_run *row; /* memory for a row */
    size_t room;
};

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "out of memory");
}

result lake_runs_open(const char *path, int64_t height, lake_runs **out)
{
    lake_runs *r = calloc(1, sizeof *r);
    if (!r)
        return out_of_memory();
    r->file.descriptor = -1;
    r->height = height;
    r->first = calloc((size_t)height + 1, sizeof *r->first);
    const result res = r->first ? output_file_open_beside(&r->file, path, 0, true) : out_of_memory();
    if (res.kind == RESULT_DONE)
        *out = r;
    else
        lake_runs_close(r);
    return res;
}

void lake_runs_close(lake_runs *r)
{
    if (!r)
        return;
    if (r->file.descriptor >= 0)
        output_file_discard(&r->file);
    free(r->first);
    free(r->row);
    free(r);
}

result lake_runs_add(lake_runs *r, const lake_run *row, size_t count)
{
    r->first[r->rows + 1] = r->first[r->rows] + count;
    r->rows++;
    return output_file_write(&r->file, row, count * sizeof *row);
}

/** Read the runs of a row into memory. */
static result read_row(lake_runs *r, int64_t row, size_t *count)
{
    *count = (size_t)(r->first[row + 1] - r->first[row]);
    lake_run *grown = ter_grow(r->row, &r->room, *count, sizeof *grown);
    if (!grown)
        return out_of_memory();
    r->row = grown;
    return output_file_read_at(&r->file, r->row, *count * sizeof *r->row, r->first[row] * sizeof *r->row);
}

/** Give the runs of a row their lakes. lakes: of the areas in the next row; receives those in this row */
static result resolve_row(lake_runs *r, int64_t row, int32_t *lakes)
{
    size_t count;
    result res = read_row(r, row, &count);
    for (size_t n = 0; n < count && res.kind == RESULT_DONE; n++) {
        const int32_t next = r->row[n].next;
        r->row[n].next = next < 0 ? -1 - next : lakes[next];
    }
    for (size_t n = 0; n < count && res.kind == RESULT_DONE; n++) {
        lakes[r->row[n].area] = r->row[n].next;
        r->row[n].area = r->row[n].next;
    }
    return res.kind == RESULT_DONE
               ? output_file_write_at(&r->file, r->row, count * sizeof *r->row, r->first[row] * sizeof *r->row)
               : res;
}

result lake_runs_resolve(lake_runs *r, size_t n_areas)
{
    int32_t *lakes = malloc((n_areas + 1) * sizeof *lakes);
    result res = lakes ? result_done() : out_of_memory();
    for (int64_t row = r->height - 1; row >= 0 && res.kind == RESULT_DONE; row--)
        res = resolve_row(r, row, lakes);
    free(lakes);
    return res;
}

result lake_runs_read(lake_runs *r, int64_t row, const lake_run **out, size_t *count)
{
    const result res = read_row(r, row, count);
    *out = r->row;
    return res;
}
