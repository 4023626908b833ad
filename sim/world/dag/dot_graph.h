/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The content of a DOT file as written: nodes, edges and subgraphs with their defaults. formats/dot.c reads it; the
   functions here turn it into a task graph. */
#ifndef IASIM_DAG_DOT_GRAPH_H
#define IASIM_DAG_DOT_GRAPH_H

#include "dag/dag.h"

#include <stdbool.h>
#include <stddef.h>

/* A short text can describe very many edges between subgraphs. This limits how many are created, and how many nodes are
   visited to create them. */
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
    size_t stamp; /* the last search of a subgraph that visited it */
};

struct dot_link {
    int src, dst, line;
    bool is_own; /* the size was given at the node itself, not by a default */
    struct dot_size size;
};

struct dot_scope { /* a subgraph; number 0 is the graph */
    int parent, first_child, next_sibling;
    int *nodes; /* mentioned directly in it */
    size_t n_nodes, capacity;
    struct dot_size defaults[2]; /* of nodes, of edges */
    bool is_local[2];            /* given here; otherwise inherited from the parent */
};

struct dot_pool { /* lists of nodes, one after the other */
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

/* A subgraph in `parent` (-1: the graph itself). If `name` is not NULL and `parent` already has a subgraph of that
   name, returns that one. */
int dot_graph_scope(struct dot_graph *g, int parent, const char *name);
/* Call before its content is read: copies the parent's defaults where the subgraph has none of its own. */
void dot_graph_enter(struct dot_graph *g, int scope);
void dot_graph_set_default(struct dot_graph *g, int scope, enum dot_kind kind, struct dot_size size);

/* The node of this name, created if necessary. It also becomes a member of the subgraph. */
int dot_graph_node(struct dot_graph *g, int scope, const char *name, int line);

void dot_pool_add(struct dot_pool *pool, int node);
/* Adds each node of a subgraph and of its nested subgraphs once, in the order of the text. Errors: ERR_INPUT: too
   many. */
enum err_code dot_graph_gather(struct dot_graph *g, int scope, int line, struct dot_pool *pool, struct err *e);
/* Adds an edge from each of the pool's nodes from[0] up to (not including) from[1] to each of its nodes to[0] up to
   to[1]. Errors: ERR_INPUT: too many. */
enum err_code dot_graph_join(struct dot_graph *g, const struct dot_pool *pool, const size_t from[2], const size_t to[2],
                             const struct dot_link *like, struct err *e);

/* Builds the task graph. Errors: ERR_INPUT, with line: a task without a size; errors of dag_add_task and
   dag_add_edge. */
enum err_code dot_graph_fill(struct dot_graph *g, struct dag *out, struct err *e);

#endif
