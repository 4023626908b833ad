/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each frame of the log has a checksum over all frames before it, so a log that was overwritten anywhere shows it.
   SQLite checks frames only when it opens a log, not those that it has written itself. Before they are copied into
   the database, they are read once more here.

   Time: a log of 16 MB, once for each checkpoint. */
#include "store/write_log.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The database is brought up to date when the log has this many pages, 16 MB. */
enum { CHECKPOINT_FRAMES = 4000, HEADER_BYTES = 32, FRAME_HEADER_BYTES = 24 };

static const uint32_t MAGIC =
    0x377f0682; /* its last bit: checksums are of words with the most significant byte first */

/* The file that SQLite writes, also when its name has gone or is another file's. NULL: there is none. */
static sqlite3_file *file_of(const struct write_log *log)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(log->handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    return code == SQLITE_OK && file != NULL && file->pMethods != NULL ? file : NULL;
}

static bool read_at(sqlite3_file *file, sqlite3_int64 offset, void *out, int n_bytes)
{
    return file->pMethods->xRead(file, out, n_bytes, offset) ==
           SQLITE_OK; /* too few bytes are SQLITE_IOERR_SHORT_READ */
}

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t little_endian(const uint8_t *at)
{
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

struct checksum {
    bool is_big_endian;
    uint32_t a, b;
};

/* Two running sums over pairs of 32-bit words, as the format defines them. They are carried from frame to frame. */
static void add(struct checksum *sum, const uint8_t *bytes, size_t n_bytes)
{
    uint32_t (*word)(const uint8_t *) = sum->is_big_endian ? big_endian : little_endian;
    for (size_t i = 0; i < n_bytes; i += 8) {
        sum->a += word(bytes + i) + sum->b;
        sum->b += word(bytes + i + 4) + sum->a;
    }
}

static bool is_at(const struct checksum *sum, const uint8_t *stored)
{
    return sum->a == big_endian(stored) && sum->b == big_endian(stored + 4);
}

/* Frame n is that of this log, not one that is left of an earlier log, if it has the header's two random numbers. */
static bool frames_are_intact(sqlite3_file *file, const uint8_t *header, struct checksum sum, int n_frames)
{
    size_t page_bytes = big_endian(header + 8), frame_bytes = FRAME_HEADER_BYTES + page_bytes;
    uint8_t *frame = mem_alloc(frame_bytes);
    bool is_intact = true;
    for (int i = 0; is_intact && i < n_frames; i++) {
        sqlite3_int64 offset = HEADER_BYTES + (sqlite3_int64)frame_bytes * i;
        /* A frame of an earlier log, which is still in the file behind the current one, has other random numbers
           ("salts"). */
        is_intact = read_at(file, offset, frame, (int)frame_bytes) && memcmp(frame + 8, header + 16, 8) == 0;
        /* The first eight bytes of the frame's header and the page, not the random numbers and the checksum itself. */
        add(&sum, frame, 8);
        add(&sum, frame + FRAME_HEADER_BYTES, page_bytes);
        is_intact = is_intact && is_at(&sum, frame + 16);
    }
    free(frame);
    return is_intact;
}

static bool is_header(const uint8_t *header)
{
    uint32_t page_bytes = big_endian(header + 8);
    /* Sizes of a page that SQLite allows. */
    return (big_endian(header) & ~1u) == MAGIC && page_bytes >= 512 && page_bytes <= 65536;
}

bool write_log_is_intact(const struct write_log *log)
{
    uint8_t header[HEADER_BYTES];
    /* Nothing has been written to a log, or there is none. */
    if (log->n_frames == 0)
        return true;
    sqlite3_file *file = file_of(log);
    if (file == NULL || !read_at(file, 0, header, HEADER_BYTES) || !is_header(header))
        return false;
    /* The checksum of the header is the start of all others. */
    struct checksum sum = {.is_big_endian = (big_endian(header) & 1) != 0};
    add(&sum, header, 24);
    return is_at(&sum, header + 24) && frames_are_intact(file, header, sum, log->n_frames);
}

bool write_log_is_there(const struct write_log *log)
{
    uint8_t header[HEADER_BYTES];
    sqlite3_int64 size_bytes = 0;
    if (log->n_frames == 0)
        return true;
    sqlite3_file *file = file_of(log);
    /* Longer is usual: the file is used again from its beginning and is not cut. */
    return file != NULL && read_at(file, 0, header, HEADER_BYTES) && is_header(header) &&
           file->pMethods->xFileSize(file, &size_bytes) == SQLITE_OK &&
           size_bytes >= HEADER_BYTES + (sqlite3_int64)log->n_frames *
                                            (FRAME_HEADER_BYTES + (sqlite3_int64)big_endian(header + 8));
}

/* After each commit. Readers may keep a checkpoint from coming to the end: the next one goes on. */
static int after_commit(void *self, sqlite3 *handle, const char *name, int n_frames)
{
    struct write_log *log = self;
    log->n_frames = n_frames;
    if (n_frames < CHECKPOINT_FRAMES || log->is_damaged)
        return SQLITE_OK;
    log->is_damaged = !write_log_is_intact(log);
    /* PASSIVE: copies what no reader needs any more, and waits for nobody. */
    if (!log->is_damaged)
        sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return SQLITE_OK;
}

void write_log_watch(struct write_log *log, sqlite3 *handle)
{
    *log = (struct write_log){.handle = handle};
    sqlite3_wal_hook(handle, after_commit, log);
}
