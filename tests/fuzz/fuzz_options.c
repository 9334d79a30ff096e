/* fuzz_options.c - fuzzes the words of a command line, which are separated by zero bytes. The line may have the
 * options of commands that generate heights, and one option of every kind. */
#include "fuzz_input.h"

#include "program/cli/setup.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return 0;
}

/** Values that the options set. */
typedef struct values {
    bool flag;
    int integer, choice, shard[2], lods[2];
    uint64_t counted;
    double real, range[2], angles[2];
    const char *text, *list;
    int64_t place[2], size[2];
} values;

enum { KINDS = 13, WORDS_MAX = 64 };

static void make_options(values *v, option options[KINDS])
{
    static const char *const choices[] = {"one", "other", NULL}, *const layers[] = {"height", "water", "flow", NULL};
    const option all[KINDS] = {
        {.name = "flag", .kind = OPTION_FLAG, .target = &v->flag},
        {.name = "n", .argument = "N", .kind = OPTION_INTEGER, .target = &v->integer, .limits = {-5, 1000000}},
        {.name = "counted", .argument = "N", .kind = OPTION_UNSIGNED, .target = &v->counted},
        {.name = "real", .argument = "N", .kind = OPTION_REAL, .target = &v->real, .limits = {0, 1, true, true}},
        {.name = "o", .argument = "FILE", .kind = OPTION_TEXT, .target = &v->text},
        {.name = "choice", .argument = "NAME", .kind = OPTION_CHOICE, .target = &v->choice, .choices = choices},
        {.name = "layer", .argument = "LIST", .kind = OPTION_LIST, .target = &v->list, .choices = layers},
        {.name = "at", .argument = "X,Z", .kind = OPTION_PLACE, .target = v->place},
        {.name = "size", .argument = "WxH", .kind = OPTION_SIZE, .target = v->size},
        {.name = "range", .argument = "LO,HI", .kind = OPTION_RANGE, .target = v->range},
        {.name = "shard", .argument = "I/N", .kind = OPTION_SHARD, .target = v->shard},
        {.name = "lod", .argument = "D", .kind = OPTION_LODS, .target = v->lods, .limits = {-4, 24, 0, 0}},
        {.name = "sun", .argument = "A,E", .kind = OPTION_ANGLES, .target = v->angles},
    };
    memcpy(options, all, sizeof all);
}

/** Check that all values lie in the ranges of their options, also after an error. */
static void check_values(const values *v)
{
    fuzz_assert(v->integer >= -5 && v->integer <= 1000000 && v->choice >= 0 && v->choice <= 1);
    fuzz_assert(v->real > 0 && v->real < 1);
    fuzz_assert(!v->list || (strncmp(v->list, "height", 6) == 0 || strncmp(v->list, "water", 5) == 0 ||
                             strncmp(v->list, "flow", 4) == 0));
    fuzz_assert(v->shard[0] >= 0 && v->shard[0] < v->shard[1]);
    fuzz_assert(v->lods[0] >= -4 && v->lods[0] <= v->lods[1] && v->lods[1] <= 24);
    fuzz_assert(v->size[0] >= 1 && v->size[1] >= 1);
    for (int n = 0; n < 2; n++)
        fuzz_assert(v->place[n] >= -TER_COORDINATE_MAX && v->place[n] <= TER_COORDINATE_MAX);
    fuzz_assert(!(v->range[0] >= v->range[1]));
    fuzz_assert(v->angles[0] >= -360 && v->angles[0] <= 360 && v->angles[1] >= -90 && v->angles[1] <= 90);
}

/** Cut the input into words. Returns their number. */
static int cut_words(char *text, size_t count, char *words[WORDS_MAX])
{
    int n_words = 0;
    for (size_t at = 0; at < count && n_words < WORDS_MAX; at += strlen(text + at) + 1)
        words[n_words++] = text + at;
    return n_words;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    setup setup;
    option_group groups[SETUP_GROUPS + 1];
    option options[KINDS];
    values v = {.real = 0.5, .shard = {0, 1}, .size = {1, 1}, .range = {0, 1}};
    char *words[WORDS_MAX];
    const char *others[WORDS_MAX];
    int n_others = 0;
    char *text = calloc(count + 1, 1);
    fuzz_assert(text);
    memcpy(text, bytes, count);
    setup_begin(&setup, groups);
    make_options(&v, options);
    groups[SETUP_GROUPS] = (option_group){"Others", options, KINDS};
    const int n_words = cut_words(text, count, words);
    const result res = options_parse(groups, SETUP_GROUPS + 1, n_words, words, others, &n_others);
    fuzz_check_result(&res);
    fuzz_assert(n_others >= 0 && n_others <= n_words);
    check_values(&v);
    free(text);
    return 0;
}
