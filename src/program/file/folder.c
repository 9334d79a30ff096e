/* folder.c - locks folders by flock and writes them to the disk by fsync. */
#include "program/file/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

void folder_of(const char *path, char folder[FOLDER_PATH])
{
    snprintf(folder, FOLDER_PATH, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    else
        strcpy(folder, ".");
}

static int open_folder(const char *path)
{
    char folder[FOLDER_PATH];
    folder_of(path, folder);
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

result folder_lock(const char *path, int *lock)
{
    enum { TRIES = 2000 };
    static const struct timespec pause = {0, 5000000};
    *lock = open_folder(path);
    if (*lock < 0) /* the folder may be writable but not readable: go on without a lock */
        return result_done();
    for (int n = 0; n < TRIES; n++) {
        if (flock(*lock, LOCK_EX | LOCK_NB) == 0)
            return result_done();
        if (errno != EWOULDBLOCK && errno != EINTR) {
            folder_unlock(*lock);
            *lock = -1;
            return result_done();
        }
        nanosleep(&pause, NULL);
    }
    folder_unlock(*lock);
    *lock = -1;
    return result_of(RESULT_FILE, "cannot write '%s': another process has locked its folder for ten seconds", path);
}

void folder_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}

result folder_sync(const char *path)
{
    const int folder = open_folder(path);
    const bool is_synced = folder >= 0 && fsync(folder) == 0;
    const result res = is_synced ? result_done() : result_of_file("write to the disk the folder of", path);
    if (folder >= 0)
        close(folder);
    return res;
}
