/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ranks of tasks on hosts: what still costs below a task if it runs on a host, and its successors wherever they are
   best. With w(t, h) the time of t on h, c the cost of the edge from t to s between two hosts (CORE_PARAM_EDGES), and

       below_X(t, h) = max over successors s of min over hosts g of  X(s, g) + (0 if g = h, else c)        (exits: 0)

   the optimistic cost table, the predict cost matrix and the best imaginary level are

       OCT(t, h) = below_{OCT + w}(t, h)                   [Arabnejad 2014] (3)
       PCM(t, h) = below_{PCM + w}(t, h) + w(t, h)         [Djigal 2019]
       BIL(t, h) = below_{BIL}(t, h) + w(t, h)             [Oh 1996]

   Time: edges times hosts. */
#ifndef IASIM_SCHEDULERS_RANK_H
#define IASIM_SCHEDULERS_RANK_H

#include "schedulers/core.h"

enum rank_kind { RANK_OCT, RANK_PCM, RANK_BIL };

/* [task * n_hosts + host]; `edges`: a value of CORE_PARAM_EDGES. PCM and BIL are INFINITY where a task may not run. The
   caller frees the array. */
double *rank_table(const struct problem *p, enum rank_kind kind, const char *edges);

/* [task]: the mean over the hosts where the task may run. The caller frees the array. */
double *rank_means(const struct problem *p, const double *table);

/* core_plan_ahead by such a table: priorities are its means. */
enum err_code rank_plan_ahead(const struct core_call *call, enum rank_kind kind);

#endif
