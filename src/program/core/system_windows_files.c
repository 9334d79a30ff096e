/* system_windows_files.c - implements the functions of system.h for files and folders on Windows. Every file is opened
 * so that other processes may rename or remove it meanwhile, as on POSIX systems. */
#include "program/core/system_windows_paths.h"

#include <aclapi.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "program/core/system.h"

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

enum { FOLDER_TOO = FILE_FLAG_BACKUP_SEMANTICS }; /* without this flag Windows opens no folder */

/** Open a file, whatever the length of its path. how: flags and attributes of CreateFileW. */
static HANDLE open_path(const char *path, DWORD access, DWORD disposition, DWORD how)
{
    wchar_t wide[WIDE_PATH];
    if (!windows_path(path, wide))
        return INVALID_HANDLE_VALUE;
    const HANDLE file = CreateFileW(wide, access, SHARE_ALL, NULL, disposition, how, NULL);
    if (file == INVALID_HANDLE_VALUE)
        windows_failure(GetLastError());
    return file;
}

static void close_handle(HANDLE file)
{
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
}

/* ---- facts of files ---- */

/** Get a user or group of this process in `memory`. Returns NULL if it is not known. */
static PSID own_sid(HANDLE token, TOKEN_INFORMATION_CLASS which, void *memory, DWORD size)
{
    return GetTokenInformation(token, which, memory, size, &size) ? *(PSID *)memory : NULL;
}

/** Whether this user, or the group that gets this user's new files, owns a file. On a file system without owners, such
 * as FAT, every file counts as this user's. */
static bool is_of_user(HANDLE file)
{
    enum { SIZE = 256 };
    _Alignas(void *) char user[SIZE], owner[SIZE];
    PSID of_file;
    PSECURITY_DESCRIPTOR descriptor;
    HANDLE token;
    DWORD flags;
    if (GetVolumeInformationByHandleW(file, NULL, 0, NULL, NULL, &flags, NULL, 0) && !(flags & FILE_PERSISTENT_ACLS))
        return true;
    if (GetSecurityInfo(file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &of_file, NULL, NULL, NULL, &descriptor) !=
        ERROR_SUCCESS)
        return false;
    bool is_own = false;
    if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
        const PSID of_user = own_sid(token, TokenUser, user, SIZE), of_new = own_sid(token, TokenOwner, owner, SIZE);
        is_own = of_file && ((of_user && EqualSid(of_file, of_user)) || (of_new && EqualSid(of_file, of_new)));
        CloseHandle(token);
    }
    LocalFree(descriptor);
    return is_own;
}

static system_kind kind_of(HANDLE file, DWORD attributes)
{
    FILE_ATTRIBUTE_TAG_INFO tag;
    if (attributes & FILE_ATTRIBUTE_REPARSE_POINT &&
        GetFileInformationByHandleEx(file, FileAttributeTagInfo, &tag, sizeof tag) &&
        (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK || tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT))
        return SYSTEM_LINK;
    return attributes & FILE_ATTRIBUTE_DIRECTORY ? SYSTEM_FOLDER : SYSTEM_FILE;
}

/** Get facts of an open file. A file that has been removed, but is still open, has no name. */
static bool facts_of(HANDLE file, system_facts *facts)
{
    static const uint64_t TO_1970_S = UINT64_C(11644473600); /* from 1601, when the time of Windows begins */
    BY_HANDLE_FILE_INFORMATION found;
    FILE_STANDARD_INFO standard;
    const DWORD type = GetFileType(file);
    *facts = (system_facts){.kind = type == FILE_TYPE_PIPE ? SYSTEM_PIPE : SYSTEM_DEVICE};
    if (type == FILE_TYPE_PIPE || type == FILE_TYPE_CHAR)
        return true;
    if (!windows_done(GetFileInformationByHandle(file, &found)))
        return false;
    const uint64_t written = (uint64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
    const bool is_removed =
        GetFileInformationByHandleEx(file, FileStandardInfo, &standard, sizeof standard) && standard.DeletePending;
    *facts = (system_facts){.kind = kind_of(file, found.dwFileAttributes),
                            .is_of_user = is_of_user(file),
                            .bytes = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
                            .n_names = is_removed ? 0 : found.nNumberOfLinks,
                            .device = found.dwVolumeSerialNumber,
                            .number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow,
                            .written_s = (int64_t)(written / 10000000 - TO_1970_S),
                            .written_ns = (int64_t)(written % 10000000) * 100};
    return true;
}

static bool facts_of_path(const char *path, DWORD how, system_facts *facts)
{
    const HANDLE file = open_path(path, FILE_READ_ATTRIBUTES | READ_CONTROL, OPEN_EXISTING, how | FOLDER_TOO);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    const bool has_facts = facts_of(file, facts);
    CloseHandle(file);
    return has_facts;
}

bool system_facts_of_name(const char *path, system_facts *facts)
{
    return facts_of_path(path, FILE_FLAG_OPEN_REPARSE_POINT, facts);
}

bool system_facts_of_target(const char *path, system_facts *facts)
{
    return facts_of_path(path, 0, facts);
}

bool system_facts_of_open(int descriptor, system_facts *facts)
{
    return facts_of(windows_handle(descriptor), facts);
}

const char *system_kind_text(system_kind kind)
{
    static const char *const texts[] = {"a regular file", "a folder", "a link", "a pipe", "a socket", "a device"};
    return texts[kind];
}

/** Whether a file or folder can be opened so. */
static bool can_open(const char *path, DWORD access)
{
    const HANDLE file = open_path(path, access, OPEN_EXISTING, FOLDER_TOO);
    close_handle(file);
    return file != INVALID_HANDLE_VALUE;
}

bool system_can_read(const char *path)
{
    return can_open(path, GENERIC_READ);
}

bool system_can_write_in(const char *folder)
{
    return can_open(folder, FILE_ADD_FILE);
}

bool system_exists(const char *path)
{
    return can_open(path, FILE_READ_ATTRIBUTES);
}

uint64_t system_free_bytes(const char *folder)
{
    wchar_t wide[WIDE_PATH];
    ULARGE_INTEGER bytes;
    return windows_path(folder, wide) && GetDiskFreeSpaceExW(wide, &bytes, NULL, NULL) ? bytes.QuadPart : UINT64_MAX;
}

char *system_absolute_path(const char *path)
{
    wchar_t wide[WIDE_PATH];
    const HANDLE file = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FOLDER_TOO);
    if (file == INVALID_HANDLE_VALUE)
        return NULL;
    const DWORD length = GetFinalPathNameByHandleW(file, wide, WIDE_PATH, FILE_NAME_NORMALIZED);
    CloseHandle(file);
    if (length == 0 || length >= WIDE_PATH) {
        windows_failure(length == 0 ? GetLastError() : ERROR_FILENAME_EXCED_RANGE);
        return NULL;
    }
    /* the path begins with \\?\C:\ or \\?\UNC\host\ */
    wchar_t *begin = wide + (wcsncmp(wide, L"\\\\?\\", 4) == 0 ? 4 : 0);
    if (wcsncmp(begin, L"UNC\\", 4) == 0)
        *(begin += 2) = L'\\';
    const size_t size = 3 * wcslen(begin) + 1;
    char *text = malloc(size);
    if (text && !windows_text(begin, text, size)) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- open files ---- */

/** Whether an open file is a link. Sets errno if it is. */
static bool is_link(HANDLE file)
{
    BY_HANDLE_FILE_INFORMATION found;
    if (!GetFileInformationByHandle(file, &found) || kind_of(file, found.dwFileAttributes) != SYSTEM_LINK)
        return false;
    errno = ELOOP;
    return true;
}

int system_open(const char *path, int how)
{
    const DWORD access = (how & SYSTEM_READ ? GENERIC_READ : 0) | (how & SYSTEM_WRITE ? GENERIC_WRITE : 0);
    const DWORD disposition = how & SYSTEM_CREATE ? CREATE_NEW : OPEN_EXISTING;
    system_facts facts;
    /* a folder can be opened for reading, as on other systems, so that the caller can say what it is */
    const HANDLE file = open_path(path, access, disposition,
                                  (how & SYSTEM_NO_LINK ? FILE_FLAG_OPEN_REPARSE_POINT : 0) |
                                      (how & SYSTEM_WRITE ? FILE_ATTRIBUTE_NORMAL : FOLDER_TOO));
    if (file == INVALID_HANDLE_VALUE) {
        const int error = errno;
        const bool is_folder = error == EACCES && how & SYSTEM_WRITE && system_facts_of_target(path, &facts) &&
                               facts.kind == SYSTEM_FOLDER;
        errno = is_folder ? EISDIR : error;
        return -1;
    }
    if (how & SYSTEM_NO_LINK && is_link(file)) {
        CloseHandle(file);
        return -1;
    }
    return windows_descriptor(file);
}

void system_close(int descriptor)
{
    _close(descriptor);
}

int system_duplicate(int descriptor)
{
    HANDLE duplicate;
    const HANDLE process = GetCurrentProcess();
    if (!windows_done(
            DuplicateHandle(process, windows_handle(descriptor), process, &duplicate, 0, FALSE, DUPLICATE_SAME_ACCESS)))
        return -1;
    return windows_descriptor(duplicate);
}

/** Part of a large block that one call transfers. */
static DWORD part_of(size_t count)
{
    return count < INT_MAX ? (DWORD)count : INT_MAX;
}

/** Windows moves the position of a file even if the call says where to begin. So calls that begin elsewhere put it
 * back, one at a time. */
static SRWLOCK position_lock = SRWLOCK_INIT;

static int64_t transfer_at(int descriptor, void *to, const void *from, size_t count, uint64_t offset)
{
    const HANDLE file = windows_handle(descriptor);
    OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    const LARGE_INTEGER zero = {.QuadPart = 0};
    LARGE_INTEGER position;
    DWORD done = 0, error = ERROR_SUCCESS;
    AcquireSRWLockExclusive(&position_lock);
    if (!SetFilePointerEx(file, zero, &position, FILE_CURRENT))
        error = GetLastError();
    else if (to ? !ReadFile(file, to, part_of(count), &done, &at) : !WriteFile(file, from, part_of(count), &done, &at))
        error = GetLastError();
    if (error == ERROR_SUCCESS || error == ERROR_HANDLE_EOF)
        SetFilePointerEx(file, position, NULL, FILE_BEGIN);
    ReleaseSRWLockExclusive(&position_lock);
    if (error == ERROR_SUCCESS || error == ERROR_HANDLE_EOF)
        return done;
    windows_failure(error);
    return -1;
}

int64_t system_read_at(int descriptor, void *bytes, size_t count, uint64_t offset)
{
    return transfer_at(descriptor, bytes, NULL, count, offset);
}

int64_t system_write(int descriptor, const void *bytes, size_t count)
{
    DWORD done;
    return windows_done(WriteFile(windows_handle(descriptor), bytes, part_of(count), &done, NULL)) ? (int64_t)done : -1;
}

int64_t system_write_at(int descriptor, const void *bytes, size_t count, uint64_t offset)
{
    return transfer_at(descriptor, NULL, bytes, count, offset);
}

bool system_truncate(int descriptor, uint64_t bytes)
{
    const HANDLE file = windows_handle(descriptor);
    const LARGE_INTEGER end = {.QuadPart = (LONGLONG)bytes};
    return windows_done(SetFilePointerEx(file, end, NULL, FILE_BEGIN) && SetEndOfFile(file));
}

/** Windows locks bytes, and then refuses reads and writes of them by others. The lock is on a byte that no file has. */
bool system_lock(int descriptor)
{
    OVERLAPPED at = {.Offset = 0xfffffffe, .OffsetHigh = 0x7fffffff};
    return windows_done(
        LockFileEx(windows_handle(descriptor), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at));
}

/** Windows reports no errors when a file is closed. */
bool system_check_close(int descriptor)
{
    return windows_done(windows_handle(descriptor) != INVALID_HANDLE_VALUE);
}

bool system_sync(int descriptor)
{
    return windows_done(FlushFileBuffers(windows_handle(descriptor)));
}

/* ---- names ---- */

static bool rename_path(const char *from, const char *to, DWORD how)
{
    wchar_t wide_from[WIDE_PATH], wide_to[WIDE_PATH];
    return windows_path(from, wide_from) && windows_path(to, wide_to) &&
           windows_done(MoveFileExW(wide_from, wide_to, how));
}

bool system_rename_new(const char *from, const char *to)
{
    return rename_path(from, to, 0);
}

bool system_rename_over(const char *from, const char *to)
{
    return rename_path(from, to, MOVEFILE_REPLACE_EXISTING);
}

bool system_remove(const char *path)
{
    wchar_t wide[WIDE_PATH];
    return windows_path(path, wide) && windows_done(DeleteFileW(wide));
}

/* ---- folders ---- */

/** Windows cannot lock a folder. A named object of the kernel stands for the lock: it exists as long as a process has
 * it open. Its name contains the number of the folder. */
typedef struct open_folder {
    atomic_bool is_taken;
    HANDLE folder, lock;
} open_folder;

enum { FOLDERS = 64 };
static open_folder folders[FOLDERS];

int system_folder_open(const char *folder)
{
    for (int n = 0; n < FOLDERS; n++) {
        if (atomic_exchange(&folders[n].is_taken, true))
            continue;
        folders[n].lock = NULL;
        folders[n].folder = open_path(folder, GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING, FOLDER_TOO);
        if (folders[n].folder != INVALID_HANDLE_VALUE)
            return n;
        atomic_store(&folders[n].is_taken, false);
        return -1;
    }
    errno = EMFILE;
    return -1;
}

void system_folder_close(int folder)
{
    if (folders[folder].lock)
        CloseHandle(folders[folder].lock);
    CloseHandle(folders[folder].folder);
    atomic_store(&folders[folder].is_taken, false);
}

bool system_folder_lock(int folder)
{
    system_facts facts;
    wchar_t name[80];
    if (!facts_of(folders[folder].folder, &facts))
        return false;
    swprintf(name, sizeof name / sizeof name[0], L"Global\\terrane-folder-%llx-%llx", (unsigned long long)facts.device,
             (unsigned long long)facts.number);
    const HANDLE lock = CreateMutexW(NULL, FALSE, name);
    const DWORD error = GetLastError();
    if (lock && error != ERROR_ALREADY_EXISTS) {
        folders[folder].lock = lock;
        return true;
    }
    if (lock)
        CloseHandle(lock);
    windows_failure(error);
    if (error == ERROR_ALREADY_EXISTS || error == ERROR_ACCESS_DENIED) /* denied: another user has it */
        errno = EWOULDBLOCK;
    return false;
}

bool system_folder_sync(int folder)
{
    return windows_done(FlushFileBuffers(folders[folder].folder));
}

bool system_folder_make(const char *folder)
{
    wchar_t wide[WIDE_PATH];
    return windows_path(folder, wide) && windows_done(CreateDirectoryW(wide, NULL));
}

bool system_folder_remove(const char *folder)
{
    wchar_t wide[WIDE_PATH];
    return windows_path(folder, wide) && windows_done(RemoveDirectoryW(wide));
}

void system_folder_list(const char *folder, void (*visit)(void *user, const char *name), void *user)
{
    enum { NAME_BYTES = 3 * MAX_PATH };
    wchar_t pattern[WIDE_PATH];
    char name[NAME_BYTES];
    WIN32_FIND_DATAW entry;
    if (!windows_path(folder, pattern) || wcslen(pattern) + 3 > WIDE_PATH)
        return;
    wcscat(pattern, L"\\*");
    const HANDLE entries = FindFirstFileW(pattern, &entry);
    for (BOOL is_more = entries != INVALID_HANDLE_VALUE; is_more; is_more = FindNextFileW(entries, &entry))
        if (windows_text(entry.cFileName, name, sizeof name))
            visit(user, name);
    if (entries != INVALID_HANDLE_VALUE)
        FindClose(entries);
}
