/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/logp_world.h"

LOGP_WORLD(logp, "messages of a fixed size occupy processors and ports; links are not used (LogP)");
