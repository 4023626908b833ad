/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Replays a corpus as an ordinary test: gives each file of the folders named on the command line to a fuzzer's
   function. Each is copied to memory of its own size, so that a memory checker sees a read past its end. */
#include "base/mem.h"
#include "base/text.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static enum err_code replay_file(const char *path, struct err *e)
{
    struct text text = {0};
    enum err_code code = text_read_file(&text, path, 1 << 24, e);
    if (code == ERR_NONE) {
        uint8_t *copy = mem_alloc(text.size);
        if (text.size > 0)
            memcpy(copy, text.data, text.size);
        LLVMFuzzerTestOneInput(copy, text.size);
        free(copy);
    }
    text_clear(&text);
    return code;
}

/* The number of files, or -1. */
static int replay_folder(const char *folder, struct err *e)
{
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort);
    if (n < 0) {
        err_set_at(e, ERR_IO, folder, 0, "the folder cannot be read");
        return -1;
    }
    int n_files = 0;
    for (int i = 0; i < n; i++) {
        char *path = mem_format("%s/%s", folder, names[i]->d_name);
        if (names[i]->d_name[0] != '.' && n_files >= 0) {
            fprintf(stderr, "%s\n", path);
            n_files = replay_file(path, e) == ERR_NONE ? n_files + 1 : -1;
        }
        free(path);
        free(names[i]);
    }
    free(names);
    return n_files;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct err e = {0};
        char line[2048];
        int n_files = replay_folder(argv[i], &e);
        if (n_files < 0)
            fprintf(stderr, "%s\n", err_describe(&e, line, sizeof line));
        if (n_files <= 0)
            return 1; /* a corpus with nothing in it tests nothing */
    }
    return argc < 2;
}
