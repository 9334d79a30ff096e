/* replay.c - runs a fuzz target over the files named on the command line. With it every build, by any compiler,
 * tests the inputs of the corpora. */
#include "fuzz_input.h"

static void replay(const char *path)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    fuzz_assert(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fuzz_assert(!ferror(file));
    fclose(file);
    /* memory of exactly this size, so that sanitizers find reads after its end */
    uint8_t *exact = malloc(count ? count : 1);
    fuzz_assert(exact);
    memcpy(exact, bytes, count);
    LLVMFuzzerTestOneInput(exact, count);
    free(exact);
}

int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    for (int n = 1; n < argc; n++)
        replay(argv[n]);
    fprintf(stderr, "%d inputs\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
