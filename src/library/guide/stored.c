/* stored.c - writes tables after a header with checksums, and checks such bytes before they are used.
 *
 * The bytes are those of this machine: they are not exchanged between machines of different byte order. */
#include "library/guide/stored.h"

#include <string.h>

#include "library/core/system.h"
#include "library/fluvial/guide.h"

/** Increase this number when the same guide and parameters give other tables than in an earlier version. */
enum { RULES = 4 };

static const char MARK[16] = "terrane tables\n";

/** The start of stored tables. Its size is a multiple of 64 bytes, so that the tables after it are aligned. */
typedef struct TER_ALIGNED(64) stored_head {
    char mark[16];
    uint64_t bytes;                         /* of the head and the tables */
    unsigned char name[TER_SHA256_BYTES];   /* as guide_name_tables makes it */
    unsigned char digest[TER_SHA256_BYTES]; /* of the head without this digest, and of the tables */
    ter_guide_report report;
} stored_head;

/* ---- checksums ---- */

void guide_name_tables(const ter_guide *guide, const ter_fluvial *f, unsigned char *digest)
{
    const ter_guide_options *o = &guide->options;
    const double numbers[] = {o->x, o->z, o->spacing, o->rim, o->rough, o->steep, o->lakes, o->endorheic};
    const int32_t choices[] = {o->level, (int32_t)o->surround, RULES, TER_WORLD_FORMAT};
    const uint64_t sizes[] = {sizeof(stored_head),    sizeof(ter_guide_tables), sizeof(ter_guide_cell),
                              sizeof(ter_guide_tail), sizeof(ter_guide_block),  sizeof(ter_guide_weather)};
    ter_sha256 hash;
    ter_sha256_begin(&hash);
    ter_sha256_add(&hash, MARK, sizeof MARK);
    ter_sha256_add(&hash, ter_version(), strlen(ter_version()));
    ter_sha256_add(&hash, guide->digest, sizeof guide->digest);
    ter_sha256_add(&hash, guide->raster_digest, sizeof guide->raster_digest);
    ter_sha256_add(&hash, guide->river_digest, sizeof guide->river_digest);
    ter_sha256_add(&hash, numbers, sizeof numbers);
    ter_sha256_add(&hash, choices, sizeof choices);
    ter_sha256_add(&hash, sizes, sizeof sizes);
    ter_sha256_add(&hash, f, offsetof(ter_fluvial, guide_level)); /* the members before it, which leave no gaps */
    ter_sha256_end(&hash, digest);
}

static void find_digest(const stored_head *head, const ter_guide_tables *tables, unsigned char *digest)
{
    stored_head without = *head;
    ter_sha256 hash;
    memset(without.digest, 0, sizeof without.digest);
    ter_sha256_begin(&hash);
    ter_sha256_add(&hash, &without, sizeof without);
    ter_sha256_add(&hash, tables, head->bytes - sizeof *head);
    ter_sha256_end(&hash, digest);
}

/* ---- storing ---- */

size_t guide_stored_size(const guide_tables *tables)
{
    return sizeof(stored_head) + (size_t)tables->at->bytes;
}

void guide_store_tables(const ter_guide *guide, const guide_tables *tables, void *out)
{
    stored_head head;
    memset(&head, 0, sizeof head);
    memcpy(head.mark, MARK, sizeof MARK);
    head.bytes = guide_stored_size(tables);
    guide_name_tables(guide, &tables->f, head.name);
    memcpy(&head.report, &tables->report, sizeof head.report);
    find_digest(&head, tables->at, head.digest);
    memcpy(out, &head, sizeof head);
    memcpy((char *)out + sizeof head, tables->at, (size_t)tables->at->bytes);
}

/* ---- reading ---- */

/** Whether an array of a window's cells lies in the tables. */
static bool has_array(const ter_guide_tables *t, uint64_t at, ter_window w, size_t size)
{
    if (w.width < 0 || w.height < 0 || at % 16 != 0 || at < sizeof *t || at > t->bytes)
        return false;
    return w.height == 0 || (uint64_t)w.width <= (t->bytes - at) / size / (uint64_t)w.height;
}

/** Whether the hash table of tails lies in the tables and has an empty entry, so that every search ends. */
static bool has_tails(const ter_guide_tables *t)
{
    const ter_guide_tail *tails = (const ter_guide_tail *)((const char *)t + t->tails_at);
    if (t->tails == 0)
        return true;
    if ((t->tails & (t->tails - 1)) != 0 || t->tails_at % 16 != 0 || t->tails_at < sizeof *t ||
        t->tails_at > t->bytes || t->tails > (t->bytes - t->tails_at) / sizeof *tails)
        return false;
    for (uint64_t n = 0; n < t->tails; n++)
        if (tails[n].area < 0.0f)
            return true;
    return false;
}

static bool has_directions(const ter_guide_tables *t)
{
    const ter_guide_cell *cells = ter_guide_cells(t);
    for (size_t n = 0; n < (size_t)t->cells.width * (size_t)t->cells.height; n++)
        if (cells[n].to < 0 || cells[n].to > TER_SINK)
            return false;
    return true;
}

/** Whether an array of points lies in the tables, or has no points. */
static bool has_points(const ter_guide_tables *t, const ter_guide_points *p, size_t size)
{
    return p->at.width == 0 || (p->shift >= 0 && p->shift < 31 && has_array(t, p->first, p->at, size));
}

/** Whether all arrays that generators read lie in the tables, and the level and the directions are valid. */
static bool is_complete(const ter_guide_tables *t)
{
    if (t->detail.at.width > 0 && !(t->has_bends && has_array(t, t->bends_at, t->cells, sizeof(ter_guide_bend))))
        return false;
    bool is = t->level >= 1 && t->level <= TER_GUIDE_LEVEL_MAX && has_tails(t) &&
              has_array(t, t->cells_at, t->cells, sizeof(ter_guide_cell)) &&
              has_array(t, t->raise_at, t->raise, sizeof(float)) && has_points(t, &t->detail, sizeof(float)) &&
              has_points(t, &t->climate, sizeof(ter_guide_weather));
    for (int n = 0; n < t->level - TER_GUIDE_COARSEST && is; n++)
        is = has_array(t, t->blocks_at[n], t->blocks[n], sizeof(ter_guide_block));
    return is && has_directions(t);
}

/** Check the head against the guide and the parameters. size: bytes of the head and the tables */
static ter_status check_head(const stored_head *head, const ter_guide *guide, const ter_fluvial *f, size_t size)
{
    unsigned char name[TER_SHA256_BYTES];
    if (memcmp(head->mark, MARK, sizeof MARK) != 0)
        return ter_fail(TER_EINVAL, "the bytes are no tables of a guide");
    guide_name_tables(guide, f, name);
    if (memcmp(head->name, name, sizeof name) != 0)
        return ter_fail(TER_EINVAL, "the tables belong to another guide, other parameters or another version");
    if (head->bytes != size)
        return ter_fail(TER_EINVAL, "the tables have %zu bytes, expected %llu", size, (unsigned long long)head->bytes);
    return TER_OK;
}

/** Check the tables that follow a checked header. */
static ter_status check_tables(const stored_head *head, const ter_guide_tables *tables)
{
    unsigned char digest[TER_SHA256_BYTES];
    find_digest(head, tables, digest);
    if (memcmp(head->digest, digest, sizeof digest) != 0)
        return ter_fail(TER_EINVAL, "the tables are damaged: their checksum is wrong");
    if (tables->bytes != head->bytes - sizeof *head || !is_complete(tables))
        return ter_fail(TER_EINVAL, "the tables are damaged: an array does not lie in them");
    return TER_OK;
}

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/** The first bytes of a digest that is written as text. */
static uint64_t key_of(const char *text)
{
    unsigned char bytes[sizeof(uint64_t)];
    uint64_t key;
    for (size_t n = 0; n < sizeof bytes; n++)
        bytes[n] = (unsigned char)(digit(text[2 * n]) * 16 + digit(text[2 * n + 1]));
    memcpy(&key, bytes, sizeof key);
    return key;
}

ter_status guide_read_stored(const ter_guide *guide, const ter_fluvial *f, const void *bytes, size_t size,
                             guide_tables *out)
{
    stored_head head;
    if (size < sizeof head + sizeof(ter_guide_tables))
        return ter_fail(TER_EINVAL, "%zu bytes are too few for tables of a guide", size);
    memcpy(&head, bytes, sizeof head);
    ter_status status = check_head(&head, guide, f, size);
    if (status != TER_OK)
        return status;
    const size_t rest = size - sizeof head;
    ter_guide_tables *tables = ter_aligned_alloc(64, (rest + 63) & ~(size_t)63);
    if (!tables)
        return ter_fail(TER_ENOMEM, "no memory for the tables of a guide, %zu bytes", rest);
    memcpy(tables, (const char *)bytes + sizeof head, rest);
    status = check_tables(&head, tables);
    if (status != TER_OK) {
        ter_aligned_free(tables);
        return status;
    }
    *out = (guide_tables){.f = *f, .at = tables, .key = key_of(head.report.checksum), .report = head.report};
    return TER_OK;
}
