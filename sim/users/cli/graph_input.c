/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/graph_input.h"

enum err_code graph_input_read(const struct graph_input *in, struct dag *out, struct err *e)
{
    const struct dag_format *format = NULL;
    enum err_code code = in->format != NULL ? dag_format_find(in->format, &format, e) : ERR_NONE;
    return code == ERR_NONE ? dag_read(in->graph, format, &in->reading, out, e) : code;
}
