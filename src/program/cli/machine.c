/* machine.c - collects facts about the machine from the operating system and the library. */
#include "program/cli/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "terrane/terrane.h"

/** Read "model name" from /proc/cpuinfo; "unknown CPU" if there is none. */
static void cpu_name(char *name, size_t size)
{
    char line[256];
    snprintf(name, size, "unknown CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, size, "%s", colon + 2);
            name[strcspn(name, "\n")] = '\0';
            break;
        }
    }
    if (file)
        fclose(file);
}

static long n_cores(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

static double memory_gib(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / (1024.0 * 1024.0 * 1024.0);
}

static void print_device(int n)
{
    ter_device d = {TER_SIZED(ter_device)};
    if (ter_device_describe(n, &d) != TER_OK) {
        printf("cuda device %d: %s\n", n, ter_error_detail());
        return;
    }
    printf("cuda device %d: %s, compute capability %d.%d, %d multiprocessors, %.0f GiB, driver CUDA %d.%d, runtime "
           "%d.%d\n",
           n, d.name, d.compute_major, d.compute_minor, d.multiprocessors,
           (double)d.memory_bytes / (1024.0 * 1024.0 * 1024.0), d.driver_version / 1000, d.driver_version % 1000 / 10,
           d.runtime_version / 1000, d.runtime_version % 1000 / 10);
}

static const char *simd_name(ter_simd simd)
{
    return ter_simd_name(simd == TER_SIMD_AUTO ? ter_simd_best() : simd);
}

void machine_print(ter_simd simd)
{
    char name[128], reason[256];
    cpu_name(name, sizeof name);
    printf("cpu: %s, %ld cores, SIMD %s, %.0f GiB\n", name, n_cores(), simd_name(simd), memory_gib());
    const int n_devices = ter_device_count(reason, sizeof reason);
    if (n_devices == 0)
        printf("cuda: none (%s)\n", reason);
    for (int n = 0; n < n_devices; n++)
        print_device(n);
}

#ifdef TER_HAVE_JSON

cJSON *machine_json(ter_simd simd)
{
    char name[128], reason[256];
    cJSON *machine = cJSON_CreateObject();
    cpu_name(name, sizeof name);
    struct utsname system;
    char time_text[32];
    const time_t now = time(NULL);
    struct tm utc;
    strftime(time_text, sizeof time_text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    cJSON_AddStringToObject(machine, "terrane", ter_version());
    cJSON_AddStringToObject(machine, "time", time_text);
    cJSON_AddStringToObject(machine, "build", TER_COMPILER " " TER_BUILD_TYPE);
    if (uname(&system) == 0) {
        cJSON_AddStringToObject(machine, "system", system.sysname);
        cJSON_AddStringToObject(machine, "release", system.release);
        cJSON_AddStringToObject(machine, "architecture", system.machine);
    }
    cJSON_AddStringToObject(machine, "cpu", name);
    cJSON_AddNumberToObject(machine, "cores", (double)n_cores());
    cJSON_AddStringToObject(machine, "simd", simd_name(simd));
    cJSON_AddNumberToObject(machine, "memory_gib", memory_gib());
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
        cJSON_AddNumberToObject(device, "memory_gib", (double)d.memory_bytes / (1024.0 * 1024.0 * 1024.0));
        cJSON_AddNumberToObject(device, "driver", d.driver_version);
        cJSON_AddNumberToObject(device, "runtime", d.runtime_version);
    }
    return machine;
}

#endif
