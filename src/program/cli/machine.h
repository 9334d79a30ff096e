/* machine.h - facts about this machine and this build, for info and bench. */
#ifndef TERRANE_PROGRAM_CLI_MACHINE_H
#define TERRANE_PROGRAM_CLI_MACHINE_H

#include "terrane/terrane.h"

/** Lines on stdout: CPU, SIMD level in use, memory, CUDA devices with the reason when there is none. */
void machine_print(ter_simd simd);

#ifdef TER_HAVE_JSON
#include <cJSON.h>

/** The same facts as a JSON object; the caller owns it. */
cJSON *machine_json(ter_simd simd);
#endif

#endif
