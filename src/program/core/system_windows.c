/* system_windows.c - implements system.h for Windows 10 and later, except for files: the process, the console, the
 * machine, paths, and text in memory. All calls use UTF-16, so that no code page limits the names. */
#include "program/core/system_windows.h"

#include <bcrypt.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "program/core/system.h"

/* ---- errors and text ---- */

bool windows_failure(DWORD error)
{
    static const struct {
        DWORD error;
        int number;
    } numbers[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_INVALID_NAME, EINVAL},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_NOT_SAME_DEVICE, EXDEV},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_FILE_TOO_LARGE, EFBIG},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_COMMITMENT_LIMIT, ENOMEM},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
        {ERROR_INSUFFICIENT_BUFFER, ENAMETOOLONG},
        {ERROR_NO_UNICODE_TRANSLATION, EILSEQ},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    };
    errno = EIO;
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++)
        if (numbers[n].error == error)
            errno = numbers[n].number;
    return false;
}

bool windows_done(BOOL result)
{
    return result ? true : windows_failure(GetLastError());
}

bool windows_text(const wchar_t *wide, char *text, size_t size)
{
    return windows_done(WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)size, NULL, NULL) > 0);
}

/* ---- the process ---- */

/** Make the arguments of the program again, in UTF-8: those of main() are in the code page of the system. */
static bool take_arguments(int *argc, char ***argv)
{
    int count;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **arguments = wide ? calloc((size_t)count + 1, sizeof *arguments) : NULL;
    for (int n = 0; arguments && n < count; n++) {
        const size_t size = 3 * wcslen(wide[n]) + 1;
        arguments[n] = malloc(size);
        if (!arguments[n] || !windows_text(wide[n], arguments[n], size))
            return false;
    }
    LocalFree(wide);
    if (!arguments)
        return false;
    *argc = count;
    *argv = arguments;
    return true;
}

static struct {
    DWORD mode[SYSTEM_ERRORS + 1];
    UINT input, output; /* code pages; 0: there is no console */
} console_before;

static const DWORD STANDARD[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};

/** The console belongs to the shell, too. */
static void restore_console(void)
{
    SetConsoleCP(console_before.input);
    SetConsoleOutputCP(console_before.output);
    for (int n = SYSTEM_OUTPUT; n <= SYSTEM_ERRORS; n++)
        if (console_before.mode[n])
            SetConsoleMode(GetStdHandle(STANDARD[n]), console_before.mode[n]);
}

/** Let the console show UTF-8, and follow the escape sequences of progress bars. */
static void prepare_console(void)
{
    console_before.input = GetConsoleCP();
    console_before.output = GetConsoleOutputCP();
    if (console_before.output == 0)
        return;
    for (int n = SYSTEM_OUTPUT; n <= SYSTEM_ERRORS; n++) {
        const HANDLE console = GetStdHandle(STANDARD[n]);
        if (GetConsoleMode(console, &console_before.mode[n]))
            SetConsoleMode(console, console_before.mode[n] | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    SetConsoleCP(CP_UTF8);
    SetConsoleOutputCP(CP_UTF8);
    atexit(restore_console);
}

/** The C library keeps the numbers 0, 1 and 2 of closed descriptors free. */
bool system_begin(int *argc, char ***argv)
{
    for (int n = SYSTEM_INPUT; n <= SYSTEM_ERRORS; n++)
        _setmode(n, _O_BINARY); /* as on other systems: the same bytes, with no \r before \n */
    prepare_console();
    return take_arguments(argc, argv);
}

static void (*call_at_end)(void), (*call_at_timer)(void);
static PTP_TIMER timer;

static VOID CALLBACK on_timer(PTP_CALLBACK_INSTANCE instance, PVOID user, PTP_TIMER own_timer)
{
    (void)instance, (void)user, (void)own_timer;
    call_at_timer();
}

/** Windows calls this on a thread of its own. It ends the process when a call for the end of the console or of the
 * session returns, so such a call waits until the process ends by itself. */
static BOOL WINAPI on_end(DWORD event)
{
    call_at_end();
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep(INFINITE);
    return TRUE;
}

void system_watch_ends(void (*at_end)(void), void (*at_timer)(void))
{
    call_at_end = at_end;
    call_at_timer = at_timer;
    timer = CreateThreadpoolTimer(on_timer, NULL, NULL);
    SetConsoleCtrlHandler(NULL, FALSE); /* a program that was started without Ctrl-C gets it again */
    SetConsoleCtrlHandler(on_end, TRUE);
}

void system_set_timer(int64_t ns)
{
    ULARGE_INTEGER due = {.QuadPart = (ULONGLONG)(-ns / 100)}; /* negative: from now on, in units of 100 ns */
    FILETIME time = {due.LowPart, due.HighPart};
    if (timer)
        SetThreadpoolTimer(timer, &time, 0, 0);
}

_Noreturn void system_end_at_once(const char *message, int status)
{
    DWORD written;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), message, (DWORD)strlen(message), &written, NULL);
    restore_console();
    TerminateProcess(GetCurrentProcess(), (UINT)status);
    abort();
}

void system_kill(int64_t process)
{
    const HANDLE opened = OpenProcess(PROCESS_TERMINATE, FALSE, (DWORD)process);
    if (!opened)
        return;
    TerminateProcess(opened, 1);
    CloseHandle(opened);
}

/** The null device counts as a terminal in the C library, but it has no mode of a console. */
bool system_is_terminal(int descriptor)
{
    DWORD mode;
    return GetConsoleMode(windows_handle(descriptor), &mode);
}

int system_terminal_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO facts;
    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &facts))
        return 80;
    const int columns = facts.srWindow.Right - facts.srWindow.Left + 1;
    return columns > 0 ? columns : 80;
}

bool system_program_path(char *path, size_t size)
{
    wchar_t wide[WIDE_PATH];
    const DWORD length = GetModuleFileNameW(NULL, wide, WIDE_PATH);
    return length > 0 && length < WIDE_PATH && windows_text(wide, path, size);
}

bool system_random(void *bytes, size_t count)
{
    return BCryptGenRandom(NULL, bytes, (ULONG)count, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;
}

/* ---- the machine ---- */

static bool read_registry(const wchar_t *key, const wchar_t *value, char *text, size_t size)
{
    wchar_t wide[256];
    DWORD bytes = sizeof wide;
    return RegGetValueW(HKEY_LOCAL_MACHINE, key, value, RRF_RT_REG_SZ, NULL, wide, &bytes) == ERROR_SUCCESS &&
           windows_text(wide, text, size);
}

static const char *architecture(void)
{
    SYSTEM_INFO facts;
    GetNativeSystemInfo(&facts);
    switch (facts.wProcessorArchitecture) {
    case PROCESSOR_ARCHITECTURE_AMD64:
        return "x86_64";
    case PROCESSOR_ARCHITECTURE_ARM64:
        return "aarch64";
    default:
        return "unknown";
    }
}

int system_processors(void)
{
    const DWORD n = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return n > 0 ? (int)n : 1;
}

system_machine system_describe_machine(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    system_machine m = {.cpu = "unknown CPU", .system = "Windows", .processors = system_processors()};
    if (GlobalMemoryStatusEx(&memory))
        m.memory_bytes = (double)memory.ullTotalPhys;
    if (!read_registry(L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0", L"ProcessorNameString", m.cpu,
                       sizeof m.cpu))
        strcpy(m.cpu, "unknown CPU");
    if (!read_registry(L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion", L"CurrentBuildNumber", m.release,
                       sizeof m.release))
        m.release[0] = '\0';
    snprintf(m.architecture, sizeof m.architecture, "%s", architecture());
    return m;
}

/* ---- paths ---- */

const char *const system_null_device = "NUL";

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/** Length of the drive at the beginning of a path: 2 for "C:", otherwise 0. */
static size_t drive_length(const char *path)
{
    return is_letter(path[0]) && path[1] == ':' ? 2 : 0;
}

size_t system_path_base(const char *path)
{
    size_t base = drive_length(path);
    for (size_t n = base; path[n]; n++)
        if (is_separator(path[n]))
            base = n + 1;
    return base;
}

size_t system_path_folder(const char *path, size_t base)
{
    const size_t root = drive_length(path);
    return base > root + 1 ? base - 1 : base; /* "C:" and "C:\" are folders, too, and not the same */
}

bool system_path_is_absolute(const char *path)
{
    return is_separator(path[0]) || drive_length(path) > 0;
}

/** Whether the prefix \\?\ or \\.\ takes the rest of a path away from the rules of names. */
static bool has_prefix(const char *path)
{
    return is_separator(path[0]) && is_separator(path[1]) && (path[2] == '?' || path[2] == '.') &&
           is_separator(path[3]);
}

bool system_path_is_null(const char *path)
{
    return _stricmp(has_prefix(path) ? path + 4 : path, system_null_device) == 0;
}

/** Whether Windows takes a name for a device, whatever follows its first '.'. Source: Microsoft, Naming Files, Paths,
 * and Namespaces. */
static bool is_device(const char *name, size_t length)
{
    static const char *const devices[] = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"};
    static const char *const ports[] = {"COM", "LPT"};
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\xc2\xb9", "\xc2\xb2",
                                         "\xc2\xb3"}; /* the last three are superscripts */
    size_t stem = 0;
    while (stem < length && name[stem] != '.' && name[stem] != ':')
        stem++;
    while (stem > 0 && name[stem - 1] == ' ')
        stem--;
    for (size_t n = 0; n < sizeof devices / sizeof devices[0]; n++)
        if (stem == strlen(devices[n]) && _strnicmp(name, devices[n], stem) == 0)
            return true;
    for (size_t n = 0; n < sizeof ports / sizeof ports[0]; n++)
        for (size_t d = 0; d < sizeof digits / sizeof digits[0] && stem > 3; d++)
            if (_strnicmp(name, ports[n], 3) == 0 && stem == 3 + strlen(digits[d]) &&
                memcmp(name + 3, digits[d], stem - 3) == 0)
                return true;
    return false;
}

/** Why Windows allows no file or folder of this name; NULL if it may allow one. */
static const char *name_refusal(const char *name, size_t length)
{
    if (length == 0 || (length == 1 && name[0] == '.') || (length == 2 && name[0] == '.' && name[1] == '.'))
        return NULL;
    if (is_device(name, length))
        return "Windows keeps this name for a device";
    for (size_t n = 0; n < length; n++)
        if ((unsigned char)name[n] < 0x20 || strchr("<>:\"|?*", name[n]))
            return "a name on Windows contains no control character and none of < > : \" | ? *";
    return name[length - 1] == '.' || name[length - 1] == ' ' ? "a name on Windows ends with neither a point nor a space"
                                                              : NULL;
}

const char *system_path_refusal(const char *path)
{
    const char *refusal = NULL;
    if (system_path_is_null(path))
        return NULL;
    const char *at = path + (has_prefix(path) ? 4 : 0);
    for (at += drive_length(at); !refusal; at++) {
        const size_t length = strcspn(at, "/\\");
        refusal = name_refusal(at, length);
        at += length;
        if (!*at)
            break;
    }
    return refusal;
}

/** Turn a path that is too long for most functions into an absolute one with a prefix. `prefix` ends before the first
 * character that it replaces: "\\?\" comes before "C:\", and "\\?\UNC" takes the place of the first '\' of "\\host". */
static bool lift_limit(const wchar_t *path, wchar_t wide[WIDE_PATH])
{
    wchar_t whole[WIDE_PATH];
    const DWORD length = GetFullPathNameW(path, WIDE_PATH, whole, NULL);
    if (length == 0)
        return windows_done(FALSE);
    const bool is_share = whole[0] == L'\\' && whole[1] == L'\\';
    const wchar_t *prefix = is_share ? L"\\\\?\\UNC" : L"\\\\?\\";
    if (length >= WIDE_PATH || length + wcslen(prefix) >= WIDE_PATH)
        return windows_failure(ERROR_FILENAME_EXCED_RANGE);
    wcscpy(wide, prefix);
    wcscat(wide, whole + (is_share ? 1 : 0));
    return true;
}

bool windows_path(const char *path, wchar_t wide[WIDE_PATH])
{
    enum { LONGEST = MAX_PATH - 14 }; /* a folder must leave space for a name of 8 + 1 + 3 characters */
    wchar_t given[WIDE_PATH], whole[MAX_PATH];
    if (!*path)
        return windows_failure(ERROR_PATH_NOT_FOUND);
    if (!windows_done(MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, given, WIDE_PATH) > 0))
        return false;
    for (wchar_t *c = given; *c; c++)
        if (*c == L'/')
            *c = L'\\';
    if (has_prefix(path) || GetFullPathNameW(given, MAX_PATH, whole, NULL) < LONGEST) {
        wcscpy(wide, given);
        return true;
    }
    return lift_limit(given, wide);
}

/* ---- text in memory ---- */

/** A file stands for the memory, because the C library of Windows has no streams in memory. Windows keeps a temporary
 * file in memory while there is space, and removes it when it is closed. */
bool system_text_open(system_text *text)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 32];
    uint64_t number;
    *text = (system_text){0};
    if (!windows_done(GetTempPathW(MAX_PATH + 1, folder) > 0) || !system_random(&number, sizeof number))
        return false;
    swprintf(path, MAX_PATH + 32, L"%lsterrane-%llx", folder, (unsigned long long)number);
    const int descriptor =
        windows_descriptor(CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_NEW,
                                       FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL));
    text->to = descriptor >= 0 ? _fdopen(descriptor, "w+b") : NULL;
    if (descriptor >= 0 && !text->to)
        system_close(descriptor);
    return text->to != NULL;
}

bool system_text_close(system_text *text)
{
    system_facts facts;
    bool is_complete = fflush(text->to) == 0 && !ferror(text->to) && system_facts_of_open(_fileno(text->to), &facts);
    text->text = is_complete ? malloc((size_t)facts.bytes + 1) : NULL;
    if (text->text) {
        text->size = (size_t)facts.bytes;
        rewind(text->to);
        is_complete = fread(text->text, 1, text->size, text->to) == text->size;
        text->text[text->size] = '\0';
    }
    fclose(text->to);
    return is_complete && text->text;
}
