/* abandon.c - keeps the list of files and processes in an array of fixed size, because a signal handler can neither
 * lock nor allocate. */
#include "program/core/abandon.h"

#include <stdatomic.h>
#include <string.h>

#include "program/core/system.h"

enum { SLOTS = 64, PATH_SIZE = 1088 };
enum { SLOT_FREE, SLOT_TAKEN, SLOT_FILE, SLOT_PROGRAM }; /* SLOT_TAKEN: its path or process is being written */

static struct {
    atomic_int state;
    char path[PATH_SIZE];
    int64_t program;
} slots[SLOTS];

static atomic_int n_blocks;

/** Take a free slot. Returns its number; -1 if none is free. */
static int take(void)
{
    for (int n = 0; n < SLOTS; n++) {
        int expected = SLOT_FREE;
        if (atomic_compare_exchange_strong(&slots[n].state, &expected, SLOT_TAKEN))
            return n;
    }
    return -1;
}

void abandon_file(const char *path)
{
    const int n = strlen(path) < PATH_SIZE ? take() : -1;
    if (n < 0)
        return;
    strcpy(slots[n].path, path);
    atomic_store(&slots[n].state, SLOT_FILE);
}

void abandon_forget_file(const char *path)
{
    for (int n = 0; n < SLOTS; n++)
        if (atomic_load(&slots[n].state) == SLOT_FILE && strcmp(slots[n].path, path) == 0) {
            atomic_store(&slots[n].state, SLOT_FREE);
            return;
        }
}

void abandon_program(int64_t program)
{
    const int n = take();
    if (n < 0)
        return;
    slots[n].program = program;
    atomic_store(&slots[n].state, SLOT_PROGRAM);
}

void abandon_forget_program(int64_t program)
{
    for (int n = 0; n < SLOTS; n++)
        if (atomic_load(&slots[n].state) == SLOT_PROGRAM && slots[n].program == program)
            atomic_store(&slots[n].state, SLOT_FREE);
}

void abandon_block(void)
{
    atomic_fetch_add(&n_blocks, 1);
}

void abandon_unblock(void)
{
    atomic_fetch_sub(&n_blocks, 1);
}

bool abandon_all(void)
{
    if (atomic_load(&n_blocks) > 0)
        return false;
    for (int n = 0; n < SLOTS; n++) { /* processes first: they could write their files again */
        if (atomic_load(&slots[n].state) == SLOT_PROGRAM)
            system_kill(slots[n].program);
    }
    for (int n = 0; n < SLOTS; n++)
        if (atomic_load(&slots[n].state) == SLOT_FILE)
            system_remove(slots[n].path);
    return true;
}
