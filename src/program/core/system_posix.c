/* system_posix.c - implements system.h with functions of POSIX, and with functions of Linux and macOS where POSIX has
 * none. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) || defined(__APPLE__)
#include <sys/random.h> /* getrandom of Linux, getentropy of macOS */
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#elif defined(__FreeBSD__)
#include <sys/sysctl.h>
#endif
#if defined(__linux__)
#include <sys/auxv.h>
#include <sys/syscall.h>
#endif

#include "program/core/system.h"

/* ---- the process ---- */

/** Open /dev/null in place of closed descriptors. Standard input is opened for writing and standard output for reading,
 * so that using them fails. */
bool system_begin(int *argc, char ***argv)
{
    static const int modes[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};
    (void)argc, (void)argv;
    for (int n = STDIN_FILENO; n <= STDERR_FILENO; n++)
        if (fcntl(n, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", modes[n]) != n) /* the lowest free number is n */
            return false;
    return true;
}

static void (*call_at_end)(void), (*call_at_timer)(void);
static volatile sig_atomic_t has_timer;

static void on_signal(int number)
{
    const int error = errno; /* of the interrupted call */
    (number == SIGALRM ? call_at_timer : call_at_end)();
    errno = error;
}

void system_watch_ends(void (*on_end)(void), void (*on_timer)(void))
{
    static const int ends[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
    const struct sigaction action = {.sa_handler = on_signal};
    struct sigaction present;
    call_at_end = on_end;
    call_at_timer = on_timer;
    has_timer = sigaction(SIGALRM, &action, NULL) == 0;
    for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++)
        if (ends[n] != SIGHUP || sigaction(SIGHUP, NULL, &present) != 0 || present.sa_handler != SIG_IGN)
            sigaction(ends[n], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void system_set_timer(int64_t ns)
{
    const int64_t us = ns / 1000;
    const struct itimerval once = {.it_value = {.tv_sec = us / 1000000, .tv_usec = us % 1000000}};
    if (has_timer)
        setitimer(ITIMER_REAL, &once, NULL); /* macOS and OpenBSD lack timer_settime() */
}

_Noreturn void system_end_at_once(const char *message, int status)
{
    if (write(STDERR_FILENO, message, strlen(message)) < 0)
        _exit(status);
    _exit(status);
}

void system_kill(int64_t process)
{
    kill((pid_t)process, SIGKILL);
}

void system_rest(int64_t ns)
{
    const struct timespec time = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    nanosleep(&time, NULL);
}

bool system_is_terminal(int descriptor)
{
    return isatty(descriptor);
}

int system_terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool system_program_path(char *path, size_t size)
{
#if defined(__APPLE__)
    uint32_t bytes = (uint32_t)size;
    return _NSGetExecutablePath(path, &bytes) == 0;
#elif defined(__FreeBSD__)
    static const int names[] = {CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1}; /* -1: this process */
    return sysctl(names, sizeof names / sizeof names[0], path, &size, NULL, 0) == 0;
#else
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);
    if (n > 0) {
        path[n] = '\0';
        return true;
    }
#if defined(__linux__) /* /proc is not mounted */
    snprintf(path, size, "%s", (const char *)getauxval(AT_EXECFN));
    return true;
#else
    return false;
#endif
#endif
}

bool system_random(void *bytes, size_t count)
{
#if defined(__linux__)
    return getrandom(bytes, count, 0) == (ssize_t)count;
#else
    return getentropy(bytes, count) == 0;
#endif
}

/* ---- the machine ---- */

/** Ask the kernel, or read "model name" from /proc/cpuinfo. */
static void read_cpu_name(char *name, size_t size)
{
#if defined(__APPLE__)
    if (sysctlbyname("machdep.cpu.brand_string", name, &size, NULL, 0) != 0)
        snprintf(name, size, "unknown CPU");
#elif defined(__FreeBSD__)
    if (sysctlbyname("hw.model", name, &size, NULL, 0) != 0)
        snprintf(name, size, "unknown CPU");
#else
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
#endif
}

int system_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

system_machine system_describe_machine(void)
{
    system_machine m = {.processors = system_processors(),
                        .memory_bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE)};
    struct utsname system;
    read_cpu_name(m.cpu, sizeof m.cpu);
    if (uname(&system) == 0) {
        snprintf(m.system, sizeof m.system, "%.*s", (int)sizeof m.system - 1, system.sysname);
        snprintf(m.release, sizeof m.release, "%.*s", (int)sizeof m.release - 1, system.release);
        snprintf(m.architecture, sizeof m.architecture, "%.*s", (int)sizeof m.architecture - 1, system.machine);
    }
    return m;
}

/* ---- paths ---- */

const char *const system_null_device = "/dev/null";

size_t system_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

size_t system_path_folder(const char *path, size_t base)
{
    (void)path;
    return base > 1 ? base - 1 : base;
}

bool system_path_is_absolute(const char *path)
{
    return *path == '/';
}

bool system_path_is_null(const char *path)
{
    return strcmp(path, system_null_device) == 0;
}

const char *system_path_refusal(const char *path)
{
    (void)path;
    return NULL;
}

char *system_absolute_path(const char *path)
{
    return realpath(path, NULL);
}

/* ---- facts of files ---- */

static system_kind kind_of(mode_t mode)
{
    return S_ISREG(mode)    ? SYSTEM_FILE
           : S_ISDIR(mode)  ? SYSTEM_FOLDER
           : S_ISLNK(mode)  ? SYSTEM_LINK
           : S_ISFIFO(mode) ? SYSTEM_PIPE
           : S_ISSOCK(mode) ? SYSTEM_SOCKET
                            : SYSTEM_DEVICE;
}

/** Convert the facts that a call has found. failed: result of the call; nonzero: there are no facts, and the function
 * returns false. */
static bool take_facts(int failed, const struct stat *found, system_facts *facts)
{
    if (failed != 0)
        return false;
    *facts = (system_facts){.kind = kind_of(found->st_mode),
                            .is_of_user = found->st_uid == geteuid(),
                            .bytes = (uint64_t)found->st_size,
                            .n_names = (uint64_t)found->st_nlink,
                            .device = (uint64_t)found->st_dev,
                            .number = (uint64_t)found->st_ino};
#if defined(__APPLE__)
    facts->written_s = found->st_mtimespec.tv_sec;
    facts->written_ns = found->st_mtimespec.tv_nsec;
#else
    facts->written_s = found->st_mtim.tv_sec;
    facts->written_ns = found->st_mtim.tv_nsec;
#endif
    return true;
}

bool system_facts_of_name(const char *path, system_facts *facts)
{
    struct stat found;
    return take_facts(lstat(path, &found), &found, facts);
}

bool system_facts_of_target(const char *path, system_facts *facts)
{
    struct stat found;
    return take_facts(stat(path, &found), &found, facts);
}

bool system_facts_of_open(int descriptor, system_facts *facts)
{
    struct stat found;
    return take_facts(fstat(descriptor, &found), &found, facts);
}

const char *system_kind_text(system_kind kind)
{
    static const char *const texts[] = {"a regular file", "a folder", "a link", "a pipe", "a socket", "a device"};
    return texts[kind];
}

bool system_can_read(const char *path)
{
    return access(path, R_OK) == 0;
}

bool system_can_write_in(const char *folder)
{
    return access(folder, W_OK | X_OK) == 0;
}

bool system_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

uint64_t system_free_bytes(const char *folder)
{
    struct statvfs facts;
    if (statvfs(folder, &facts) != 0 || facts.f_blocks == 0) /* some file systems do not count blocks */
        return UINT64_MAX;
    return (uint64_t)facts.f_bavail * facts.f_frsize;
}

/* ---- open files ---- */

int system_open(const char *path, int how)
{
    enum { READ_WRITE = SYSTEM_READ | SYSTEM_WRITE };
    int flags = O_NOCTTY | O_CLOEXEC;
    flags |= (how & READ_WRITE) == READ_WRITE ? O_RDWR : how & SYSTEM_WRITE ? O_WRONLY : O_RDONLY;
    flags |= how & SYSTEM_CREATE ? O_CREAT | O_EXCL : 0;
    flags |= how & SYSTEM_NO_LINK ? O_NOFOLLOW : 0;
    flags |= how & SYSTEM_NO_WAIT ? O_NONBLOCK : 0;
    return open(path, flags, 0666);
}

void system_close(int descriptor)
{
    close(descriptor);
}

int system_duplicate(int descriptor)
{
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

int64_t system_read_at(int descriptor, void *bytes, size_t count, uint64_t offset)
{
    return pread(descriptor, bytes, count, (off_t)offset);
}

int64_t system_write(int descriptor, const void *bytes, size_t count)
{
    return write(descriptor, bytes, count);
}

int64_t system_write_at(int descriptor, const void *bytes, size_t count, uint64_t offset)
{
    return pwrite(descriptor, bytes, count, (off_t)offset);
}

bool system_truncate(int descriptor, uint64_t bytes)
{
    return ftruncate(descriptor, (off_t)bytes) == 0 && lseek(descriptor, (off_t)bytes, SEEK_SET) >= 0;
}

bool system_lock(int descriptor)
{
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

bool system_check_close(int descriptor)
{
    const int duplicate = system_duplicate(descriptor);
    return duplicate >= 0 && close(duplicate) == 0;
}

bool system_sync(int descriptor)
{
    return fsync(descriptor) == 0;
}

/* ---- names ---- */

/** Rename a file by the system call that never replaces a file. Returns false on failure; errno is ENOSYS if the system
 * has no such call. */
static bool rename_exclusively(const char *from, const char *to)
{
#if defined(__GLIBC__)
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0;
#elif defined(__linux__) && defined(SYS_renameat2)
    enum { NOREPLACE = 1 };
    return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NOREPLACE) == 0;
#elif defined(__APPLE__)
    return renamex_np(from, to, RENAME_EXCL) == 0;
#else
    (void)from, (void)to;
    errno = ENOSYS;
    return false;
#endif
}

bool system_rename_new(const char *from, const char *to)
{
    struct stat facts;
    if (rename_exclusively(from, to))
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* this file system has no rename that never replaces; another process may take the name before rename() */
    if (lstat(to, &facts) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(from, to) == 0;
}

bool system_rename_over(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool system_remove(const char *path)
{
    return unlink(path) == 0;
}

/* ---- folders ---- */

int system_folder_open(const char *folder)
{
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void system_folder_close(int folder)
{
    close(folder);
}

bool system_folder_lock(int folder)
{
    return flock(folder, LOCK_EX | LOCK_NB) == 0;
}

bool system_folder_sync(int folder)
{
    return fsync(folder) == 0;
}

bool system_folder_make(const char *folder)
{
    return mkdir(folder, 0777) == 0;
}

bool system_folder_remove(const char *folder)
{
    return rmdir(folder) == 0;
}

void system_folder_list(const char *folder, void (*visit)(void *user, const char *name), void *user)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        visit(user, entry->d_name);
    if (entries)
        closedir(entries);
}

/* ---- text in memory ---- */

bool system_text_open(system_text *text)
{
    *text = (system_text){0};
    text->to = open_memstream(&text->text, &text->size);
    return text->to != NULL;
}

bool system_text_close(system_text *text)
{
    return fclose(text->to) == 0 && text->text;
}
