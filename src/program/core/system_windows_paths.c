/* system_windows_paths.c - implements the functions of system.h for paths on Windows, and what the other files for
 * Windows share: UTF-16, errors as errno, and descriptors of open files. */
#include "program/core/system_windows_paths.h"

#include <fcntl.h>
#include <io.h>
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

/* ---- descriptors ---- */

int windows_descriptor(HANDLE file)
{
    if (file == INVALID_HANDLE_VALUE) {
        windows_failure(GetLastError());
        return -1;
    }
    const int descriptor = _open_osfhandle((intptr_t)file, _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0)
        CloseHandle(file);
    return descriptor;
}

HANDLE windows_handle(int descriptor)
{
    const intptr_t handle = _get_osfhandle(descriptor);
    return handle < 0 ? INVALID_HANDLE_VALUE : (HANDLE)handle; /* -2: a standard descriptor without a file */
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
    static const char *const digits[] = {
        "0", "1", "2", "3",        "4",        "5",       "6",
        "7", "8", "9", "\xc2\xb9", "\xc2\xb2", "\xc2\xb3"}; /* the last three are superscripts */
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
    return name[length - 1] == '.' || name[length - 1] == ' '
               ? "a name on Windows ends with neither a point nor a space"
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
