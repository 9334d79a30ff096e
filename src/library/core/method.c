/* method.c - names of the methods. */
#include "terrane/terrane.h"

const char *ter_method_name(ter_method method)
{
    static const char *const names[TER_METHOD_COUNT] = {
        [TER_METHOD_TILED] = "tiled", [TER_METHOD_RECURSIVE] = "recursive", [TER_METHOD_SINGLE_PASS] = "single-pass"};
    return (unsigned)method < TER_METHOD_COUNT ? names[method] : NULL;
}
