/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Platforms: a refusal has a message, and the accepted can be asked for their properties and files. */
#include "fuzz.h"
#include "machine/platform_xml.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct err e = {0};
    struct platform_xml *p;
    enum err_code code = platform_xml_parse((const char *)bytes, n, "fuzz.xml", &p, &e);
    if (code != ERR_NONE) {
        require(p == NULL && e.code == code && e.text[0] != '\0' && e.line >= 0);
        return 0;
    }
    require(platform_xml_property_line(p, "host", "c1", "ir_send") >= 0);
    require(platform_xml_property_line(p, "link", "l", "involvement_send") >= 0);
    for (size_t i = 0; i < platform_xml_n_files(p); i++)
        require(platform_xml_file(p, i)[0] != '\0');
    platform_xml_free(p);
    return 0;
}
