/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "models/logp_world.h"

LOGP_WORLD(glogp, "messages occupy processors and ports by their size; links are not used (generalised LogP)");
