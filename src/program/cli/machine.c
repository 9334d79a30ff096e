/* machine.c - collects facts about the machine from the operating system and the library. */
#include "program/cli/machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "program/core/system.h"
#include "terrane/terrane.h"

static const double GIB = 1024.0 * 1024.0 * 1024.0;

static void print_device(int n)
{
    ter_device d = {TER_SIZED(ter_device)};
    if (ter_device_describe(n, &d) != TER_OK) {
        printf("cuda device %d: %s\n", n, ter_error_detail());
        return;
    }
    printf("cuda device %d: %s, compute capability %d.%d, %d multiprocessors, %.0f GiB, driver CUDA %d.%d, runtime "
           "%d.%d\n",
           n, d.name, d.compute_major, d.compute_minor, d.multiprocessors, (double)d.memory_bytes / GIB,
           d.driver_version / 1000, d.driver_version % 1000 / 10, d.runtime_version / 1000,
           d.runtime_version % 1000 / 10);
}

static const char *simd_name(ter_simd simd)
{
    return ter_simd_name(simd == TER_SIMD_AUTO ? ter_simd_best() : simd);
}

void machine_print(ter_simd simd)
{
    char reason[256];
    const system_machine m = system_describe_machine();
    printf("cpu: %s, %d cores, SIMD %s, %.0f GiB\n", m.cpu, m.processors, simd_name(simd), m.memory_bytes / GIB);
    const int n_devices = ter_device_count(reason, sizeof reason);
    if (n_devices == 0)
        printf("cuda: none (%s)\n", reason);
    for (int n = 0; n < n_devices; n++)
        print_device(n);
}

#ifdef TER_HAVE_JSON

cJSON *machine_json(ter_simd simd)
{
    char reason[256], time_text[32];
    cJSON *machine = cJSON_CreateObject();
    const system_machine m = system_describe_machine();
    const time_t now = time(NULL);
    struct tm utc;
    strftime(time_text, sizeof time_text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    cJSON_AddStringToObject(machine, "terrane", ter_version());
    cJSON_AddStringToObject(machine, "time", time_text);
    cJSON_AddStringToObject(machine, "build", TER_COMPILER " " TER_BUILD_TYPE);
    cJSON_AddStringToObject(machine, "system", m.system);
    cJSON_AddStringToObject(machine, "release", m.release);
    cJSON_AddStringToObject(machine, "architecture", m.architecture);
    cJSON_AddStringToObject(machine, "cpu", m.cpu);
    cJSON_AddNumberToObject(machine, "cores", m.processors);
    cJSON_AddStringToObject(machine, "simd", simd_name(simd));
    cJSON_AddNumberToObject(machine, "memory_gib", m.memory_bytes / GIB);
    cJSON *devices = cJSON_AddArrayToObject(machine, "cuda_devices");
    const int n_devices = ter_device_count(reason, sizeof reason);
    if (n_devices == 0)
        cJSON_AddStringToObject(machine, "cuda_reason", reason);
    for (int n = 0; n < n_devices; n++) {
        ter_device d = {TER_SIZED(ter_device)};
        if (ter_device_describe(n, &d) != TER_OK)
            continue;
        cJSON *device = cJSON_CreateObject();
        cJSON_AddItemToArray(devices, device);
        cJSON_AddStringToObject(device, "name", d.name);
        cJSON_AddNumberToObject(device, "compute_capability", d.compute_major + d.compute_minor / 10.0);
        cJSON_AddNumberToObject(device, "multiprocessors", d.multiprocessors);
        cJSON_AddNumberToObject(device, "memory_gib", (double)d.memory_bytes / GIB);
        cJSON_AddNumberToObject(device, "driver", d.driver_version);
        cJSON_AddNumberToObject(device, "runtime", d.runtime_version);
    }
    return machine;
}

#endif
