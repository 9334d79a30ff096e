/* temporary.c - creates temporary files under random names, and removes those of killed processes. */
#include "program/file/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include "program/core/abandon.h"
#include "program/file/folder.h"
#include "program/file/path_name.h"

#define INFIX ".part-"
static const char LETTERS[] = "0123456789abcdefghijklmnopqrstuv"; /* 5 bits each */
enum { N_LETTERS = 13, INFIX_LENGTH = sizeof INFIX - 1 };

/** Length that a name must be cut to so that the file system allows it with `n_added` bytes appended. UTF-8 characters
 * are not split. */
static size_t cut_name(const char *name, size_t n_added)
{
    size_t length = strlen(name);
    if (length + n_added <= NAME_MAX)
        return length;
    for (length = NAME_MAX - n_added; length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80;)
        length--;
    return length;
}

bool temporary_name(const char *path, const char *ending, char temporary[TEMPORARY_PATH])
{
    uint64_t bits;
    char letters[N_LETTERS + 1] = "";
    const char *name = path_base(path);
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        return false;
    for (int n = 0; n < N_LETTERS; n++, bits >>= 5)
        letters[n] = LETTERS[bits & 31];
    const size_t length = cut_name(name, INFIX_LENGTH + N_LETTERS + strlen(ending));
    if (snprintf(temporary, TEMPORARY_PATH, "%.*s%.*s" INFIX "%s%s", (int)(name - path), path, (int)length, name,
                 letters, ending) < TEMPORARY_PATH)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

int temporary_create(const char *path, const char *ending, char temporary[TEMPORARY_PATH])
{
    enum { TRIES = 100 };
    struct stat facts;
    for (int n = 0; n < TRIES && temporary_name(path, ending, temporary); n++) {
        /* Register the file, for removal if a signal ends the program, before the file exists. This removes no file of
         * another process, because no other process uses this random name. */
        abandon_file(temporary);
        const int descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (descriptor < 0)
            abandon_forget_file(temporary);
        if (descriptor < 0 && errno == EEXIST)
            continue;
        if (descriptor < 0)
            break;
        /* before the file was locked, another process may have removed it as an orphan */
        const bool is_lost = (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
                             (fstat(descriptor, &facts) == 0 && facts.st_nlink == 0);
        if (!is_lost)
            return descriptor;
        close(descriptor);
        abandon_forget_file(temporary);
    }
    temporary[0] = '\0';
    return -1;
}

bool temporary_is_own(const struct stat *facts)
{
    return S_ISREG(facts->st_mode) && facts->st_nlink == 1 && facts->st_uid == geteuid();
}

/** Length of the name before the infix of a temporary file's name; 0 if `entry` is not a temporary file. */
static size_t stem_length(const char *entry)
{
    const char *infix = NULL;
    for (const char *at = entry; (at = strstr(at, INFIX)); at++)
        infix = at;
    if (!infix)
        return 0;
    const char *letters = infix + INFIX_LENGTH;
    const size_t n_letters = strspn(letters, LETTERS);
    return n_letters == N_LETTERS && (letters[N_LETTERS] == '\0' || letters[N_LETTERS] == '.') ? (size_t)(infix - entry)
                                                                                               : 0;
}

/** Remove a temporary file if this user made it and no process holds its lock. */
static void remove_orphan(int folder, const char *entry)
{
    struct stat facts;
    const int descriptor = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &facts) == 0 && temporary_is_own(&facts) && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, entry, 0);
    close(descriptor);
}

void temporary_clean(const char *path, bool (*is_wanted)(void *user, const char *name), void *user)
{
    char folder[FOLDER_PATH], name[NAME_MAX + 1];
    int lock;
    folder_of(path, folder);
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    if (folder_lock(path, &lock).kind == RESULT_DONE) {
        for (const struct dirent *entry; (entry = readdir(entries));) {
            const size_t length = stem_length(entry->d_name);
            snprintf(name, sizeof name, "%.*s", (int)length, entry->d_name);
            if (length && is_wanted(user, name))
                remove_orphan(dirfd(entries), entry->d_name);
        }
        folder_unlock(lock);
    }
    closedir(entries);
}
