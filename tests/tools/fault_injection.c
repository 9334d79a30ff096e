/* fault_injection.c - a library for LD_PRELOAD that makes the n-th operation of a program fail, so that a test can try
 * every n. The program need not be changed.
 *
 *   TERRANE_FAULT=KIND:N[+][:WHAT]
 *       The N-th operation of a kind after the beginning of main fails. With + all later operations fail, too.
 *   KIND
 *       memory   malloc, calloc, realloc, aligned_alloc, posix_memalign
 *       own      the same functions, called by the program or libpng. Calls by other libraries may be on behalf of a
 *                driver and do not count.
 *       module   the same functions, called by the Python module or libstdc++, not by the interpreter or other packages
 *       create   open, openat and fopen, if they may create a file
 *       open     open, openat and fopen, if they may not create a file
 *       read     read and pread of files
 *       write    write and pwrite to files
 *       name     rename, renameat2, unlink, unlinkat, link, mkdir
 *       sync     fsync, fdatasync
 *       size     ftruncate
 *       close    close of files that the program created
 *       lock     flock
 *       thread   pthread_create
 *       file     create, write, name, sync, size, close and lock, counted together
 *   WHAT
 *       errno of the failure: ENOSPC, EIO, EACCES, EROFS, EDQUOT, EFBIG, EMFILE, EINTR, ENOMEM or EAGAIN; default EIO
 *       kill     the process is killed just before the operation
 *       short    a write stores only half of its bytes
 *   TERRANE_FAULT_LOG=FILE
 *       The file gets a line "KIND FUNCTION RESULT PATH [PATH]" for each operation of the kinds create, write, name and
 *       sync. RESULT is what the function returned; for a write, the number of bytes to write. When operation N fails,
 *       the file gets a line "fault KIND N FUNCTION". If this line is missing, the program ended before operation N.
 *
 * These operations do not count: requests for memory or threads by the dynamic linker and by libraries that end the
 * process when a request fails, such as drivers of OpenGL; the opening of files by these libraries with open or openat;
 * operations on the descriptors 0 to 2.
 * Build: cc -shared -fPIC -o fault_injection.so fault_injection.c. Programs built with sanitizers cannot use it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind { MEMORY, CREATE, OPEN, READ, WRITE, NAME, SYNC, SIZE, CLOSE, LOCK, THREAD, KINDS };
static const char *const kinds[] = {"memory", "create", "open",  "read", "write", "name",
                                    "sync",   "size",   "close", "lock", "thread"};
static const struct {
    const char *name;
    int value;
} errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EACCES", EACCES}, {"EROFS", EROFS},   {"EDQUOT", EDQUOT},
              {"EFBIG", EFBIG},   {"EMFILE", EMFILE}, {"EINTR", EINTR},   {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN}};
enum { DESCRIPTORS = 1024 };

static bool is_counted[KINDS]; /* the kinds that TERRANE_FAULT names */
static long fault_at;
static bool all_later, kills, is_short, is_own_only, is_of_module;
static int fault_errno = EIO;
static atomic_long n_operations;
static atomic_bool is_running; /* main has begun and has not returned */
static int log_descriptor = -1;
static atomic_bool is_created[DESCRIPTORS];

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* ---- the log, which uses neither stdio nor malloc ---- */

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    char line[4096];
    if (log_descriptor < 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0)
        syscall(SYS_write, log_descriptor, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

/** Path of the file that a descriptor is open on. */
static const char *path_of(int descriptor, char path[1024])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const ssize_t n = readlink(link, path, 1023);
    path[n > 0 ? n : 0] = '\0';
    return path;
}

/* ---- the fault ---- */

/** Count an operation. Returns whether it must fail. */
static bool fails(enum kind kind, const char *function)
{
    if (!is_running || !is_counted[kind])
        return false;
    const long n = atomic_fetch_add(&n_operations, 1) + 1;
    if (n < fault_at || (n > fault_at && !all_later))
        return false;
    if (n == fault_at)
        note("fault %s %ld %s\n", kinds[kind], n, function);
    if (kills)
        syscall(SYS_kill, getpid(), SIGKILL);
    errno = kind == MEMORY ? ENOMEM : fault_errno;
    return true;
}

static void read_fault(char *text)
{
    char *kind = strtok(text, ":"), *n = strtok(NULL, ":"), *what = strtok(NULL, ":");
    bool is_known = false;
    is_own_only = kind && strcmp(kind, "own") == 0;
    is_of_module = kind && strcmp(kind, "module") == 0;
    for (int k = 0; kind && k < KINDS; k++) {
        const bool is_disk = k == CREATE || (k >= WRITE && k <= LOCK);
        is_counted[k] = strcmp(kind, kinds[k]) == 0 || (strcmp(kind, "file") == 0 && is_disk) ||
                        (k == MEMORY && (is_own_only || is_of_module));
        is_known |= is_counted[k];
    }
    fault_at = n ? strtol(n, NULL, 10) : 0;
    all_later = n && strchr(n, '+');
    kills = what && strcmp(what, "kill") == 0;
    is_short = what && strcmp(what, "short") == 0;
    bool is_error = !what || kills || is_short;
    for (size_t e = 0; what && e < sizeof errors / sizeof errors[0]; e++)
        if (strcmp(what, errors[e].name) == 0) {
            fault_errno = errors[e].value;
            is_error = true;
        }
    if (kind && strcmp(kind, "gl") == 0) /* gl_faults.c handles this kind */
        return;
    if (!is_known || fault_at < 1 || !is_error) {
        static const char sentence[] = "fault_injection: TERRANE_FAULT is not KIND:N[+][:WHAT]\n";
        syscall(SYS_write, 2, sentence, sizeof sentence - 1);
        _exit(99);
    }
}

static int (*program_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
    char text[64] = "";
    const char *fault = getenv("TERRANE_FAULT"), *log = getenv("TERRANE_FAULT_LOG");
    if (log)
        log_descriptor = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fault) {
        snprintf(text, sizeof text, "%s", fault);
        read_fault(text);
    }
    is_running = true;
    const int status = program_main(argc, argv, environment);
    is_running = false;
    return status;
}

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*linker_fini)(void), void *stack_end);
int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*linker_fini)(void), void *stack_end)
{
    program_main = program;
    return REAL(__libc_start_main)(counted_main, argc, argv, init, fini, linker_fini, stack_end);
}

/* Functions for a program that sets its faults itself, such as a Python test: to start Python again for each fault
 * would take longer than the tested operations. */

__attribute__((visibility("default"))) void terrane_fault_begin(const char *fault);
__attribute__((visibility("default"))) long terrane_fault_end(void);

/** Count from 1 again. `fault` has the form of TERRANE_FAULT. */
void terrane_fault_begin(const char *fault)
{
    char text[64];
    snprintf(text, sizeof text, "%s", fault);
    n_operations = 0;
    read_fault(text);
}

/** End the faults. Returns how many operations were counted. */
long terrane_fault_end(void)
{
    memset(is_counted, 0, sizeof is_counted);
    return n_operations;
}

/* ---- memory ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/** Name of the library that an address of code lies in: empty for the program, NULL for code that a driver has
 * compiled. */
static const char *library_of(const void *code)
{
    struct dl_find_object found; /* dladdr would search all symbols of a library in each call */
    return _dl_find_object((void *)code, &found) == 0 ? found.dlfo_link_map->l_name : NULL;
}

/** Whether a library ends the process if a request fails, as Mesa and LLVM do. Its requests do not count. */
static bool is_of_system(const char *library)
{
    static const char *const libraries[] = {"libgomp", "/ld-linux", "libLLVM",  "libstdc++", "_dri.so",   "libgallium",
                                            "libEGL",  "libGL",     "libglapi", "libdrm",    "libOpenGL", "libexpat",
                                            "libgbm",  "libX",      "libxcb",   "libglfw",   "libelf"};
    if (!library)
        return true;
    for (size_t n = 0; n < sizeof libraries / sizeof libraries[0]; n++)
        if (strstr(library, libraries[n]))
            return true;
    return false;
}

/** Whether a request for memory or a thread does not count. */
static bool is_foreign(const void *caller)
{
    const char *library = library_of(caller);
    if (is_of_module)
        return !library || !(strstr(library, "/_core.") || strstr(library, "/libstdc++"));
    return is_of_system(library) || (is_own_only && *library && !strstr(library, "/libpng"));
}

#define MEMORY_FAILS(function)                                                                                         \
    (is_running && is_counted[MEMORY] && !is_foreign(__builtin_return_address(0)) && fails(MEMORY, function))

void *malloc(size_t size)
{
    return MEMORY_FAILS("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return MEMORY_FAILS("calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return MEMORY_FAILS("realloc") ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return MEMORY_FAILS("aligned_alloc") ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = MEMORY_FAILS("posix_memalign") ? NULL : __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user)
{
    const bool is_counting = is_running && is_counted[THREAD] && !is_foreign(__builtin_return_address(0));
    return is_counting && fails(THREAD, "pthread_create") ? EAGAIN
                                                          : REAL(pthread_create)(thread, attributes, start, user);
}

/* ---- files ---- */

static int opened(const char *function, int flags, const char *path, int descriptor)
{
    if (flags & O_CREAT) {
        note("create %s %d %s\n", function, descriptor, path);
        if (descriptor >= 0 && descriptor < DESCRIPTORS)
            is_created[descriptor] = true;
    }
    return descriptor;
}

static int open_at(const char *function, const void *caller, int folder, const char *path, int flags, va_list arguments)
{
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    const bool is_counting = !is_of_system(library_of(caller));
    if (is_counting && fails(flags & O_CREAT ? CREATE : OPEN, function))
        return -1;
    const int descriptor = (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
    return is_counting ? opened(function, flags, path, descriptor) : descriptor;
}

#define OPEN_FUNCTION(name)                                                                                            \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const int descriptor = open_at(#name, __builtin_return_address(0), AT_FDCWD, path, flags, arguments);          \
        va_end(arguments);                                                                                             \
        return descriptor;                                                                                             \
    }
#define OPENAT_FUNCTION(name)                                                                                          \
    int name(int folder, const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, flags);                                                                                    \
        const int descriptor = open_at(#name, __builtin_return_address(0), folder, path, flags, arguments);            \
        va_end(arguments);                                                                                             \
        return descriptor;                                                                                             \
    }
OPEN_FUNCTION(open)
OPEN_FUNCTION(open64)
OPENAT_FUNCTION(openat)
OPENAT_FUNCTION(openat64)

#define FOPEN_FUNCTION(name)                                                                                           \
    FILE *name(const char *path, const char *mode)                                                                     \
    {                                                                                                                  \
        return fails(*mode == 'r' ? OPEN : CREATE, #name) ? NULL : REAL(name)(path, mode);                             \
    }
FOPEN_FUNCTION(fopen)
FOPEN_FUNCTION(fopen64)

ssize_t read(int descriptor, void *bytes, size_t count)
{
    return descriptor > 2 && fails(READ, "read") ? -1 : syscall(SYS_read, descriptor, bytes, count);
}

#define PREAD_FUNCTION(name)                                                                                           \
    ssize_t name(int descriptor, void *bytes, size_t count, off_t offset)                                              \
    {                                                                                                                  \
        return fails(READ, #name) ? -1 : syscall(SYS_pread64, descriptor, bytes, count, offset);                       \
    }
PREAD_FUNCTION(pread)
PREAD_FUNCTION(pread64)

/** Whether an operation on a descriptor counts: the program must have created the file. */
static bool is_own(int descriptor)
{
    return descriptor > 2 && descriptor < DESCRIPTORS && is_created[descriptor];
}

static ssize_t write_at(const char *function, int descriptor, const void *bytes, size_t count, bool is_placed,
                        off_t offset)
{
    char path[1024];
    if (is_own(descriptor)) {
        note("write %s %zu %s\n", function, count, path_of(descriptor, path));
        if (fails(WRITE, function)) {
            if (!is_short)
                return -1;
            count = count / 2 + (count == 1);
        }
    }
    return is_placed ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                     : syscall(SYS_write, descriptor, bytes, count);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    return write_at("write", descriptor, bytes, count, false, 0);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return write_at("pwrite", descriptor, bytes, count, true, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return write_at("pwrite64", descriptor, bytes, count, true, offset);
}

static int named(const char *function, const char *from, const char *to, int result)
{
    note("name %s %d %s %s\n", function, result, from, to);
    return result;
}

int rename(const char *from, const char *to)
{
    return fails(NAME, "rename")
               ? -1
               : named("rename", from, to, (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags)
{
    return fails(NAME, "renameat2")
               ? -1
               : named("renameat2", from, to, (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

int link(const char *from, const char *to)
{
    return fails(NAME, "link") ? -1
                               : named("link", from, to, (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int unlink(const char *path)
{
    return fails(NAME, "unlink") ? -1 : named("unlink", path, "", (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

int unlinkat(int folder, const char *path, int flags)
{
    return fails(NAME, "unlinkat") ? -1 : named("unlinkat", path, "", (int)syscall(SYS_unlinkat, folder, path, flags));
}

int mkdir(const char *path, mode_t mode)
{
    return fails(NAME, "mkdir") ? -1 : named("mkdir", path, "", (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

static int synced(const char *function, int descriptor, long call)
{
    char path[1024];
    if (fails(SYNC, function))
        return -1;
    const int result = (int)syscall(call, descriptor);
    note("sync %s %d %s\n", function, result, path_of(descriptor, path));
    return result;
}

int fsync(int descriptor)
{
    return synced("fsync", descriptor, SYS_fsync);
}

int fdatasync(int descriptor)
{
    return synced("fdatasync", descriptor, SYS_fdatasync);
}

#define FTRUNCATE_FUNCTION(name)                                                                                       \
    int name(int descriptor, off_t size)                                                                               \
    {                                                                                                                  \
        return fails(SIZE, #name) ? -1 : (int)syscall(SYS_ftruncate, descriptor, size);                                \
    }
FTRUNCATE_FUNCTION(ftruncate)
FTRUNCATE_FUNCTION(ftruncate64)

/** A duplicate of a counted descriptor counts, too. */
static int control(int descriptor, int command, va_list arguments)
{
    void *argument = va_arg(arguments, void *);
    const int result = (int)syscall(SYS_fcntl, descriptor, command, argument);
    const bool is_duplicate = (command == F_DUPFD || command == F_DUPFD_CLOEXEC) && result >= 0 && result < DESCRIPTORS;
    if (is_duplicate)
        is_created[result] = is_own(descriptor);
    return result;
}

#define FCNTL_FUNCTION(name)                                                                                           \
    int name(int descriptor, int command, ...)                                                                         \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, command);                                                                                  \
        const int result = control(descriptor, command, arguments);                                                    \
        va_end(arguments);                                                                                             \
        return result;                                                                                                 \
    }
FCNTL_FUNCTION(fcntl)
FCNTL_FUNCTION(fcntl64)

/** As in the kernel, the descriptor is closed even if close returns an error. */
int close(int descriptor)
{
    const bool is_failing = is_own(descriptor) && fails(CLOSE, "close");
    const int error = errno;
    if (descriptor >= 0 && descriptor < DESCRIPTORS)
        is_created[descriptor] = false;
    const int result = (int)syscall(SYS_close, descriptor);
    if (is_failing)
        errno = error;
    return is_failing ? -1 : result;
}

int flock(int descriptor, int operation)
{
    return fails(LOCK, "flock") ? -1 : (int)syscall(SYS_flock, descriptor, operation);
}
