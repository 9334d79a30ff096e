/* system.h - functions of the operating system that the program needs: for files, folders, terminals, the end of the
 * process, and facts of the machine. system_posix.c implements these functions for POSIX systems, and system_windows.c
 * with system_windows_files.c and system_windows_paths.c for Windows.
 *
 * Paths are UTF-8. A function that fails returns false, -1 or NULL, and sets errno. */
#ifndef TERRANE_PROGRAM_CORE_SYSTEM_H
#define TERRANE_PROGRAM_CORE_SYSTEM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SYSTEM_NAME_MAX = 255 }; /* bytes of the longest name of a file, without its folder */
enum { SYSTEM_INPUT = 0, SYSTEM_OUTPUT = 1, SYSTEM_ERRORS = 2 }; /* the descriptors that a process begins with */

#if !defined(EDQUOT)
#define EDQUOT ENOSPC /* this system does not tell a used-up quota from a full disk */
#endif

/* ---- the process ---- */

/** Prepare the process, before anything opens a file: open each of the descriptors 0, 1 and 2 that is closed, so that
 * no file opened later gets its number. Reading from a closed standard input and writing to a closed standard output
 * still fail. May replace the arguments of the program. Returns false if a descriptor cannot be opened. */
bool system_begin(int *argc, char ***argv);

/** End another process at once. */
void system_kill(int64_t process);

/** Let this thread sleep. A signal may wake it earlier. */
void system_rest(int64_t ns);

/** Whether a descriptor is a terminal. */
bool system_is_terminal(int descriptor);

/** From now on, call `on_end` when the user or the system asks the process to end: by Ctrl-C, by SIGTERM, by closing
 * the terminal. The process then does not end by itself. Call `on_timer` when the timer of system_set_timer has run
 * down. Both functions may interrupt any code, or run at the same time as any code: they may call only functions that a
 * signal handler may call. A write to a pipe that nobody reads, or beyond the largest size of a file, fails from now on
 * and does not end the process. */
void system_watch_ends(void (*on_end)(void), void (*on_timer)(void));

/** Start the timer, which runs down once. If the system has given no timer, this does nothing. A signal handler may
 * call it. */
void system_set_timer(int64_t ns);

/** Write a message to standard error and end the process at once with this status. A signal handler may call it. */
_Noreturn void system_end_at_once(const char *message, int status);

/** Number of columns of the terminal that standard error is connected to; 80 if it is not known. */
int system_terminal_columns(void);

/** Get the path of the running program. Returns false if it is not known. */
bool system_program_path(char *path, size_t size);

/** Fill memory with bytes that cannot be guessed. */
bool system_random(void *bytes, size_t count);

/* ---- the machine ---- */

typedef struct system_machine {
    char cpu[128]; /* "unknown CPU" if not known */
    char system[72], release[72], architecture[72];
    int processors; /* number of processors of the machine */
    double memory_bytes;
} system_machine;

system_machine system_describe_machine(void);

/** Number of processors that are online; 1 if it is not known. */
int system_processors(void);

/* ---- paths ---- */

/** Name of the null device, which discards all bytes that are written to it. */
extern const char *const system_null_device;

/** Offset of the part of a path after its folder: after the last separator. */
size_t system_path_base(const char *path);

/** Length of the folder in a path. The last separator is not counted, unless the folder is a root. `base`: result of
 * system_path_base for the path; must be greater than 0. */
size_t system_path_folder(const char *path, size_t base);

bool system_path_is_absolute(const char *path);

/** Whether the path names the null device. */
bool system_path_is_null(const char *path);

/** Why the system allows no file of this name, as the end of a sentence; NULL if it may allow one. */
const char *system_path_refusal(const char *path);

/** The absolute path of a file that exists; the caller frees it. */
char *system_absolute_path(const char *path);

/* ---- facts of files ---- */

typedef enum {
    SYSTEM_FILE,
    SYSTEM_FOLDER,
    SYSTEM_LINK,
    SYSTEM_PIPE,
    SYSTEM_SOCKET,
    SYSTEM_DEVICE,
} system_kind;

typedef struct system_facts {
    system_kind kind;
    bool is_of_user; /* this user owns the file */
    uint64_t bytes, n_names, device, number;
    int64_t written_s, written_ns; /* time of the last change */
} system_facts;

/** Get facts of the file with this name. If the file is a symbolic link, the facts are those of the link. */
bool system_facts_of_name(const char *path, system_facts *facts);

/** Get facts of the file with this name. A symbolic link is followed. */
bool system_facts_of_target(const char *path, system_facts *facts);

/** Get facts of an open file. */
bool system_facts_of_open(int descriptor, system_facts *facts);

/** "a folder", "a pipe", ... */
const char *system_kind_text(system_kind kind);

bool system_can_read(const char *path);
bool system_can_write_in(const char *folder);
bool system_exists(const char *path);

/** Free bytes of the file system of a folder; UINT64_MAX if not known. */
uint64_t system_free_bytes(const char *folder);

/* ---- open files ---- */

enum {
    SYSTEM_READ = 1,
    SYSTEM_WRITE = 2,
    SYSTEM_CREATE = 4,  /* create the file; fail with EEXIST if the name is in use */
    SYSTEM_NO_LINK = 8, /* fail with ELOOP if the name is a symbolic link */
    SYSTEM_NO_WAIT = 16 /* do not wait for the other end of a pipe */
};

/** Open a file that other programs started by this one do not inherit. how: flags above. Returns a descriptor. */
int system_open(const char *path, int how);
void system_close(int descriptor);
int system_duplicate(int descriptor);

/** Read or write at most `count` bytes. The functions with an offset begin at this offset in the file, and do not
 * change the position of the descriptor. Return the number of bytes that were read or written, which may be less than
 * `count`; -1 after an error. */
int64_t system_read_at(int descriptor, void *bytes, size_t count, uint64_t offset);
int64_t system_write(int descriptor, const void *bytes, size_t count);
int64_t system_write_at(int descriptor, const void *bytes, size_t count, uint64_t offset);

/** Cut a file to its first `bytes` bytes. The next system_write continues after them. */
bool system_truncate(int descriptor, uint64_t bytes);

/** Lock a file against other processes that call this function; the lock ends with the descriptor. Fails with
 * EWOULDBLOCK if another process has the lock. */
bool system_lock(int descriptor);

/** Close a copy of the descriptor, to get errors that the system reports only when a file is closed. The descriptor
 * itself stays open and locked. */
bool system_check_close(int descriptor);

/** Write the bytes of a file to the disk. */
bool system_sync(int descriptor);

/* ---- names ---- */

/** Rename a file. Fails with EEXIST if the new name is in use. If the file system cannot check and rename in one step,
 * a file that another process creates under the new name in between is replaced. */
bool system_rename_new(const char *from, const char *to);

/** Rename a file in one step. A file that has the new name is replaced. */
bool system_rename_over(const char *from, const char *to);

/** Remove a file. A signal handler may call it. */
bool system_remove(const char *path);

/* ---- folders ---- */

/** Open a folder for the functions below. Returns a descriptor, or -1. */
int system_folder_open(const char *folder);
void system_folder_close(int folder);

/** Lock a folder against other processes, as system_lock does. */
bool system_folder_lock(int folder);

/** Write the names in a folder to the disk. */
bool system_folder_sync(int folder);

/** Make a folder. Fails with EEXIST if the name is in use. */
bool system_folder_make(const char *folder);

/** Remove an empty folder. */
bool system_folder_remove(const char *folder);

/** Call `visit` for each name in a folder. Does nothing if the folder cannot be read. */
void system_folder_list(const char *folder, void (*visit)(void *user, const char *name), void *user);

/* ---- text in memory ---- */

/** A text that grows. */
typedef struct system_text {
    FILE *to;   /* the caller writes the text to this stream */
    char *text; /* after system_text_close: the text, ended by a zero byte; the caller frees it */
    size_t size;
    void *state;
} system_text;

bool system_text_open(system_text *text);

/** Complete the text. Returns false if there is not enough memory. */
bool system_text_close(system_text *text);

#endif
