/* child_windows.c - implements child.h by CreateProcessW and a named pipe. Windows can write to an anonymous pipe only
 * by waiting until the other program reads. */
#include "program/core/system_windows_paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "program/core/child.h"
#include "program/core/system.h"

enum { PART = 1 << 18, COMMAND = 8192 };

struct child {
    HANDLE process, pipe; /* pipe: NULL after the end of input */
    DWORD number;
    OVERLAPPED writing;
    bool is_writing; /* `part` is under way */
    DWORD error;     /* of an earlier part */
    char part[PART];
};

/* ---- the command line ---- */

/** Append an argument so that the program finds it as it is: in quotes, with a backslash before each quote and each
 * backslash that comes before a quote. Returns whether it fits. */
static bool append_argument(char *line, const char *argument)
{
    size_t used = strlen(line);
    if (used + 2 * strlen(argument) + 4 > COMMAND)
        return false;
    if (used > 0)
        line[used++] = ' ';
    line[used++] = '"';
    for (const char *at = argument;; at++) {
        const size_t n = strspn(at, "\\");
        at += n;
        const size_t n_written = *at == '"' || !*at ? 2 * n : n;
        memset(line + used, '\\', n_written);
        used += n_written;
        if (!*at)
            break;
        if (*at == '"')
            line[used++] = '\\';
        line[used++] = *at;
    }
    line[used++] = '"';
    line[used] = '\0';
    return true;
}

static bool make_command(const char *const *arguments, wchar_t wide[COMMAND])
{
    char line[COMMAND] = "";
    for (; *arguments; arguments++)
        if (!append_argument(line, *arguments)) {
            errno = E2BIG;
            return false;
        }
    return windows_done(MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, line, -1, wide, COMMAND) > 0);
}

/** Find a program in the folders of PATH alone: Windows would also look in the present folder. */
static bool find_program(const char *name, wchar_t path[WIDE_PATH])
{
    wchar_t wide[64];
    const wchar_t *folders = _wgetenv(L"PATH");
    if (!windows_done(MultiByteToWideChar(CP_UTF8, 0, name, -1, wide, 64) > 0))
        return false;
    const DWORD length = SearchPathW(folders ? folders : L"", wide, L".exe", WIDE_PATH, path, NULL);
    errno = ENOENT;
    return length > 0 && length < WIDE_PATH;
}

/* ---- the process ---- */

static HANDLE open_inherited(const wchar_t *name, DWORD access)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    const HANDLE file =
        CreateFileW(name, access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL);
    return windows_done(file != INVALID_HANDLE_VALUE) ? file : NULL;
}

/** Open a pipe. Returns its end for the program, which inherits it. */
static HANDLE open_pipe(child *c)
{
    uint64_t number;
    wchar_t name[80];
    if (!system_random(&number, sizeof number))
        return NULL;
    swprintf(name, sizeof name / sizeof name[0], L"\\\\.\\pipe\\terrane-%llx", (unsigned long long)number);
    const HANDLE pipe =
        CreateNamedPipeW(name, PIPE_ACCESS_OUTBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
                         PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, PART, 0, 0, NULL);
    if (!windows_done(pipe != INVALID_HANDLE_VALUE))
        return NULL;
    c->pipe = pipe;
    return open_inherited(name, GENERIC_READ);
}

/** Create the process with these handles for input, output and errors. It inherits no others. */
static bool create(child *c, const wchar_t *program, wchar_t *command, HANDLE standard[3])
{
    _Alignas(void *) char memory[256]; /* of the list of attributes; with one attribute it needs 48 bytes */
    SIZE_T size = sizeof memory;
    PROCESS_INFORMATION made;
    STARTUPINFOEXW begin = {.StartupInfo = {.cb = sizeof begin,
                                            .dwFlags = STARTF_USESTDHANDLES,
                                            .hStdInput = standard[0],
                                            .hStdOutput = standard[1],
                                            .hStdError = standard[2]},
                            .lpAttributeList = (LPPROC_THREAD_ATTRIBUTE_LIST)memory};
    if (!windows_done(InitializeProcThreadAttributeList(begin.lpAttributeList, 1, 0, &size)))
        return false;
    const bool is_made =
        windows_done(UpdateProcThreadAttribute(begin.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, standard,
                                               3 * sizeof standard[0], NULL, NULL)) &&
        windows_done(CreateProcessW(program, command, NULL, NULL, TRUE,
                                    CREATE_NEW_PROCESS_GROUP | EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                                    &begin.StartupInfo, &made));
    DeleteProcThreadAttributeList(begin.lpAttributeList);
    if (!is_made)
        return false;
    CloseHandle(made.hThread);
    c->process = made.hProcess;
    c->number = made.dwProcessId;
    return true;
}

/** A copy of the handle for errors that can be inherited; the null device if there is none. */
static HANDLE errors_handle(void)
{
    HANDLE copy;
    const HANDLE own = GetCurrentProcess();
    if (DuplicateHandle(own, GetStdHandle(STD_ERROR_HANDLE), own, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS))
        return copy;
    return open_inherited(L"NUL", GENERIC_WRITE);
}

static bool start(child *c, const char *const *arguments)
{
    wchar_t program[WIDE_PATH], command[COMMAND];
    if (!find_program(arguments[0], program) || !make_command(arguments, command))
        return false;
    HANDLE standard[3] = {open_pipe(c), open_inherited(L"NUL", GENERIC_WRITE), errors_handle()};
    c->writing.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    const bool is_made =
        standard[0] && standard[1] && standard[2] && c->writing.hEvent && create(c, program, command, standard);
    for (int n = 0; n < 3; n++)
        if (standard[n])
            CloseHandle(standard[n]);
    return is_made;
}

child *child_start(const char *const *arguments)
{
    child *c = calloc(1, sizeof *c);
    if (c && !start(c, arguments)) {
        const int error = errno;
        child_close(c);
        errno = error;
        return NULL;
    }
    return c;
}

int64_t child_number(const child *c)
{
    return c->number;
}

/* ---- input ---- */

/** Wait until no part is under way. Returns whether that is so. */
static bool await_part(child *c, int wait_ms)
{
    DWORD done;
    if (c->is_writing && WaitForSingleObject(c->writing.hEvent, (DWORD)wait_ms) != WAIT_OBJECT_0)
        return false;
    if (c->is_writing && !GetOverlappedResult(c->pipe, &c->writing, &done, FALSE))
        c->error = GetLastError();
    c->is_writing = false;
    return true;
}

int64_t child_send(child *c, const void *bytes, size_t count, int wait_ms)
{
    if (!await_part(c, wait_ms))
        return 0;
    const DWORD size = count < PART ? (DWORD)count : PART;
    memcpy(c->part, bytes, size);
    if (c->error == ERROR_SUCCESS && !WriteFile(c->pipe, c->part, size, NULL, &c->writing) &&
        GetLastError() != ERROR_IO_PENDING)
        c->error = GetLastError();
    c->is_writing = c->error == ERROR_SUCCESS;
    if (c->is_writing)
        return size;
    windows_failure(c->error);
    return -1;
}

bool child_send_end(child *c, int wait_ms)
{
    if (!await_part(c, wait_ms))
        return false;
    CloseHandle(c->pipe);
    c->pipe = NULL;
    return true;
}

/* ---- the end ---- */

bool child_has_ended(child *c, int *status)
{
    DWORD code = 0;
    if (WaitForSingleObject(c->process, 0) != WAIT_OBJECT_0 || !GetExitCodeProcess(c->process, &code))
        return false;
    *status = (int)code;
    return true;
}

void child_close(child *c)
{
    if (!c)
        return;
    if (c->process) {
        TerminateProcess(c->process, 1); /* fails if the program has ended */
        WaitForSingleObject(c->process, INFINITE);
        CloseHandle(c->process);
    }
    if (c->is_writing) {
        CancelIoEx(c->pipe, &c->writing);
        await_part(c, -1);
    }
    if (c->pipe)
        CloseHandle(c->pipe);
    if (c->writing.hEvent)
        CloseHandle(c->writing.hEvent);
    free(c);
}
