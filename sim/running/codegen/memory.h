/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much memory a program on SMPI takes, where all ranks are in one process: data are there from their send until
   the task that they are for has ended. */
#ifndef IASIM_CODEGEN_MEMORY_H
#define IASIM_CODEGEN_MEMORY_H

#include "engine/replay.h"

/* The most bytes of messages that are there at one time, by the dates of a replay. */
double memory_of_messages_bytes(const struct schedule *s, const struct replay_result *replayed);

/* What the system says that programs can still have; INFINITY: it does not say. */
double memory_available_bytes(void);

#endif
