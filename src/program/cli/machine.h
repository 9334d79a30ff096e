/* machine.h - facts about this machine and this build, which info and bench print. */
#ifndef TERRANE_PROGRAM_CLI_MACHINE_H
#define TERRANE_PROGRAM_CLI_MACHINE_H

#include "terrane/terrane.h"

/** Print the CPU, the SIMD level in use, memory and CUDA devices on stdout; without a device, the reason. */
void machine_print(ter_simd simd);

#ifdef TER_HAVE_JSON
#include <cJSON.h>

/** Make a JSON object of these facts. The caller owns it. */
cJSON *machine_json(ter_simd simd);
#endif

#endif
