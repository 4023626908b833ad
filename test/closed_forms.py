# SPDX-License-Identifier: LGPL-2.1-or-later
"""What several tests compute another way than iasim does."""
import itertools
import math


def geometric_mean(ratios):
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios))


def signed_rank_p(ratios):
    """Wilcoxon's two-sided p of a median ratio of 1, exact: the ranks of |log ratio| under all signs; equal ones share
    the mean of their ranks, and ratios of 1 are left out.
    """
    ratios = [r for r in ratios if abs(r - 1) > 1e-9]
    sizes = [max(r, 1 / r) for r in ratios]
    ranks = [sum(o < s * (1 - 1e-12) for o in sizes) + (sum(abs(o - s) <= 1e-12 * s for o in sizes) + 1) / 2
             for s in sizes]
    positive = sum(rank for rank, r in zip(ranks, ratios) if r > 1)
    sums = [sum(k for k, s in zip(ranks, signs) if s) for signs in itertools.product((0, 1), repeat=len(ranks))]
    return min(1, 2 * min(sum(s <= positive for s in sums), sum(s >= positive for s in sums)) / len(sums))
