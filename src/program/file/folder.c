/* folder.c - locks folders, waiting for other processes, and writes them to the disk. */
#include "program/file/folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "program/core/system.h"

void folder_of(const char *path, char folder[FOLDER_PATH])
{
    const size_t base = system_path_base(path);
    if (base == 0)
        strcpy(folder, ".");
    else
        snprintf(folder, FOLDER_PATH, "%.*s", (int)system_path_folder(path, base), path);
}

static int open_folder(const char *path)
{
    char folder[FOLDER_PATH];
    folder_of(path, folder);
    return system_folder_open(folder);
}

result folder_lock(const char *path, int *lock)
{
    enum { TRIES = 2000, PAUSE_NS = 5000000 };
    *lock = open_folder(path);
    if (*lock < 0) /* the folder may be writable but not readable: go on without a lock */
        return result_done();
    for (int n = 0; n < TRIES; n++) {
        if (system_folder_lock(*lock))
            return result_done();
        if (errno != EWOULDBLOCK && errno != EINTR) {
            folder_unlock(*lock);
            *lock = -1;
            return result_done();
        }
        system_rest(PAUSE_NS);
    }
    folder_unlock(*lock);
    *lock = -1;
    return result_of(RESULT_FILE, "cannot write '%s': another process has locked its folder for ten seconds", path);
}

void folder_unlock(int lock)
{
    if (lock >= 0)
        system_folder_close(lock);
}

result folder_sync(const char *path)
{
    const int folder = open_folder(path);
    const bool is_synced = folder >= 0 && system_folder_sync(folder);
    const result res = is_synced ? result_done() : result_of_file("write to the disk the folder of", path);
    if (folder >= 0)
        system_folder_close(folder);
    return res;
}
