/* json_file.c - printing and writing. */
#include "json_file.h"

#include <stdio.h>

#include "output_file.h"

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
