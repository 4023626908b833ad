/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define FORMAT dag_format_stg
#include "fuzz_dag.h"
