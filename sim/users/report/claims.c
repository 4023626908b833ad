/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A claims.xml is evaluated ("told", in the names below) in one pass from top to bottom: each element is a definition
   for those below it, or a block of the document. So <let> and <paper> must stand before the formulas that use them,
   and the first mistake ends the report: half a report could be taken for the whole.

   A setting is one combination of the values of the parameters in `each`. An element is evaluated once for each
   setting, with figures taken there only. */
#include "report/claims.h"

#include "base/mem.h"
#include "base/xml.h"
#include "report/claims_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known while a file is evaluated. The figures belong to it and outlive included files. */
struct teller {
    struct claims c;
    struct figures figures;
    struct cube_set
        firsts; /* figures are taken at the first values of these axes, unless an element names them in `each` */
    struct document *d;
    bool in_claims; /* the last block is a group of claims */
    int n_files;    /* that include each other */
};

typedef enum err_code tell_element(struct teller *t, const xmlNode *n, struct err *e);

/* ---- where figures are taken ---- */

/* "noise work=0.1, waiting passive": the values of what `each` names and the scenario gives; ""
   without `each`. The caller's. */
static char *setting_text(const struct teller *t, const char *each)
{
    struct text out = {0};
    char *words = mem_strdup(each), *rest = words;
    for (char *word; (word = strtok_r(NULL, " ", &rest)) != NULL;) {
        const char *value = claims_label(&t->figures, word); /* not given: an optional parameter */
        if (*value != '\0')
            text_addf(&out, "%s%s %s", out.size > 0 ? ", " : "", word, value);
    }
    free(words);
    return text_take(&out);
}

/* What an element does not go through by `each` is looked at where it is simplest: without noise, waiting passively.
   Axes that `each` has fixed stay as they are. */
static void fix(struct figures *f, struct cube_set axes)
{
    for (size_t a = 0; a < f->axes.n; a++)
        if (axes.has[a] && !f->is_fixed[a]) {
            f->is_fixed[a] = true;
            f->fixed.at[a] = 0;
        }
}

/* "waiting=passive; waiting=active": whether the scenario has these values. NULL: nothing is needed. Whole claims
   depend on it, not formulas: a claim about active waiting means nothing where no run waits actively. */
static bool has(const struct teller *t, const char *needs)
{
    char *words = mem_strdup(needs != NULL ? needs : ""), *rest = words;
    bool has_all = true;
    for (char *word; (word = strsep(&rest, ";")) != NULL && *word != '\0';) {
        char *value = word + strspn(word, " "), *param = strsep(&value, "=");
        const struct scenario_axis *a = scenario_axis(t->figures.scenario, param);
        /* Without "=": the parameter alone is needed. */
        has_all = has_all && a != NULL && (value == NULL || scenario_axis_place(a, value) >= 0);
    }
    free(words);
    return has_all;
}

/* Takes figures at the place where `formula` is largest, the first one if several are equal. Places without a figure
   are never the largest. What `each` has fixed is no axis of the formula's value and stays. */
static enum err_code go_to_largest(struct teller *t, const xmlNode *n, const char *formula, struct err *e)
{
    struct figures *f = &t->figures;
    struct cube c;
    enum err_code code = formula_value(f, claims_formula(&t->c, n, formula), &c, e);
    if (code == ERR_NONE) {
        struct cube_set along = cube_set_of(&c);
        struct cube_place p = {0}, best = {0};
        double most = -INFINITY;
        do
            if (*cube_at(&c, &p) > most) {
                most = *cube_at(&c, &p);
                best = p;
            }
        while (cube_next(&f->axes, along, &p));
        for (size_t a = 0; a < f->axes.n; a++)
            if (along.has[a]) {
                f->is_fixed[a] = true;
                f->fixed.at[a] = best.at[a];
            }
    }
    cube_clear(&c);
    return code;
}

/* At one setting. */
static enum err_code tell_at(struct teller *t, const xmlNode *n, const char *each, tell_element *tell, struct err *e)
{
    /* Only what is fixed is restored below. Formulas may have read metrics meanwhile, so the list of known figures has
       grown and moved: the copy of its pointer is out of date. */
    struct figures before = t->figures;
    const char *largest = xml_attribute(n, "at_largest");
    enum err_code code = ERR_NONE;
    t->c.setting = setting_text(t, each);
    fix(&t->figures, t->firsts);
    if (largest != NULL)
        code = go_to_largest(t, n, largest, e);
    if (code == ERR_NONE)
        code = tell(t, n, e);
    memcpy(t->figures.is_fixed, before.is_fixed, sizeof before.is_fixed);
    t->figures.fixed = before.fixed;
    free(t->c.setting);
    t->c.setting = NULL;
    return code;
}

/* The next combination of the values of the parameters in `each`, the last word changing fastest; false after the last
   one. Words, not axes, decide the order, because the author of the file chooses it. */
static bool next_setting(const struct cube_axes *axes, const char *each, struct cube_place *p)
{
    /* From the last word to the first, without changing the text. */
    const char *end = each + strlen(each);
    while (end > each) {
        const char *word = end;
        while (word > each && word[-1] != ' ')
            word--;
        char *param = mem_format("%.*s", (int)(end - word), word);
        long axis = cube_axis(axes, param);
        free(param);
        if (axis >= 0 && ++p->at[axis] < axes->list[axis]->n_values)
            return true;
        if (axis >= 0)
            p->at[axis] = 0;
        end = word > each ? word - 1 : each;
    }
    return false;
}

/* Once for each combination. */
static enum err_code tell_each(struct teller *t, const xmlNode *n, tell_element *tell, struct err *e)
{
    const char *given = xml_attribute(n, "each"), *each = given != NULL ? given : "";
    /* A table of changes skips the setting that it compares with; a table of the first setting ends there. */
    bool skips = xml_attribute(n, "but_first") != NULL, ends = xml_attribute(n, "only_first") != NULL;
    struct cube_set axes = {0};
    struct cube_place p = {0};
    enum err_code code = claims_axes(&t->c, n, "each", &axes, e);
    /* Left out silently: an included file is about scenarios that have these values and others that do not. */
    if (code != ERR_NONE || !has(t, xml_attribute(n, "needs")))
        return code;
    /* While everything is at the first values. */
    t->c.first_setting = setting_text(t, each);
    do {
        for (size_t a = 0; a < t->figures.axes.n; a++)
            t->figures.is_fixed[a] = axes.has[a];
        t->figures.fixed = p;
        if (!skips)
            code = tell_at(t, n, each, tell, e);
        skips = false;
    } while (code == ERR_NONE && !ends && next_setting(&t->figures.axes, each, &p));
    /* Definitions below this element are over all settings again. */
    memset(t->figures.is_fixed, false, sizeof t->figures.is_fixed);
    t->figures.fixed = (struct cube_place){0};
    free(t->c.first_setting);
    t->c.first_setting = NULL;
    return code;
}

/* ---- blocks ---- */

/* <note text=".."/>, or <cause text=".." shown_by="SCENARIO"/>: why the claim fails. */
static enum err_code add_note(struct teller *t, const xmlNode *n, struct err *e)
{
    static const char *const known[] = {"text", "shown_by", NULL}, *const required[] = {"text", NULL};
    const char *shown_by = xml_attribute(n, "shown_by");
    struct text text = {0};
    enum err_code code = xml_check_attributes(n, t->c.path, known, required, e);
    if (xml_is(n, "cause"))
        text_addf(&text, shown_by != NULL ? "Cause: " : "Cause, not settled: ");
    if (code == ERR_NONE)
        code = claims_text(&t->c, n, xml_attribute(n, "text"), &text, e);
    if (shown_by != NULL)
        text_addf(&text, " Shown by the scenario %s.", shown_by);
    if (code == ERR_NONE)
        document_detail(t->d, text_str(&text));
    text_clear(&text);
    return code;
}

/* A cause would be wrong beside a claim that holds. */
static enum err_code add_notes(struct teller *t, const xmlNode *claim, bool holds, struct err *e)
{
    enum err_code code = ERR_NONE;
    /* <holds> and <order> are read by claims_examine. */
    for (const xmlNode *n = xml_first(claim); n != NULL && code == ERR_NONE; n = xml_next(n))
        if (xml_is(n, "note") || (xml_is(n, "cause") && !holds))
            code = add_note(t, n, e);
    return code;
}

/* Absent attributes add nothing. */
static enum err_code add_attribute(const struct teller *t, const xmlNode *n, const char *name, struct text *out,
                                   struct err *e)
{
    const char *template = xml_attribute(n, name);
    return template != NULL ? claims_text(&t->c, n, template, out, e) : ERR_NONE;
}

/* A claim may be tested in one scenario and an input in another, where the platform was given what it says
   (`other_kind`). The kind decides whether the verdict is counted, so a misspelt one is refused. */
static enum err_code read_kind(const struct teller *t, const xmlNode *n, enum document_kind *out, struct err *e)
{
    const char *other = xml_attribute(n, "other_kind"), *needs = xml_attribute(n, "other_kind_needs");
    const char *kind = other != NULL && needs != NULL && has(t, needs) ? other : xml_attribute(n, "kind");
    for (*out = 0; *out < DOCUMENT_KINDS; ++*out)
        if (strcmp(kind, document_kind_names[*out]) == 0)
            return ERR_NONE;
    return xml_refuse(e, t->c.path, n, "unknown kind '%s' of a claim; known: construction, input, tested", kind);
}

/* "Both are ahead of FCFS (4.3).": the section goes before the full stop. */
static enum err_code add_claim_text(const struct teller *t, const xmlNode *n, struct text *out, struct err *e)
{
    const char *section = xml_attribute(n, "section");
    enum err_code code = claims_text(&t->c, n, xml_attribute(n, "text"), out, e);
    if (section == NULL)
        return code;
    if (out->size > 0 && out->data[out->size - 1] == '.')
        out->data[--out->size] = '\0';
    text_addf(out, " (%s).", section);
    return code;
}

/* Texts are made before the verdict, so that a mistake in them is reported even where the claim has no results. */
static enum err_code tell_claim(struct teller *t, const xmlNode *n, struct err *e)
{
    struct text text = {0}, rule = {0}, paper = {0}, here = {0};
    enum document_kind kind;
    bool holds;
    enum err_code code = read_kind(t, n, &kind, e);
    if (code == ERR_NONE)
        code = add_claim_text(t, n, &text, e);
    if (code == ERR_NONE)
        code = add_attribute(t, n, "paper", &paper, e);
    if (code == ERR_NONE)
        code = add_attribute(t, n, "here", &here, e);
    if (code == ERR_NONE)
        code = claims_examine(&t->c, n, &holds, &rule, e);
    if (code == ERR_NONE) {
        /* Claims that follow each other, also those of several settings, are one group, sorted by kind. */
        if (!t->in_claims)
            document_claims(t->d);
        t->in_claims = true;
        document_claim(t->d, &(struct document_claim){holds, text_str(&text), paper.size > 0 ? text_str(&paper) : NULL,
                                                      here.size > 0 ? text_str(&here) : NULL, text_str(&rule), kind});
        code = add_notes(t, n, holds, e);
    }
    text_clear(&text);
    text_clear(&rule);
    text_clear(&paper);
    text_clear(&here);
    return code;
}

static enum err_code tell_text(struct teller *t, const xmlNode *n, struct err *e)
{
    struct text text = {0};
    enum err_code code = claims_text(&t->c, n, xml_attribute(n, "text"), &text, e);
    if (code == ERR_NONE)
        document_paragraphf(t->d, "%s", text_str(&text));
    if (code == ERR_NONE && xml_attribute(n, "headline") != NULL)
        document_headline(t->d);
    t->in_claims = false;
    text_clear(&text);
    return code;
}

static enum err_code tell_table(struct teller *t, const xmlNode *n, struct err *e)
{
    t->in_claims = false;
    enum err_code code = claims_table(&t->c, n, t->d, e);
    if (code == ERR_NONE && xml_attribute(n, "headline") != NULL)
        document_headline(t->d);
    return code;
}

/* ---- the file ---- */

/* What each block may say. Attributes that are not listed are refused, because a misspelt one would be ignored. */
static const struct block {
    const char *name, *known[12], *required[3];
    tell_element *tell;
} blocks[] = {
    {"claim",
     {"text", "kind", "other_kind", "other_kind_needs", "paper", "here", "each", "needs", "at_largest", "cell",
      "section", NULL},
     {"text", "kind", NULL},
     tell_claim},
    {"text", {"text", "each", "only_first", "needs", "at_largest", "headline", NULL}, {"text", NULL}, tell_text},
    {"table",
     {"title", "rows", "labels", "average", "each", "but_first", "only_first", "needs", "headline", NULL},
     {"title", "rows", NULL},
     tell_table},
};

static enum err_code tell_block(struct teller *t, const xmlNode *n, struct err *e)
{
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        if (xml_is(n, blocks[i].name)) {
            enum err_code code = xml_check_attributes(n, t->c.path, blocks[i].known, blocks[i].required, e);
            return code == ERR_NONE ? tell_each(t, n, blocks[i].tell, e) : code;
        }
    return xml_refuse(e, t->c.path, n, "unknown element <%s>; known: claim, complete, include, let, paper, table, text",
                      xml_name(n));
}

/* Included files have elements, which may be includes. */
static enum err_code tell_elements(struct teller *t, const xmlNode *root, struct err *e);

/* <include file="../kreaseck-interference/claims.xml"/>: what that file's root contains, as if it stood here. The files
   that it names are in its own folder. */
static enum err_code tell_included(struct teller *t, const xmlNode *n, struct err *e)
{
    static const char *const known[] = {"file", NULL};
    enum { MOST_FILES = 8 }; /* within each other: one that includes itself never ends */
    const char *outer = t->c.path;
    xmlDocPtr file = NULL;
    enum err_code code = xml_check_attributes(n, outer, known, known, e);
    if (code == ERR_NONE && t->n_files == MOST_FILES)
        code = xml_refuse(e, outer, n, "includes are nested more than %d deep", MOST_FILES);
    if (code != ERR_NONE)
        return code;
    /* Relative to the file that includes, which need not be the first one. */
    char *path = claims_file(&t->c, xml_attribute(n, "file"));
    code = xml_read_file(path, &file, e);
    if (code == ERR_NONE) {
        /* Messages name the included file, and its own includes start there. */
        t->c.path = path;
        t->n_files++;
        code = tell_elements(t, xmlDocGetRootElement(file), e);
        t->n_files--;
        t->c.path = outer; /* before the path is freed */
    }
    xmlFreeDoc(file);
    free(path);
    return code;
}

static enum err_code tell_element_of_file(struct teller *t, const xmlNode *n, struct err *e)
{
    if (xml_is(n, "let"))
        return claims_let(&t->c, n, e);
    if (xml_is(n, "paper"))
        return claims_paper(&t->c, n, e);
    if (xml_is(n, "complete"))
        return claims_complete(&t->c, n, e);
    if (xml_is(n, "include"))
        return tell_included(t, n, e);
    return tell_block(t, n, e);
}

static enum err_code tell_elements(struct teller *t, const xmlNode *root, struct err *e)
{
    enum err_code code =
        xml_is(root, "claims") ? ERR_NONE : xml_refuse(e, t->c.path, root, "<%s>, expected <claims>", xml_name(root));
    for (const xmlNode *n = xml_first(root); n != NULL && code == ERR_NONE; n = xml_next(n))
        code = tell_element_of_file(t, n, e);
    return code;
}

/* Only the root of the first file is looked at: which graphs are samples depends on the scenario that is judged,
   not on the claims about it. */
static enum err_code tell_root(struct teller *t, const xmlNode *root, struct err *e)
{
    static const char *const known[] = {"default", "bounds", "first", "samples", "repeats", "repeats_by", NULL};
    enum err_code code = xml_check_attributes(root, t->c.path, known, NULL, e);
    if (code == ERR_NONE)
        code = claims_axes(&t->c, root, "first", &t->firsts, e);
    if (code == ERR_NONE)
        code = claims_axes(&t->c, root, "samples", &t->figures.samples, e);
    /* Last, because a copy is looked for among samples. */
    if (code == ERR_NONE)
        code = claims_find_copies(&t->c, root, e);
    return code == ERR_NONE ? tell_elements(t, root, e) : code;
}

enum err_code claims_tell(const struct claims_inputs *in, struct document *d, struct err *e)
{
    struct teller t = {.c = {.path = in->path},
                       .figures = {.scenario = in->scenario,
                                   .results = in->results,
                                   .bounds = in->bounds,
                                   .bound_results = in->bound_results},
                       .d = d};
    xmlDocPtr file = NULL;
    t.c.figures = &t.figures;
    enum err_code code = xml_read_file(in->path, &file, e);
    if (code == ERR_NONE)
        code = figures_init(&t.figures, e);
    if (code == ERR_NONE)
        code = tell_root(&t, xmlDocGetRootElement(file), e);
    figures_clear(&t.figures);
    xmlFreeDoc(file);
    return code;
}

enum err_code claims_say(const char *path, const char *attribute, bool *out, struct err *e)
{
    xmlDocPtr file = NULL;
    enum err_code code = xml_read_file(path, &file, e);
    const char *said = code == ERR_NONE ? xml_attribute(xmlDocGetRootElement(file), attribute) : NULL;
    *out = said != NULL && strcmp(said, "yes") == 0;
    xmlFreeDoc(file);
    return code;
}
