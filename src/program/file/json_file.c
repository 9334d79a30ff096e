/* json_file.c - prints cJSON trees with all digits of their numbers, and notices failed allocations. */
#include "program/file/json_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/file/commit.h"
#include "program/file/input_file.h"

/** An allocation has failed. cJSON then omits a part of the tree, and most of its functions report no error. */
static bool is_memory_short;

static void *watched_malloc(size_t bytes)
{
    void *memory = malloc(bytes);
    is_memory_short |= memory == NULL;
    return memory;
}

static void watch_memory(void)
{
    cJSON_Hooks hooks = {.malloc_fn = watched_malloc, .free_fn = free};
    cJSON_InitHooks(&hooks);
    is_memory_short = false;
}

cJSON *json_create(void)
{
    watch_memory();
    return cJSON_CreateObject();
}

void json_add_integer(cJSON *object, const char *name, int64_t value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    cJSON_AddRawToObject(object, name, digits);
}

void json_add_seed(cJSON *object, uint64_t seed)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, seed);
    cJSON_AddRawToObject(object, "seed", digits);
}

double json_number(const cJSON *object, const char *name, double otherwise)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : otherwise;
}

/** Print the shortest decimal number that reads back as the same double. 17 digits are always enough; most numbers need
 * fewer. */
static void print_number(double value, char text[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

/** Replace the numbers of a tree by raw text, which cJSON prints unchanged. JSON has no infinity and no NaN. */
static void fix_numbers(cJSON *item)
{
    for (; item; item = item->next) {
        char text[32] = "null";
        fix_numbers(item->child);
        if (!cJSON_IsNumber(item))
            continue;
        if (isfinite(item->valuedouble))
            print_number(item->valuedouble, text);
        item->valuestring = cJSON_malloc(strlen(text) + 1);
        if (!item->valuestring)
            return;
        strcpy(item->valuestring, text);
        item->type = cJSON_Raw | (item->type & cJSON_StringIsConst);
    }
}

result json_text(cJSON *root, char **text)
{
    *text = NULL;
    if (root)
        fix_numbers(root);
    if (root && !is_memory_short)
        *text = cJSON_Print(root);
    cJSON_Delete(root);
    return *text ? result_done() : result_of(RESULT_FAILED, "no memory for a JSON file");
}

result json_write(cJSON *root, const char *path)
{
    char *text;
    result res = json_text(root, &text);
    if (res.kind == RESULT_DONE)
        res = output_file_text(path, text, true, false);
    cJSON_free(text);
    return res;
}

result json_read(const char *path, cJSON **root, char **text)
{
    enum { BYTES_MAX = 1 << 20 };
    *root = NULL;
    result res = input_file_text(path, BYTES_MAX, text);
    if (res.kind != RESULT_DONE)
        return res;
    watch_memory();
    *root = cJSON_Parse(*text);
    if (*root)
        return res;
    free(*text);
    *text = NULL;
    return is_memory_short ? result_of(RESULT_FAILED, "no memory to read '%s'", path)
                           : result_of(RESULT_FILE, "'%s' is not JSON", path);
}
