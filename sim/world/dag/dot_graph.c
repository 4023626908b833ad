/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Nodes, edges and subgraphs as DOT means them, and their translation into tasks. Subgraphs are numbered and linked
   to their parents, children and siblings by number, so nothing here recurses however deep a text nests them. */
#include "dag/dot_graph.h"

#include "base/mem.h"
#include "base/name_index.h"

#include <stdlib.h>
#include <string.h>

void dot_graph_init(struct dot_graph *g, const char *path)
{
    *g = (struct dot_graph){.path = path, .node_index = name_index_create(), .scope_index = name_index_create()};
}

void dot_graph_clear(struct dot_graph *g)
{
    for (size_t i = 0; i < g->n_nodes; i++)
        free(g->nodes[i].name);
    for (size_t i = 0; i < g->n_scopes; i++)
        free(g->scopes[i].nodes);
    for (size_t i = 0; i < g->n_scope_names; i++)
        free(g->scope_names[i]);
    name_index_free(g->node_index);
    name_index_free(g->scope_index);
    free(g->nodes);
    free(g->links);
    free(g->scopes);
    free(g->scope_names);
}

/* ---- subgraphs ---- */

static int make_scope(struct dot_graph *g, int parent)
{
    MEM_GROW(g->scopes, g->n_scopes, g->scopes_capacity);
    g->scopes[g->n_scopes] = (struct dot_scope){.parent = parent, .first_child = -1, .next_sibling = -1};
    /* In front of its siblings: the order of children does not matter, because gathered nodes are sorted by number. */
    if (parent >= 0) {
        g->scopes[g->n_scopes].next_sibling = g->scopes[parent].first_child;
        g->scopes[parent].first_child = (int)g->n_scopes;
    }
    return (int)g->n_scopes++;
}

int dot_graph_scope(struct dot_graph *g, int parent, const char *name)
{
    if (name == NULL)
        return make_scope(g, parent);
    /* A name belongs to its parent: two subgraphs of the same name in different parents are different ones. */
    char *key = mem_format("%d %s", parent, name);
    int scope = name_index_find(g->scope_index, key);
    if (scope >= 0) {
        free(key);
        return scope;
    }
    scope = make_scope(g, parent);
    MEM_GROW(g->scope_names, g->n_scope_names, g->scope_names_capacity);
    g->scope_names[g->n_scope_names++] = key;
    name_index_add(g->scope_index, key, scope);
    return scope;
}

void dot_graph_enter(struct dot_graph *g, int scope)
{
    struct dot_scope *s = &g->scopes[scope];
    /* On each entry, because the parent's defaults may have changed since the subgraph was last open. */
    for (int kind = 0; kind < 2 && s->parent >= 0; kind++)
        if (!s->is_local[kind])
            s->defaults[kind] = g->scopes[s->parent].defaults[kind];
}

void dot_graph_set_default(struct dot_graph *g, int scope, enum dot_kind kind, struct dot_size size)
{
    g->scopes[scope].defaults[kind] = size;
    g->scopes[scope].is_local[kind] = true;
}

/* ---- nodes ---- */

static int find_node(struct dot_graph *g, int scope, const char *name, int line)
{
    int node = name_index_find(g->node_index, name);
    if (node >= 0)
        return node;
    MEM_GROW(g->nodes, g->n_nodes, g->nodes_capacity);
    node = (int)g->n_nodes++;
    /* Defaults count when a node is created. Later ones do not change it. */
    g->nodes[node] =
        (struct dot_node){.name = mem_strdup(name), .size = g->scopes[scope].defaults[DOT_OF_NODE], .line = line};
    return name_index_add(g->node_index, g->nodes[node].name, node);
}

int dot_graph_node(struct dot_graph *g, int scope, const char *name, int line)
{
    int node = find_node(g, scope, name, line);
    struct dot_scope *s = &g->scopes[scope];
    if (s->parent >= 0) { /* the nodes of the whole graph are never needed */
        MEM_GROW(s->nodes, s->n_nodes, s->capacity);
        s->nodes[s->n_nodes++] = node;
    }
    return node;
}

/* ---- edges ---- */

void dot_pool_add(struct dot_pool *pool, int node)
{
    MEM_GROW(pool->nodes, pool->n, pool->capacity);
    pool->nodes[pool->n++] = node;
}

/* A text of kilobytes can ask for 10^10 edges ({..} -> {..}); it is refused before the memory is filled. */
static enum err_code count_expanded(struct dot_graph *g, size_t n, int line, struct err *e)
{
    g->n_expanded += n;
    if (g->n_expanded > DOT_MAX_EXPANDED)
        return err_set_at(e, ERR_INPUT, g->path, line, "more than %d edges between subgraphs", DOT_MAX_EXPANDED);
    return ERR_NONE;
}

/* The next scope in the subtree of `top`; -1: no more. */
static int following(const struct dot_graph *g, int top, int scope)
{
    if (g->scopes[scope].first_child >= 0)
        return g->scopes[scope].first_child;
    while (scope != top && g->scopes[scope].next_sibling < 0)
        scope = g->scopes[scope].parent;
    return scope == top ? -1 : g->scopes[scope].next_sibling;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

enum err_code dot_graph_gather(struct dot_graph *g, int top, int line, struct dot_pool *pool, struct err *e)
{
    /* A stamp for each search: the marks of earlier searches are simply smaller, so nothing has to be cleared. */
    size_t stamp = ++g->n_searches, before = pool->n;
    for (int scope = top; scope >= 0; scope = following(g, top, scope)) {
        const struct dot_scope *s = &g->scopes[scope];
        /* Visits count, too: a nested subgraph that is used a thousand times is searched a thousand times. */
        if (count_expanded(g, s->n_nodes + 1, line, e) != ERR_NONE)
            return ERR_INPUT;
        for (size_t i = 0; i < s->n_nodes; i++)
            if (g->nodes[s->nodes[i]].stamp != stamp) {
                g->nodes[s->nodes[i]].stamp = stamp;
                dot_pool_add(pool, s->nodes[i]);
            }
    }
    /* Nodes are numbered as they first appear in the text, so sorting gives the order of the text. */
    if (pool->n > before)
        qsort(pool->nodes + before, pool->n - before, sizeof *pool->nodes, compare_ints);
    return ERR_NONE;
}

enum err_code dot_graph_join(struct dot_graph *g, const struct dot_pool *pool, const size_t from[2], const size_t to[2],
                             const struct dot_link *like, struct err *e)
{
    size_t n_from = from[1] - from[0], n_to = to[1] - to[0];
    /* Edges between single nodes are not counted: each stands in the text, which is itself bounded. */
    if (n_from * n_to > 1 && count_expanded(g, n_from * n_to, like->line, e) != ERR_NONE)
        return ERR_INPUT;
    for (size_t i = from[0]; i < from[1]; i++)
        for (size_t k = to[0]; k < to[1]; k++) {
            MEM_GROW(g->links, g->n_links, g->links_capacity);
            g->links[g->n_links] = *like;
            g->links[g->n_links].src = pool->nodes[i];
            g->links[g->n_links].dst = pool->nodes[k];
            g->n_links++;
        }
    return ERR_NONE;
}

/* ---- into a task graph ---- */

static int compare_links(const void *a, const void *b, void *links)
{
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    const struct dot_link *x = (struct dot_link *)links + i, *y = (struct dot_link *)links + k;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    if (x->dst != y->dst)
        return x->dst < y->dst ? -1 : 1;
    return i < k ? -1 : i > k;
}

/* In a strict graph a second edge between two nodes only repeats the first. It may still set the first one's size,
   if it has one of its own; a default does not overwrite. Sorting makes repeats neighbours; the edges that remain
   keep their order. */
static void merge_links(struct dot_graph *g)
{
    size_t *order = mem_alloc((g->n_links + 1) * sizeof *order), n = 0, first = 0;
    bool *is_gone = mem_zalloc(g->n_links + 1, sizeof *is_gone);
    for (size_t i = 0; i < g->n_links; i++)
        order[i] = i;
    if (g->n_links > 0)
        qsort_r(order, g->n_links, sizeof *order, compare_links, g->links);
    for (size_t i = 1; i < g->n_links; i++) {
        struct dot_link *before = &g->links[order[first]], *again = &g->links[order[i]];
        is_gone[order[i]] = before->src == again->src && before->dst == again->dst;
        if (!is_gone[order[i]])
            first = i;
        else if (again->is_own)
            before->size = again->size;
    }
    for (size_t i = 0; i < g->n_links; i++)
        if (!is_gone[i])
            g->links[n++] = g->links[i];
    g->n_links = n;
    free(is_gone);
    free(order);
}

/* SimGrid creates these two tasks if a file does not have them. */
static bool may_lack_size(const char *name)
{
    return strcmp(name, "root") == 0 || strcmp(name, "end") == 0;
}

static enum err_code fill_tasks(const struct dot_graph *g, struct dag *out, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < g->n_nodes && code == ERR_NONE; i++) {
        const struct dot_node *node = &g->nodes[i];
        double work_flop = node->size.is_set ? node->size.value : 0;
        if (!node->size.is_set && !may_lack_size(node->name))
            code = err_set_at(e, ERR_INPUT, g->path, node->line,
                              "task '%.200s' has no size or Weight (its work, in flop)", node->name);
        else
            /* A negative size may come from a default, so the message names the line of the size, not that of the
               node. */
            code = dag_add_task(out, node->name, work_flop, work_flop < 0 ? node->size.line : node->line, NULL, e);
    }
    return code;
}

enum err_code dot_graph_fill(struct dot_graph *g, struct dag *out, struct err *e)
{
    enum err_code code = fill_tasks(g, out, e);
    /* Only edges: a node that is named again is the same node anyway. */
    if (g->is_strict)
        merge_links(g);
    for (size_t i = 0; i < g->n_links && code == ERR_NONE; i++) {
        const struct dot_link *link = &g->links[i];
        double size_bytes = link->size.is_set ? link->size.value : 0;
        code = dag_add_edge(out, link->src, link->dst, size_bytes, size_bytes < 0 ? link->size.line : link->line, e);
    }
    return code;
}
