/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two parts of a cube with different axes meet at a place (a value of every axis): each finds its own cell there,
   because steps of 0 ignore the axes that it lacks. Places are counted up like an odometer, so nothing here recurses or
   depends on the number of axes; a step costs O(axes). */
#include "report/cube.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Linear: there are at most CUBE_AXES. */
long cube_axis(const struct cube_axes *axes, const char *param)
{
    for (size_t a = 0; a < axes->n; a++)
        if (strcmp(axes->list[a]->param->name, param) == 0)
            return (long)a;
    return -1;
}

struct cube cube_along(const struct cube_axes *axes, struct cube_set along)
{
    struct cube c = {.axes = axes, .n_cells = 1};
    /* From the last axis, which changes fastest, to the first: the step of an axis is the number
       of cells of all later ones. */
    for (size_t a = axes->n; a-- > 0;)
        if (along.has[a]) {
            c.step[a] = c.n_cells;
            c.n_cells *= axes->list[a]->n_values;
        }
    c.cells = mem_alloc(c.n_cells * sizeof *c.cells); /* a cube of a single number has a cell, too */
    for (size_t i = 0; i < c.n_cells; i++)
        c.cells[i] = NAN;
    return c;
}

struct cube cube_of_number(const struct cube_axes *axes, double value)
{
    struct cube c = cube_along(axes, (struct cube_set){0});
    c.cells[0] = value;
    return c;
}

void cube_clear(struct cube *c)
{
    free(c->cells);
    c->cells = NULL;
}

struct cube cube_copy(const struct cube *c)
{
    struct cube out = *c;
    out.cells = mem_alloc(c->n_cells * sizeof *out.cells);
    memcpy(out.cells, c->cells, c->n_cells * sizeof *out.cells);
    return out;
}

struct cube_set cube_set_of(const struct cube *c)
{
    struct cube_set s = {0};
    for (size_t a = 0; a < c->axes->n; a++)
        s.has[a] = c->step[a] > 0;
    return s;
}

double *cube_at(const struct cube *c, const struct cube_place *p)
{
    size_t cell = 0;
    for (size_t a = 0; a < c->axes->n; a++)
        cell += p->at[a] * c->step[a];
    return &c->cells[cell];
}

/* When an axis has passed its last value it returns to its first, and the axis before it advances. After the last place
   all are at 0 again: the same `p` can be used for the next round. */
bool cube_next(const struct cube_axes *axes, struct cube_set along, struct cube_place *p)
{
    for (size_t a = axes->n; a-- > 0;) {
        if (!along.has[a])
            continue;
        if (++p->at[a] < axes->list[a]->n_values)
            return true;
        p->at[a] = 0;
    }
    return false;
}

struct cube cube_combine(struct cube a, struct cube b, double (*f)(double, double))
{
    struct cube_set along = cube_set_of(&a), more = cube_set_of(&b);
    struct cube_place p = {0};
    for (size_t i = 0; i < a.axes->n; i++)
        along.has[i] = along.has[i] || more.has[i];
    struct cube out = cube_along(a.axes, along);
    /* do, not while: a cube without axes has one place. */
    do
        *cube_at(&out, &p) = f(*cube_at(&a, &p), *cube_at(&b, &p));
    while (cube_next(a.axes, along, &p));
    cube_clear(&a);
    cube_clear(&b);
    return out;
}

struct cube cube_slice(struct cube c, size_t axis, size_t at)
{
    struct cube_set along = cube_set_of(&c);
    along.has[axis] = false;
    struct cube out = cube_along(c.axes, along);
    struct cube_place p = {0};
    do {
        p.at[axis] = at; /* cube_next left this axis alone */
        *cube_at(&out, &p) = *cube_at(&c, &p);
    } while (cube_next(c.axes, along, &p));
    cube_clear(&c);
    return out;
}

/* Two odometers on one place: the outer one goes through the cells of the result, the inner one through what each is
   made of. They move different axes, so neither disturbs the other. Time: O(cells). */
struct cube cube_reduce(struct cube c, struct cube_set over, double (*f)(double *values, size_t n))
{
    struct cube_set all = cube_set_of(&c), along = all, inner = all;
    for (size_t a = 0; a < c.axes->n; a++) {
        along.has[a] = all.has[a] && !over.has[a];
        inner.has[a] = all.has[a] && over.has[a];
    }
    struct cube out = cube_along(c.axes, along);
    double *values = mem_alloc(c.n_cells * sizeof *values); /* enough if all axes are reduced */
    struct cube_place p = {0};
    do {
        size_t n = 0;
        do {
            double x = *cube_at(&c, &p);
            if (!isnan(x))
                values[n++] = x;
        } while (cube_next(c.axes, inner, &p)); /* leaves the inner axes at 0 */
        /* Otherwise the cell stays NAN: the mean of nothing is not 0. */
        if (n > 0)
            *cube_at(&out, &p) = f(values, n);
    } while (cube_next(c.axes, along, &p));
    free(values);
    cube_clear(&c);
    return out;
}

double cube_mean(double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

double cube_count(double *values, size_t n)
{
    (void)values;
    return (double)n;
}

double cube_number(struct cube c, double (*f)(double *values, size_t n))
{
    struct cube one = cube_reduce(c, cube_set_of(&c), f);
    double number = one.cells[0];
    cube_clear(&one);
    return number;
}
