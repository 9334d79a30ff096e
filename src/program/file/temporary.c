/* temporary.c - creates temporary files under random names, and removes those of killed processes. */
#include "program/file/temporary.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "program/core/abandon.h"
#include "program/core/system.h"
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
    if (length + n_added <= SYSTEM_NAME_MAX)
        return length;
    for (length = SYSTEM_NAME_MAX - n_added; length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80;)
        length--;
    return length;
}

bool temporary_name(const char *path, const char *ending, char temporary[TEMPORARY_PATH])
{
    uint64_t bits;
    char letters[N_LETTERS + 1] = "";
    const char *name = path_base(path);
    if (!system_random(&bits, sizeof bits))
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
    system_facts facts;
    for (int n = 0; n < TRIES && temporary_name(path, ending, temporary); n++) {
        /* Register the file, for removal if a signal ends the program, before the file exists. This removes no file of
         * another process, because no other process uses this random name. */
        abandon_file(temporary);
        const int descriptor = system_open(temporary, SYSTEM_READ | SYSTEM_WRITE | SYSTEM_CREATE | SYSTEM_NO_LINK);
        if (descriptor < 0)
            abandon_forget_file(temporary);
        if (descriptor < 0 && errno == EEXIST)
            continue;
        if (descriptor < 0)
            break;
        /* before the file was locked, another process may have removed it as an orphan */
        const bool is_lost = (!system_lock(descriptor) && errno == EWOULDBLOCK) ||
                             (system_facts_of_open(descriptor, &facts) && facts.n_names == 0);
        if (!is_lost)
            return descriptor;
        system_close(descriptor);
        abandon_forget_file(temporary);
    }
    temporary[0] = '\0';
    return -1;
}

bool temporary_is_own(const system_facts *facts)
{
    return facts->kind == SYSTEM_FILE && facts->n_names == 1 && facts->is_of_user;
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

/** Temporary files of a folder that are to be removed. */
typedef struct cleaning {
    const char *folder;
    bool (*is_wanted)(void *user, const char *name);
    void *user;
} cleaning;

/** Remove a temporary file if this user made it and no process holds its lock. */
static void remove_orphan(const char *path)
{
    system_facts facts;
    const int descriptor = system_open(path, SYSTEM_READ | SYSTEM_NO_LINK | SYSTEM_NO_WAIT);
    if (descriptor < 0)
        return;
    if (system_facts_of_open(descriptor, &facts) && temporary_is_own(&facts) && system_lock(descriptor))
        system_remove(path);
    system_close(descriptor);
}

static void clean_entry(void *user, const char *entry)
{
    const cleaning *c = user;
    const size_t length = stem_length(entry);
    char name[SYSTEM_NAME_MAX + 1], path[FOLDER_PATH + SYSTEM_NAME_MAX + 2];
    snprintf(name, sizeof name, "%.*s", (int)length, entry);
    if (length && c->is_wanted(c->user, name) &&
        snprintf(path, sizeof path, "%s/%s", c->folder, entry) < (int)sizeof path)
        remove_orphan(path);
}

void temporary_clean(const char *path, bool (*is_wanted)(void *user, const char *name), void *user)
{
    char folder[FOLDER_PATH];
    int lock;
    folder_of(path, folder);
    if (folder_lock(path, &lock).kind != RESULT_DONE)
        return;
    cleaning c = {folder, is_wanted, user};
    system_folder_list(folder, clean_entry, &c);
    folder_unlock(lock);
}

static bool is_of_file(void *user, const char *name)
{
    const char *path = user;
    return strcmp(name, path_base(path)) == 0;
}

void temporary_clean_file(const char *path)
{
    temporary_clean(path, is_of_file, (void *)path);
}
