/* fuzz_probe.c - fuzzes the coordinate pairs that terrane probe reads from standard input. */
#include "fuzz_input.h"

#include "program/cli/commands.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    fuzz_assert(freopen("/dev/null", "w", stdout));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char words[][16] = {"--backend", "cpu", "--threads", "1"};
    char *argv[] = {words[0], words[1], words[2], words[3]};
    const command_line line = {.argc = 4, .argv = argv};
    fuzz_put("points", bytes, count);
    fuzz_assert(freopen(fuzz_path("points"), "r", stdin));
    const result res = command_probe(&line);
    fuzz_check_result(&res);
    return 0;
}
