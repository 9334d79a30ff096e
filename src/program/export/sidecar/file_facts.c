/* file_facts.c - collects the facts of a file's samples. */
#include "program/export/sidecar/file_facts.h"

#include <math.h>

file_facts file_facts_none(void)
{
    return (file_facts){.min_m = INFINITY, .max_m = -INFINITY};
}

bool file_facts_has_numbers(const file_facts *facts)
{
    return facts->min_m <= facts->max_m;
}

void file_facts_add(file_facts *facts, const file_facts *more)
{
    facts->min_m = fminf(facts->min_m, more->min_m);
    facts->max_m = fmaxf(facts->max_m, more->max_m);
    facts->n_clamped += more->n_clamped;
}
