/* json_file.c - printing and writing. */
#include "file/json_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "file/output_file.h"

void json_add_seed(cJSON *object, uint64_t seed)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed);
    cJSON_AddRawToObject(object, "seed", digits);
}

outcome json_write(cJSON *root, const char *path)
{
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (!text)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    const outcome o = output_file_text(path, text);
    cJSON_free(text);
    return o;
}

outcome json_read_text(const char *path, char **text)
{
    enum { BYTES_MAX = 1 << 20 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return outcome_of_file("read", path);
    char *bytes = malloc(BYTES_MAX + 1);
    const size_t n = bytes ? fread(bytes, 1, BYTES_MAX + 1, file) : 0;
    outcome o = outcome_done();
    if (!bytes)
        o = outcome_of(OUTCOME_FAILED, "out of memory");
    else if (ferror(file))
        o = outcome_of_file("read", path);
    else if (n > BYTES_MAX)
        o = outcome_of(OUTCOME_FILE, "'%s' has more than %d bytes", path, BYTES_MAX);
    fclose(file);
    if (o.kind != OUTCOME_DONE) {
        free(bytes);
        return o;
    }
    bytes[n] = '\0';
    *text = bytes;
    return o;
}
