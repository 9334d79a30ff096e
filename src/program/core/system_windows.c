/* system_windows.c - implements system.h for Windows 10 and later, except for files and paths: the process, the
 * console, the machine, and text in memory. All calls use UTF-16, so that no code page limits the names. */
#include "program/core/system_windows_paths.h"

#include <bcrypt.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "program/core/system.h"

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

/** Sleep() wakes up at ticks of the system, which are up to 16 ms apart. Before Windows 10 1803 this timer has no flag
 * for high resolution. */
void system_rest(int64_t ns)
{
    enum { HIGH_RESOLUTION = 2 }; /* mingw-w64 10 does not know CREATE_WAITABLE_TIMER_HIGH_RESOLUTION */
    const LARGE_INTEGER due = {.QuadPart = -(ns + 99) / 100}; /* negative: from now on, in units of 100 ns */
    HANDLE alarm = CreateWaitableTimerExW(NULL, NULL, HIGH_RESOLUTION, TIMER_ALL_ACCESS);
    if (!alarm)
        alarm = CreateWaitableTimerW(NULL, TRUE, NULL);
    if (alarm && SetWaitableTimer(alarm, &due, 0, NULL, NULL, FALSE))
        WaitForSingleObject(alarm, INFINITE);
    if (alarm)
        CloseHandle(alarm);
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
    const int descriptor = windows_descriptor(CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_NEW,
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
