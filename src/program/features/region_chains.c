/* region_chains.c - joins the sides of four samples at a corner. Nodes and chains lie in arrays; those that are free
 * are linked. */
#include "program/features/region_chains.h"

#include <stdlib.h>

#include "library/core/grow.h"

bool region_chains_begin(region_chains *s, int width)
{
    const size_t slots = (size_t)width + 1;
    s->right = malloc(slots * sizeof *s->right);
    s->left = malloc(slots * sizeof *s->left);
    s->free_node = s->free_chain = REGION_NONE;
    return s->right && s->left;
}

void region_chains_free(region_chains *s)
{
    free(s->nodes);
    free(s->chains);
    free(s->right);
    free(s->left);
}

/* ---- nodes and chains ---- */

/** A new node, REGION_NONE without memory. */
static int32_t add_node(region_chains *s, int32_t x, int32_t y, bool is_pinch)
{
    int32_t n = s->free_node;
    if (n != REGION_NONE) {
        s->free_node = s->nodes[n].next;
    } else {
        region_node *nodes =
            s->n_nodes < INT32_MAX ? ter_grow(s->nodes, &s->nodes_room, s->n_nodes + 1, sizeof *nodes) : NULL;
        if (!nodes) {
            s->has_failed = true;
            return REGION_NONE;
        }
        s->nodes = nodes;
        n = (int32_t)s->n_nodes++;
    }
    s->nodes[n] = (region_node){x, y, REGION_NONE, is_pinch};
    return n;
}

/** Begin a chain with one node. */
static void begin_chain(region_chains *s, int32_t node, int32_t *head, int32_t *tail)
{
    int32_t n = s->free_chain;
    if (n != REGION_NONE) {
        s->free_chain = s->chains[n].next;
    } else {
        region_chain *chains = ter_grow(s->chains, &s->chains_room, s->n_chains + 1, sizeof *chains);
        if (!chains) {
            s->has_failed = true;
            return;
        }
        s->chains = chains;
        n = (int32_t)s->n_chains++;
    }
    s->chains[n] = (region_chain){node, node, head, tail, REGION_NONE, 1};
    *head = *tail = n;
}

/** Add a node behind the tail that lies in a slot, and move the tail to another slot. */
static void append(region_chains *s, const int32_t *from, int32_t node, int32_t *to)
{
    region_chain *c = &s->chains[*from];
    s->nodes[c->last].next = node;
    c->last = node;
    c->count++;
    c->tail = to;
    *to = *from;
}

/** Add a node before the head that lies in a slot, and move the head to another slot. */
static void prepend(region_chains *s, const int32_t *from, int32_t node, int32_t *to)
{
    region_chain *c = &s->chains[*from];
    s->nodes[node].next = c->first;
    c->first = node;
    c->count++;
    c->head = to;
    *to = *from;
}

static void free_chain(region_chains *s, int32_t chain)
{
    s->chains[chain].next = s->free_chain;
    s->free_chain = chain;
}

/** Join a tail and a head by a node. Returns the chain if it is closed now, otherwise REGION_NONE. */
static int32_t join(region_chains *s, const int32_t *tail, int32_t node, const int32_t *head)
{
    const int32_t a = *tail, b = *head;
    region_chain *before = &s->chains[a];
    const region_chain *behind = &s->chains[b];
    s->nodes[before->last].next = node;
    before->count++;
    if (a == b) {
        before->last = node;
        return a;
    }
    s->nodes[node].next = behind->first;
    before->last = behind->last;
    before->count += behind->count;
    before->tail = behind->tail;
    *before->tail = a;
    free_chain(s, b);
    return REGION_NONE;
}

void region_chains_drop(region_chains *s, int32_t chain)
{
    const region_chain *c = &s->chains[chain];
    s->nodes[c->last].next = s->free_node;
    s->free_node = c->first;
    free_chain(s, chain);
}

/* ---- corners ---- */

/** The turns of a region at a corner, by which of the samples a, b, c, d it has: bits 1, 2, 4, 8. Without a turn its
 * chains pass straight on. */
static int32_t turn(region_chains *s, int samples, int32_t x, int32_t y, bool is_pinch)
{
    enum { A = 1, B = 2, C = 4, D = 8 };
    int32_t *right = &s->right[x], *left = &s->left[x];
    if (samples == (A | B) || samples == (C | D) || samples == (A | C) || samples == (B | D))
        return REGION_NONE;
    const int32_t node = add_node(s, x, y, is_pinch);
    if (node == REGION_NONE)
        return REGION_NONE;
    switch (samples) {
    case A:
        return join(s, right, node, &s->above);
    case B:
        prepend(s, left, node, &s->above);
        break;
    case C:
        append(s, &s->below, node, right);
        break;
    case D:
        begin_chain(s, node, left, &s->below);
        break;
    case A | B | C:
        begin_chain(s, node, &s->above, right);
        break;
    case A | B | D:
        prepend(s, &s->above, node, left);
        break;
    case A | C | D:
        append(s, right, node, &s->below);
        break;
    default: /* b, c and d */
        return join(s, &s->below, node, left);
    }
    return REGION_NONE;
}

void region_chains_corner(region_chains *s, int32_t x, int32_t y, const int32_t numbers[4], int32_t closed[2])
{
    static const int neighbours[4] = {2 | 4, 1 | 8, 1 | 8, 2 | 4}; /* samples that have a side in common */
    int done = 0;
    closed[0] = closed[1] = REGION_NONE;
    for (int n = 0; n < 4 && !s->has_failed; n++) {
        int samples = 1 << n;
        if (numbers[n] == 0 || (done & samples))
            continue;
        for (int k = 0; k < 4; k++) /* those beside sample n, and then the opposite one beside these */
            if (numbers[k] == numbers[n] && (neighbours[n] & 1 << k))
                samples |= 1 << k;
        if (numbers[3 - n] == numbers[n] && (neighbours[3 - n] & samples))
            samples |= 8 >> n;
        done |= samples;
        const int32_t chain = turn(s, samples, x, y, samples == 1 << n && numbers[3 - n] == numbers[n]);
        if (n < 2)
            closed[n] = chain;
    }
}
