/* part_file.c - compares the first line of a part with that of the export. */
#include "program/features/part_file.h"

#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"

#define MARK "terrane features part 1: " /* beginning of every part */

result part_file_check(void)
{
    return checksum_is_possible() ? result_done() : result_of(RESULT_USAGE, "--resume: this build has no checksums");
}

/** Whether the part begins with some bytes, or ends within them because its first line was not complete yet. */
static bool begins_with(const part_file *p, const char *text, size_t length)
{
    char *found = malloc(length + 1);
    const int64_t n = found ? system_read_at(p->file.descriptor, found, length, 0) : -1;
    const bool is_equal = n >= 0 && memcmp(found, text, (size_t)n) == 0;
    free(found);
    return is_equal;
}

/** Compare the first line, or write it. */
static result begin(part_file *p, const char *line, bool may_replace, bool *has_more)
{
    const char *name = p->file.temporary;
    if (!begins_with(p, MARK, sizeof MARK - 1))
        return result_of(RESULT_FILE, "cannot write '%s': it is not terrane's; move it away", name);
    const bool is_own = begins_with(p, line, (size_t)p->head);
    if (!is_own && !may_replace)
        return result_of(RESULT_FILE, "'%s' does not belong to this job; --force replaces it", name);
    *has_more = is_own && p->file.written >= p->head;
    if (*has_more) {
        checksum_add(p->sum, line, (size_t)p->head);
        return result_done();
    }
    const result res = output_file_truncate(&p->file, 0);
    return res.kind == RESULT_DONE ? output_file_write(&p->file, line, (size_t)p->head) : res;
}

result part_file_open(part_file *p, const char *path, const char *text, uint64_t expected, bool may_replace,
                      bool *has_more)
{
    const size_t room = strlen(text) + sizeof MARK + 1;
    char *line = malloc(room);
    *p = (part_file){.file.descriptor = -1, .sum = checksum_create()};
    *has_more = false;
    result res = line && p->sum ? output_file_open_kept(&p->file, path, expected, may_replace)
                                : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE) {
        p->head = (uint64_t)snprintf(line, room, "%s%s\n", MARK, text);
        p->file.sums[0] = p->sum;
        res = begin(p, line, may_replace, has_more);
    }
    free(line);
    return res;
}

void part_file_close(part_file *p, bool is_complete)
{
    if (is_complete)
        p->file.is_kept = false;
    if (p->file.descriptor >= 0)
        output_file_discard(&p->file);
    checksum_destroy(p->sum);
    p->sum = NULL;
    p->file.descriptor = -1;
}
