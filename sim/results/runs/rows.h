/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows that several kinds of run have, and what their values mean. */
#ifndef IASIM_RUNS_ROWS_H
#define IASIM_RUNS_ROWS_H

#include "actors/replay_actors.h"
#include "base/steps.h"
#include "engine/engine.h"
#include "engine/replay.h"
#include "models/noise.h"
#include "runs/run.h"

/* clang-format off */
/* What communication costs the processor. Of those that the engine carries out; WORLD_OF_NETWORKS_ROW: of those that
   need no order of sends and receives. */
#define WORLD_ROW(by_default, other_facts)                                                                             \
    {.is = {"world", PARAM_TEXT, "", by_default, 0, 0, NULL, "what communication costs the processor"},                \
     .facts = other_facts, .check = row_check_world, .origin = row_world_origin, .letter = 'w', .arg = "WORLD",        \
     .values = "models:world"}
#define WORLD_OF_NETWORKS_ROW(by_default, other_facts)                                                                 \
    {.is = {"world", PARAM_TEXT, "", by_default, 0, 0, NULL, "what communication costs the processor"},                \
     .facts = other_facts, .check = row_check_world_of_networks, .origin = row_world_origin, .letter = 'w',            \
     .arg = "WORLD", .values = "models:world"}

#define MODEL_ROW(by_default, help)                                                                                    \
    {.is = {"model", PARAM_TEXT, "", by_default, 0, 0, NULL, help}, .check = row_check_model,                          \
     .origin = row_model_origin, .letter = 'm', .arg = "MODEL", .values = "models:cost"}

#define WAITING_MEANING                                                                                                \
    "passive (if not given): a processor is free while data are under way; active: communication blocks, a send "      \
    "and a receive hold their processor until the last byte has arrived; rendezvous[progress=P,eager=BYTES]: data of " \
    "a message of more than BYTES (0) move when the destination is in its receive, and with P hardware at once, calls "\
    "(if not given) in a call of the source, which lasts until they are through, polls in calls of the source only"
#define WAITING_ROW(by_default, other_facts, help)                                                                     \
    {.is = {"waiting", PARAM_TEXT, "", by_default, 0, 0, NULL, help}, .facts = other_facts,                            \
     .check = row_check_waiting, .letter = 'a', .arg = "WAITING", .values = "waiting"}

/* Of kinds that simulate what was planned: where it is given, the run is random. Its seed is the number of the
   point's stream. */
#define NOISE_ROW                                                                                                      \
    {.is = {"noise", PARAM_TEXT, "", NULL, 0, 0, NULL, NOISE_SYNTAX ": " NOISE_MEANING},                               \
     .facts = RUN_OPTIONAL | RUN_RANDOM, .check = row_check_noise,                                                     \
     .letter = 'N', .arg = "KIND=CV,..", .values = "noise"}

/* Values for all hosts, in place of what the platform says about communication (struct machine_values). `prefix` is
   "", or "platform_" where a result column has the name already. */
#define IR_ROWS(prefix, other_facts)                                                                                   \
    {.is = {prefix "ir_send", PARAM_NUMBER, "per MB/s", NULL, 0, MACHINE_MOST_IR_PER_MB_PER_S, NULL,                   \
            "all hosts: interference of sending, per MB/s"},                                                           \
     .facts = RUN_OPTIONAL | RUN_SHARED | (other_facts), .option = "ir-send", .arg = "RATE"},                          \
    {.is = {prefix "ir_recv", PARAM_NUMBER, "per MB/s", NULL, 0, MACHINE_MOST_IR_PER_MB_PER_S, NULL,                   \
            "all hosts: interference of receiving, per MB/s"},                                                         \
     .facts = RUN_OPTIONAL | RUN_SHARED | (other_facts), .option = "ir-recv", .arg = "RATE"}
/* Of links, by their names in SimGrid. */
#define BANDWIDTH_ROW                                                                                                  \
    {.is = {"bandwidth", PARAM_TEXT, "MB/s", NULL, 0, 0, NULL,                                                         \
            "bandwidths of links in place of the platform's; between several stands , or ;"},                          \
     .facts = RUN_OPTIONAL | RUN_SHARED, .check = row_check_bandwidth, .arg = "LINK=MB/s,.."}
#define OCCUPATION_ROWS(other_facts)                                                                                   \
    {.is = {"overhead", PARAM_STEPS, "s", NULL, 0, 1e12, STEPS_LINEAR,                                                 \
            "all hosts: overhead of a message, at each end; a number, or steps of its size"},                          \
     .facts = RUN_OPTIONAL | RUN_SHARED | (other_facts), .arg = "S"},                                                  \
    {.is = {"involvement", PARAM_STEPS, "", NULL, 0, 1, STEPS_SHARE,                                                   \
            "all hosts: processor's share of the time on a link, 0 to 1, at each end; "                                \
            "a number, or steps of the size"},                                                                         \
     .facts = RUN_OPTIONAL | RUN_SHARED | (other_facts), .arg = "SHARE"}
/* clang-format on */

enum err_code row_check_world(const char *value, struct err *e);
enum err_code row_check_world_of_networks(const char *value, struct err *e);
const struct origin *row_world_origin(const char *value);
enum err_code row_check_model(const char *value, struct err *e);
const struct origin *row_model_origin(const char *value);
enum err_code row_check_waiting(const char *value, struct err *e);
enum err_code row_check_noise(const char *value, struct err *e);
enum err_code row_check_bandwidth(const char *value, struct err *e); /* how it is written; links are looked up later */

/* Whether the row is there, has a value, and this one. */
bool row_is(const struct param_set *params, const char *name, const char *value);

/* The noise of a point: NULL, or in `storage`, which is to be cleared. */
const struct noise *row_noise(const struct point *p, struct noise *storage);

/* How a point carries a schedule out: its rows world, links, waiting, noise, engine, as far as its kind has them.
   `options` points into it. Errors: those of world_find. */
struct replay_how {
    struct noise noise;
    struct replay_options options; /* schedule_path and record are the caller's */
    enum replay_engine by;
};
enum err_code replay_how_read(struct replay_how *out, const struct point *p, struct err *e);
void replay_how_clear(struct replay_how *how);

/* The machine of the row `platform`, with the values of IR_ROWS, OCCUPATION_ROWS and BANDWIDTH_ROW. Errors: those of
   engine_open and engine_override; ERR_INPUT for an unknown link. */
enum err_code rows_open_machine(const struct param_set *params, struct engine **out, struct err *e);
/* Those values, before anything else asks the engine for its machine. */
enum err_code rows_override(struct engine *engine, const struct param_set *params, struct err *e);

#endif
