/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/logp_world.h"

LOGP_WORLD(loggp, "long messages occupy processors for o, and ports for G per byte; links are not used (LogGP)");
