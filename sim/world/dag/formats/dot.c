/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* DOT (graphviz.org/doc/info/lang.html) as SimGrid uses it: the `size` of a node is in flop, of an edge in bytes. The
   tasks `root` and `end` need no size. An edge without a size, or with SimGrid's size -1, carries no data. `Weight`
   means the same as `size` because the public databases of optimal schedules (Sinnen and others, Auckland) use it.
   Graphviz's own `weight`, which is about drawing, is ignored.

   We have our own reader because libcgraph is not safe with untrusted files. Version 2.42 needs more than a minute for
   10,000 nodes with one attribute each (160 kB), because it gives each attribute to every node. It crashes after
   filling 4 GB on an edge between two subgraphs of 10,000 nodes (120 kB). Its interface offers no way to stop it.

   The meaning of the language is the same: defaults apply to nodes and edges created later, in the subgraph and in
   those inside it; a subgraph that is named again is continued; an edge between subgraphs joins all their nodes; a
   strict graph has no second edge. Differences: text after the graph, attributes of a subgraph in brackets and
   undirected graphs are errors, and `key` does not create parallel edges. Nothing recurses. Time: linear in text and
   edges. */
#include "base/mem.h"
#include "dag/dot_graph.h"
#include "dag/dot_token.h"
#include "dag/format.h"

#include <stdlib.h>
#include <string.h>

struct operand { /* of ->: nodes, which begin here in the reader's pool, or a subgraph whose nodes are not
                   yet in the pool */
    size_t start;
    int scope; /* -1: nodes */
    int line;
};

struct frame { /* a subgraph that is being read */
    int scope;
    size_t first_operand; /* of the current statement */
};

struct reader {
    struct dot_lexer x;
    struct dot_graph g;
    struct err *e;
    struct dot_pool pool;
    struct operand *operands;
    struct frame *frames;
    size_t n_operands, n_frames, operands_capacity, frames_capacity;
};

static enum err_code next(struct reader *r)
{
    return dot_next(&r->x, r->e);
}

static enum err_code expected(struct reader *r, const char *what)
{
    return dot_expected(&r->x, what, r->e);
}

static enum err_code skip(struct reader *r, int token, const char *what)
{
    return r->x.token == token ? next(r) : expected(r, what);
}

/* ---- subgraphs ---- */

/* Statements, defaults and nodes belong to the innermost subgraph that is open. */
static int scope_at_hand(const struct reader *r)
{
    return r->frames[r->n_frames - 1].scope;
}

static void enter(struct reader *r, int scope)
{
    dot_graph_enter(&r->g, scope);
    MEM_GROW(r->frames, r->n_frames, r->frames_capacity);
    r->frames[r->n_frames++] = (struct frame){scope, r->n_operands};
}

/* At `subgraph`, or at a brace. The frame takes the place of a recursive call: the statement around it goes on in
   close_subgraph. */
static enum err_code open_subgraph(struct reader *r)
{
    enum err_code code = ERR_NONE;
    int scope = -1;
    if (r->x.token == DOT_SUBGRAPH) {
        code = next(r);
        if (code == ERR_NONE && r->x.token == DOT_ID) {
            scope = dot_graph_scope(&r->g, scope_at_hand(r), text_str(&r->x.text));
            code = next(r);
        }
    }
    if (code == ERR_NONE)
        code = skip(r, '{', "'{'");
    if (code == ERR_NONE)
        enter(r, scope >= 0 ? scope : dot_graph_scope(&r->g, scope_at_hand(r), NULL));
    return code;
}

/* ---- attributes ---- */

static enum err_code read_size(const struct reader *r, enum dot_kind kind, bool is_weight, struct dot_size *out)
{
    const char *text = text_str(&r->x.text);
    /* An empty value takes the default away: size="" is as if it had not been given. */
    *out = (struct dot_size){.is_set = text[0] != '\0', .line = r->x.token_line};
    if (out->is_set && !text_to_double(text, &out->value))
        return err_set_at(r->e, ERR_INPUT, r->x.path, r->x.token_line, "%s '%.100s' is not a finite number",
                          is_weight ? "Weight" : "size", text);
    if (kind == DOT_OF_EDGE && out->value == -1 && !is_weight)
        out->value = 0; /* SimGrid's value for "no data" */
    return ERR_NONE;
}

/* name = value */
static enum err_code read_attribute(struct reader *r, enum dot_kind kind, bool *found, struct dot_size *size)
{
    if (r->x.token != DOT_ID)
        return expected(r, "an attribute's name or ']'");
    bool is_weight = strcmp(text_str(&r->x.text), "Weight") == 0;
    bool is_size = kind != DOT_OF_GRAPH && (is_weight || strcmp(text_str(&r->x.text), "size") == 0);
    enum err_code code = next(r);
    if (code == ERR_NONE)
        code = skip(r, '=', "'='");
    if (code == ERR_NONE && r->x.token != DOT_ID)
        code = expected(r, "an attribute's value");
    if (code == ERR_NONE && is_size)
        code = read_size(r, kind, is_weight, size);
    *found |= is_size;
    return code == ERR_NONE ? next(r) : code;
}

/* [a=b, c=d; e=f] [...]. *found: `size` or `Weight` was among them; the last one counts. */
static enum err_code read_attributes(struct reader *r, enum dot_kind kind, bool *found, struct dot_size *size)
{
    enum err_code code = ERR_NONE;
    *found = false;
    while (code == ERR_NONE && r->x.token == '[') {
        code = next(r);
        while (code == ERR_NONE && r->x.token != ']') {
            code = read_attribute(r, kind, found, size);
            if (code == ERR_NONE && (r->x.token == ',' || r->x.token == ';'))
                code = next(r);
        }
        if (code == ERR_NONE)
            code = next(r);
    }
    return code;
}

/* node [size=1] */
static enum err_code read_defaults(struct reader *r)
{
    enum dot_kind kind = r->x.token == DOT_NODE ? DOT_OF_NODE : r->x.token == DOT_EDGE ? DOT_OF_EDGE : DOT_OF_GRAPH;
    struct dot_size size = {0};
    bool found;
    enum err_code code = next(r);
    if (code == ERR_NONE && r->x.token != '[')
        return expected(r, "'['");
    if (code == ERR_NONE)
        code = read_attributes(r, kind, &found, &size);
    if (code == ERR_NONE && found)
        dot_graph_set_default(&r->g, scope_at_hand(r), kind, size);
    return code;
}

/* ---- nodes ---- */

static void add_operand(struct reader *r, int scope, int line)
{
    MEM_GROW(r->operands, r->n_operands, r->operands_capacity);
    r->operands[r->n_operands++] = (struct operand){r->pool.n, scope, line};
}

static void add_node(struct reader *r, const char *name, int line)
{
    dot_pool_add(&r->pool, dot_graph_node(&r->g, scope_at_hand(r), name, line));
}

/* name[:port[:port]]; ports are ignored. The name has already been read. */
static enum err_code skip_ports(struct reader *r)
{
    enum err_code code = ERR_NONE;
    for (int i = 0; i < 2 && code == ERR_NONE && r->x.token == ':'; i++) {
        code = next(r);
        if (code == ERR_NONE)
            code = skip(r, DOT_ID, "a port's name");
    }
    return code;
}

/* a, b, c: graphviz accepts a list of nodes instead of a node. The first name has already been read, into `name`,
   which is a copy: the lexer's text changes with the next token. */
static enum err_code read_nodes(struct reader *r, const char *name, int line)
{
    add_operand(r, -1, line);
    add_node(r, name, line);
    enum err_code code = skip_ports(r);
    while (code == ERR_NONE && r->x.token == ',') {
        code = next(r);
        if (code == ERR_NONE && r->x.token != DOT_ID)
            code = expected(r, "a node's name");
        if (code != ERR_NONE)
            return code;
        add_node(r, text_str(&r->x.text), r->x.token_line);
        code = next(r);
        if (code == ERR_NONE)
            code = skip_ports(r);
    }
    return code;
}

/* ---- edges ---- */

/* The range of an operand's nodes in the pool, which held n_pool nodes when the statement ended. The nodes of a
   subgraph are gathered behind them, once for each use: it may have grown since it was closed. */
static enum err_code locate(struct reader *r, size_t i, size_t n_pool, size_t place[2])
{
    const struct operand *o = &r->operands[i];
    place[0] = o->start;
    place[1] = i + 1 < r->n_operands ? r->operands[i + 1].start : n_pool;
    if (o->scope < 0)
        return ERR_NONE;
    place[0] = r->pool.n;
    enum err_code code = dot_graph_gather(&r->g, o->scope, o->line, &r->pool, r->e);
    place[1] = r->pool.n;
    return code;
}

static enum err_code make_links(struct reader *r, size_t first, struct dot_link like)
{
    size_t n_pool = r->pool.n, from[2], to[2];
    enum err_code code = locate(r, first, n_pool, from);
    /* a -> b -> c: each operand is joined with the next one, and is the left side of one edge and the right side of
       another. */
    for (size_t i = first + 1; i < r->n_operands && code == ERR_NONE; i++) {
        code = locate(r, i, n_pool, to);
        like.line = r->operands[i].line;
        if (code == ERR_NONE)
            code = dot_graph_join(&r->g, &r->pool, from, to, &like, r->e);
        memcpy(from, to, sizeof from);
    }
    return code;
}

/* ---- statements ---- */

/* After the last operand. Attributes stand there but hold for the whole statement, so its nodes and subgraphs are
   kept until here. Then the pool and the operands shrink to what the statements around it still need. */
static enum err_code end_statement(struct reader *r)
{
    size_t first = r->frames[r->n_frames - 1].first_operand, start = r->operands[first].start;
    bool is_edge = r->n_operands - first > 1, is_own;
    struct dot_size own = {0}, usual = r->g.scopes[scope_at_hand(r)].defaults[DOT_OF_EDGE];
    if (!is_edge && r->operands[first].scope >= 0 && r->x.token == '[')
        return err_set_at(r->e, ERR_PARSE, r->x.path, r->x.token_line, "a subgraph cannot have attributes in brackets");
    enum err_code code = read_attributes(r, is_edge ? DOT_OF_EDGE : DOT_OF_NODE, &is_own, &own);
    if (code == ERR_NONE && is_edge)
        code = make_links(r, first, (struct dot_link){.is_own = is_own, .size = is_own ? own : usual});
    else if (code == ERR_NONE && is_own)
        for (size_t i = start; i < r->pool.n; i++)
            r->g.nodes[r->pool.nodes[i]].size = own;
    r->n_operands = first;
    r->pool.n = start;
    return code;
}

/* After an operand: ends the statement, or reads on to its end or to the next subgraph. */
static enum err_code go_on(struct reader *r)
{
    enum err_code code = ERR_NONE;
    while (code == ERR_NONE && r->x.token == DOT_ARROW) {
        code = next(r);
        if (code != ERR_NONE)
            return code;
        if (r->x.token == '{' || r->x.token == DOT_SUBGRAPH)
            return open_subgraph(r);
        if (r->x.token != DOT_ID)
            return expected(r, "a node or a subgraph");
        char *name = mem_strdup(text_str(&r->x.text));
        int line = r->x.token_line;
        code = next(r);
        if (code == ERR_NONE)
            code = read_nodes(r, name, line);
        free(name);
    }
    /* `a -- b` is valid DOT, only not here: without a direction nobody waits for anybody. */
    if (code == ERR_NONE && r->x.token == DOT_LINE)
        return expected(r, "'->' (task graphs are directed)");
    return code == ERR_NONE ? end_statement(r) : code;
}

/* name = value, or nodes. */
static enum err_code read_named(struct reader *r)
{
    char *name = mem_strdup(text_str(&r->x.text));
    int line = r->x.token_line;
    enum err_code code = next(r);
    /* `name = value` sets an attribute of the graph, which means nothing for task graphs. */
    if (code == ERR_NONE && r->x.token == '=') {
        code = next(r);
        if (code == ERR_NONE)
            code = skip(r, DOT_ID, "an attribute's value");
    } else if (code == ERR_NONE) {
        code = read_nodes(r, name, line);
        if (code == ERR_NONE)
            code = go_on(r);
    }
    free(name);
    return code;
}

static enum err_code close_subgraph(struct reader *r)
{
    int scope = scope_at_hand(r), line = r->x.token_line;
    enum err_code code = next(r);
    r->n_frames--;
    /* The outermost brace has been closed: the graph is complete. Otherwise the subgraph is an operand of the
       statement around it: `subgraph s {..} -> b`. */
    if (code != ERR_NONE || r->n_frames == 0)
        return code;
    add_operand(r, scope, line);
    return go_on(r);
}

static enum err_code read_statement(struct reader *r)
{
    switch (r->x.token) {
    case '}':
        return close_subgraph(r);
    case ';':
        return next(r);
    case '{':
    case DOT_SUBGRAPH:
        return open_subgraph(r);
    case DOT_GRAPH:
    case DOT_NODE:
    case DOT_EDGE:
        return read_defaults(r);
    case DOT_ID:
        return read_named(r);
    default:
        return expected(r, "a statement or '}'");
    }
}

/* [strict] digraph [name] {...} */
static enum err_code read_graph(struct reader *r)
{
    enum err_code code = ERR_NONE;
    r->g.is_strict = r->x.token == DOT_STRICT;
    if (r->g.is_strict)
        code = next(r);
    if (code == ERR_NONE)
        code = skip(r, DOT_DIGRAPH, "'digraph'");
    if (code == ERR_NONE && r->x.token == DOT_ID)
        code = next(r);
    if (code == ERR_NONE)
        code = skip(r, '{', "'{'");
    if (code == ERR_NONE)
        enter(r, dot_graph_scope(&r->g, -1, NULL));
    while (code == ERR_NONE && r->n_frames > 0)
        code = read_statement(r);
    if (code == ERR_NONE && r->x.token != DOT_END)
        code = expected(r, "the end of the text (a file holds one graph)");
    return code;
}

static enum err_code read_dot(const char *bytes, size_t n, const char *path, const struct dag_read_options *options,
                              struct dag *out, struct err *e)
{
    struct reader r = {.e = e};
    (void)options;
    dot_graph_init(&r.g, path);
    enum err_code code = dot_open(&r.x, bytes, n, path, e);
    if (code == ERR_NONE)
        code = read_graph(&r);
    if (code == ERR_NONE)
        code = dot_graph_fill(&r.g, out, e);
    dot_clear(&r.x);
    dot_graph_clear(&r.g);
    free(r.pool.nodes);
    free(r.operands);
    free(r.frames);
    return code;
}

/* By the first keyword. `graph` also counts: the reader then says that task graphs are directed, which is more
   helpful than an unknown format. */
static int looks_like_dot(const char *bytes, size_t n)
{
    struct dot_lexer x;
    enum err_code code = dot_open(&x, bytes, n, "", NULL);
    int yes = code == ERR_NONE && (x.token == DOT_STRICT || x.token == DOT_GRAPH || x.token == DOT_DIGRAPH);
    dot_clear(&x);
    return yes;
}

/* ---- writing ---- */

/* Between quotes a backslash may stand before anything except a quote, a line's end or the end of the name. */
static bool fits_in_quotes(const char *name)
{
    for (; *name != '\0'; name++)
        if (*name == '\\') {
            if (name[1] == '\0' || name[1] == '"' || name[1] == '\n' || name[1] == '\r')
                return false;
            name += name[1] == '\\';
        }
    return true;
}

/* Between < and > any text is allowed whose own < and > are balanced (but no HTML comment, which may break the
   balance). */
static bool fits_in_angles(const char *name)
{
    size_t depth = 1;
    if (strstr(name, "<!--") != NULL)
        return false;
    for (; *name != '\0' && depth > 0; name++)
        depth = depth + (*name == '<') - (*name == '>');
    return depth == 1;
}

static enum err_code write_name(const struct dag *g, const struct task *t, struct text *out, struct err *e)
{
    if (!fits_in_quotes(t->name) && fits_in_angles(t->name)) {
        text_addf(out, "<%s>", t->name);
        return ERR_NONE;
    }
    if (!fits_in_quotes(t->name))
        return err_set_at(
            e, ERR_INPUT, g->source, t->line,
            "task '%.200s': this name cannot be written in DOT (it has a backslash before a quote or at its "
            "end, and unbalanced angle brackets)",
            t->name);
    text_add(out, "\"", 1);
    for (const char *c = t->name; *c != '\0';) {
        size_t n = strcspn(c, "\"");
        text_add(out, c, n);
        c += n;
        if (*c == '"') {
            text_add(out, "\\\"", 2);
            c++;
        }
    }
    text_add(out, "\"", 1);
    return ERR_NONE;
}

static enum err_code write_dot(const struct dag *g, const struct dag_read_options *options, struct text *out,
                               struct err *e)
{
    enum err_code code = ERR_NONE;
    char number[TEXT_NUMBER_SIZE];
    (void)options;
    text_addf(out, "digraph G {\n");
    /* 17 digits in quotes: DOT's own numbers have no exponents. */
    for (task_id t = 0; t < g->n_tasks && code == ERR_NONE; t++) {
        text_addf(out, "  ");
        code = write_name(g, &g->tasks[t], out, e);
        text_addf(out, " [size=\"%s\"];\n", text_number(g->tasks[t].work_flop, number));
    }
    for (edge_id i = 0; i < g->n_edges && code == ERR_NONE; i++) {
        const struct edge *edge = &g->edges[i];
        text_addf(out, "  ");
        code = write_name(g, &g->tasks[edge->src], out, e);
        text_addf(out, " -> ");
        if (code == ERR_NONE)
            code = write_name(g, &g->tasks[edge->dst], out, e);
        text_addf(out, " [size=\"%s\"];\n", text_number(edge->size_bytes, number));
    }
    text_addf(out, "}\n");
    return code;
}

const struct dag_format dag_format_dot = {
    .name = "dot",
    .summary = "graphviz digraph; size (or Weight) of a node in flop, of an edge in bytes",
    .source = "graphviz's DOT language, with the attributes of SimGrid's DAG loader",
    .extensions = "dot gv",
    .looks_like = looks_like_dot,
    .read = read_dot,
    .write = write_dot,
};
