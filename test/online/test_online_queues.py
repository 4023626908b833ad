#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test_online_queues.py IASIM: jobs of one task that arrive at random, on one host or several equal ones, wait as
queueing theory says: the mean is within its interval of 99.9 %, by batch means (noise of CV 1 makes works exponential).

M/M/1, M/D/1 and M/G/1: Pollaczek-Khinchine; M/M/c: Erlang C. The seeds are fixed, so the verdict is, too."""
import math
import statistics
import sys
import tempfile

from online_case import PLATFORM, run_json

N_JOBS, N_FIRST, N_BATCHES = 82000, 2000, 25
T_OF_24 = 3.745  # 99.95 % of Student's t with 24 degrees of freedom


def erlang_c_wait_s(n_hosts, load):
    """Of works of mean 1 s; load: of all hosts."""
    busy = n_hosts * load
    terms = [busy**k / math.factorial(k) for k in range(n_hosts + 1)]
    waiting = terms[-1] / (1 - load)
    return waiting / (sum(terms[:-1]) + waiting) / (n_hosts * (1 - load))


def pollaczek_khinchine_wait_s(cv, load):
    return load / (1 - load) * (1 + cv * cv) / 2


def equal_hosts(n):
    hosts = ['<host id="h%d" speed="1Gf"/>' % i for i in range(n)]
    routes = ['<route src="h%d" dst="h%d"><link_ctn id="l"/></route>' % (i, j) for i in range(n) for j in range(i)]
    return "\n".join(hosts + ['<link id="l" bandwidth="1MBps" latency="0s"/>'] + routes) + "\n"


def measured(folder, policy, n_hosts, load, cv, seed, arrival):
    with open(folder + "/p.xml", "w") as f:
        f.write(PLATFORM % equal_hosts(n_hosts))
    noise = ["--noise", "work=%g" % cv, "--seed", str(seed)] if cv else []
    jobs = ["--generator", "layered[tasks=1,width=1,heterogeneity=0]", "--jobs", str(N_JOBS), "--instance", str(seed)]
    found = run_json(folder, "online", "-p", "p.xml", *jobs, "--arrival", arrival, "-P", policy, "--stretch", "off",
                     "--warmup", str(N_FIRST), *noise)
    waits = [j["wait_s"] for j in found["jobs"][N_FIRST:]]
    assert abs(found["wait_mean_s"] - statistics.fmean(waits)) < 1e-9
    size = len(waits) // N_BATCHES
    batches = [statistics.fmean(waits[i * size:(i + 1) * size]) for i in range(N_BATCHES)]
    return statistics.fmean(batches), T_OF_24 * statistics.stdev(batches) / math.sqrt(N_BATCHES)


CASES = [  # policy, hosts, load, CV of works, expected
    ("eager", 1, 0.5, 1, erlang_c_wait_s(1, 0.5)),
    ("olb", 1, 0.7, 1, pollaczek_khinchine_wait_s(1, 0.7)),
    ("eager", 1, 0.5, 0, pollaczek_khinchine_wait_s(0, 0.5)),
    ("dmda", 1, 0.7, 0, pollaczek_khinchine_wait_s(0, 0.7)),
    ("eager", 1, 0.6, 0.5, pollaczek_khinchine_wait_s(0.5, 0.6)),
    ("eager", 1, 0.5, 2, pollaczek_khinchine_wait_s(2, 0.5)),
    ("eager", 2, 0.7, 1, erlang_c_wait_s(2, 0.7)),
    ("eager", 4, 0.7, 1, erlang_c_wait_s(4, 0.7)),
    ("eager", 8, 0.8, 1, erlang_c_wait_s(8, 0.8)),
]


def main():
    assert abs(erlang_c_wait_s(1, 0.7) - pollaczek_khinchine_wait_s(1, 0.7)) < 1e-12
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for i, (policy, n_hosts, load, cv, expected) in enumerate(CASES):
            arrival = "poisson[load=%g]" % load if i % 2 else "poisson[rate=%g]" % (load * n_hosts)
            mean, half = measured(folder, policy, n_hosts, load, cv, i + 1, arrival)
            is_right = abs(mean - expected) <= half and half < 0.25 * expected
            wrong += not is_right
            print("%s, %d host(s), load %g, CV %g: wait %.4f +- %.4f s, theory %.4f%s" % (
                policy, n_hosts, load, cv, mean, half, expected, "" if is_right else "  WRONG"), flush=True)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
