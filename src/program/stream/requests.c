/* requests.c - sorts requests. */
#include "program/stream/requests.h"

#include <stdlib.h>

static int compare_requests(const void *a, const void *b)
{
    const quadtree_request *x = a, *y = b;
    if (x->is_seen != y->is_seen)
        return x->is_seen ? -1 : 1;
    if (!x->is_seen && x->due != y->due)
        return x->due < y->due ? -1 : 1;
    if (x->key.lod != y->key.lod)
        return y->key.lod - x->key.lod;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

void requests_sort(quadtree_request *requests, size_t count)
{
    qsort(requests, count, sizeof requests[0], compare_requests);
}
