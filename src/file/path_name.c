/* path_name.c - where a path's parts begin. */
#include "file/path_name.h"

#include <string.h>

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *path_dot(const char *path)
{
    const char *dot = strrchr(path_base(path), '.');
    return dot ? dot : path + strlen(path);
}
