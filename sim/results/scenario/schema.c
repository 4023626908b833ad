/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scenario/schema.h"

#include <libxml/xmlschemas.h>
#include <string.h>

struct finding {
    const char *path;
    struct err *e;
};

#if LIBXML_VERSION >= 21200
typedef const xmlError *found_error;
#else
typedef xmlErrorPtr found_error;
#endif

/* libxml2 reports every violation; err_set keeps the first. */
static void note(void *context, found_error found)
{
    struct finding *f = context;
    int n = (int)strcspn(found->message, "\n");
    n -= n > 0 && found->message[n - 1] == '.';
    err_set_at(f->e, ERR_PARSE, f->path, found->line, "%.*s", n, found->message);
}

static enum err_code validate(xmlSchemaPtr schema, xmlDocPtr doc, const char *path, struct err *e)
{
    struct finding finding = {path, e};
    xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);
    if (context == NULL)
        return err_set(e, ERR_INTERNAL, "libxml2 cannot make a validator");
    xmlSchemaSetValidStructuredErrors(context, note, &finding);
    int result = xmlSchemaValidateDoc(context, doc);
    xmlSchemaFreeValidCtxt(context);
    return result == 0 ? ERR_NONE : err_set_at(e, ERR_PARSE, path, 0, "does not follow the scenario schema");
}

enum err_code schema_check(xmlDocPtr doc, const char *path, struct err *e)
{
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewMemParserCtxt((const char *)scenario_xsd, (int)scenario_xsd_size);
    xmlSchemaPtr schema = parser != NULL ? xmlSchemaParse(parser) : NULL;
    enum err_code code = schema != NULL ? validate(schema, doc, path, e)
                                        : err_set(e, ERR_INTERNAL, "libxml2 cannot read the scenario schema");
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(parser);
    return code;
}
