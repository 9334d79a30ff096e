/* path_name.h - parts of paths. */
#ifndef TERRANE_FILE_PATH_NAME_H
#define TERRANE_FILE_PATH_NAME_H

/** The part behind the last '/'. */
const char *path_base(const char *path);

/** The last '.' of the base, or the path's end when it has none. */
const char *path_dot(const char *path);

#endif
