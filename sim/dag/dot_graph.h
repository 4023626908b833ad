/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a DOT text says, as it says it: nodes, edges and subgraphs with their defaults. formats/dot.c reads
   it; from here it goes into a task graph. */
#ifndef IASIM_DAG_DOT_GRAPH_H
#define IASIM_DAG_DOT_GRAPH_H

#include "dag/dag.h"

#include <stdbool.h>
#include <stddef.h>

/* Edges between subgraphs can be many more than the text is long: the most that are made of them, and that
   are looked at to make them. */
enum { DOT_MAX_EXPANDED = 10000000 };

struct dot_size {
    bool is_set;
    double value;
    int line;
};

enum dot_kind { DOT_OF_NODE, DOT_OF_EDGE, DOT_OF_GRAPH };

struct dot_node {
    char *name;
    struct dot_size size;
    int line;
    size_t stamp; /* the last search of a subgraph that met it */
};

struct dot_link {
    int src, dst, line;
    bool is_own; /* its size is its own, not a default */
    struct dot_size size;
};

struct dot_scope { /* a subgraph; number 0 is the graph */
    int parent, first_child, next_sibling;
    int *nodes; /* mentioned right in it */
    size_t n_nodes, capacity;
    struct dot_size defaults[2]; /* of nodes, of edges */
    bool is_local[2];            /* given here; else the parent's */
};

struct dot_pool { /* lists of nodes, one behind the other */
    int *nodes;
    size_t n, capacity;
};

struct dot_graph {
    const char *path;
    bool is_strict;
    struct dot_node *nodes;
    struct dot_link *links;
    struct dot_scope *scopes;
    char **scope_names;
    size_t n_nodes, n_links, n_scopes, n_scope_names;
    size_t nodes_capacity, links_capacity, scopes_capacity, scope_names_capacity;
    struct name_index *node_index, *scope_index;
    size_t n_expanded, n_searches;
};

void dot_graph_init(struct dot_graph *g, const char *path);
void dot_graph_clear(struct dot_graph *g);

/* A subgraph in `parent` (-1: the graph itself); with a name (not NULL), the one of that name right there, if
 * any. */
int dot_graph_scope(struct dot_graph *g, int parent, const char *name);
/* Before what is in it is read: it has its parent's defaults where it has none of its own. */
void dot_graph_enter(struct dot_graph *g, int scope);
void dot_graph_set_default(struct dot_graph *g, int scope, enum dot_kind kind, struct dot_size size);

/* The node of this name, new if need be, which is then also one of the subgraph's. */
int dot_graph_node(struct dot_graph *g, int scope, const char *name, int line);

void dot_pool_add(struct dot_pool *pool, int node);
/* Adds the nodes of a subgraph and of all those in it, each once, in the order of the text. Errors:
 * ERR_INPUT: too many. */
enum err_code dot_graph_gather(struct dot_graph *g, int scope, int line, struct dot_pool *pool, struct err *e);
/* An edge from each of pool's nodes from[0] to from[1] (not included) to each from to[0] to to[1]. Errors:
   ERR_INPUT: too many. */
enum err_code dot_graph_join(struct dot_graph *g, const struct dot_pool *pool, const size_t from[2], const size_t to[2],
                             const struct dot_link *like, struct err *e);

/* Into a task graph. Errors: ERR_INPUT, with line: a task without a size, and those of dag_add_task and
 * dag_add_edge. */
enum err_code dot_graph_fill(struct dot_graph *g, struct dag *out, struct err *e);

#endif
