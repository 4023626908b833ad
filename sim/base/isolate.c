/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parent and child share the memory of the result; a pipe brings what the child prints, and a pidfd tells its end.
   The result counts only once the child has set `is_complete`, whatever its exit status: a plugin may call exit(0).

   What is promised is that a crash is an error of this one piece. A child that writes wildly into the shared memory
   itself is not guarded against. */
#include "base/isolate.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/orphans.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- what the child printed --- */

bool said_read(struct said *s, int fd)
{
    char bytes[4096];
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    /* What does not fit is read and dropped: the child must never block on a full pipe. Its beginning is kept, where
       the first of several errors stands. */
    size_t room = sizeof s->text - 1 - s->size, kept = (size_t)n < room ? (size_t)n : room;
    memcpy(s->text + s->size, bytes, kept);
    s->size += kept;
    s->text[s->size] = '\0';
    return n > 0;
}

/* The line with the most informative word, or else the first line that is not empty. The marks are in order of
   preference: the text of an exception says more than SimGrid's log line about it, and both more than "Aborted". */
static const char *telling_line(const char *text)
{
    static const char *const marks[] = {"what():", "CRITICAL", "ERROR", "rror:", "ssertion"};
    const char *at = NULL;
    for (size_t i = 0; at == NULL && i < sizeof marks / sizeof marks[0]; i++)
        at = strstr(text, marks[i]);
    if (at == NULL)
        return text + strspn(text, " \t\r\n");
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* Addresses differ from run to run, but the same input must give the same text: they become "0x...". Shorter
   hexadecimal numbers are not addresses. */
static void hide_addresses(char *text)
{
    enum { FEWEST_DIGITS = 6 };
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        size_t n_digits = strncmp(from, "0x", 2) == 0 ? strspn(from + 2, "0123456789abcdefABCDEF") : 0;
        if (n_digits < FEWEST_DIGITS) {
            *to++ = *from++;
            continue;
        }
        to = mempcpy(to, "0x...", 5);
        from += 2 + n_digits;
    }
    *to = '\0';
}

/* ": in plugin PATH: FUNCTION of OWNER: the line that says why", with the parts that are known. */
static char *reason_of(const struct said *s, const struct foreign_note *note)
{
    const char *telling = telling_line(s->text), *where = note != NULL ? foreign_place(note) : "";
    /* One line: messages are a line each, and tables of results hold them. */
    char *line = mem_format("%.*s", (int)strcspn(telling, "\n"), telling);
    hide_addresses(line);
    char *reason = mem_format("%s%s%s%.500s", where[0] != '\0' ? ": " : "", where, line[0] != '\0' ? ": " : "", line);
    free(line);
    return reason;
}

enum err_code said_explain(const struct said *s, const struct foreign_note *note, int wait_status, struct err *e)
{
    char *reason = reason_of(s, note);
    /* An exit is a fault, too: work returns and never calls exit. A plugin or a library has done so. */
    if (!WIFSIGNALED(wait_status)) {
        err_set(e, ERR_INTERNAL, "ended with status %d before it returned a result%s", WEXITSTATUS(wait_status),
                reason);
    } else {
        int signal_number = WTERMSIG(wait_status);
        const char *name = sigabbrev_np(signal_number);
        err_set(e, ERR_INTERNAL, "crashed with SIG%s (%s)%s", name ? name : "?", strsignal(signal_number), reason);
    }
    free(reason);
    return ERR_INTERNAL;
}

/* --- the child --- */

void *isolate_shared(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void isolate_unshare(void *memory, size_t size)
{
    if (memory != NULL)
        munmap(memory, size);
}

/* Closing every other file is safe: SimGrid and LAPACK hold no file open between points. */
void isolate_become_child(pid_t parent, int said_fd, int kept_fd)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Asked after prctl: if the parent has ended before it, no signal will ever come. */
    if (getppid() != parent)
        _exit(3);
    /* Ctrl-C goes to every process of the terminal. The parent decides what is still finished; a child that died of
       it would look like a crash. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    /* Ignored under nohup: a child that died of it would look like a crash, too. */
    if (signal(SIGHUP, SIG_DFL) == SIG_IGN)
        signal(SIGHUP, SIG_IGN);
    /* The mask is inherited. A parent that was forked with signals blocked must not make the child immune. */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Both streams, because SimGrid and plugins print to either. */
    dup2(said_fd, STDOUT_FILENO);
    dup2(said_fd, STDERR_FILENO);
    if (kept_fd >= 0)
        dup2(kept_fd, 3);
    close_range(kept_fd >= 0 ? 4 : 3, ~0U, 0);
    int nothing = open("/dev/null", O_RDONLY); /* the lowest free descriptor, perhaps already 0 */
    if (nothing > 0) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
}

struct report { /* in shared memory; `code` and `e` hold once `is_complete` does */
    enum err_code code;
    struct err e;
    bool is_complete;
    struct foreign_note note;
};

enum { MOST_LAST_WORDS = 16 }; /* reads after the end: another process may write for ever */

struct watch {
    pid_t child;
    int child_fd, said_fd;
    struct said said;
    double deadline_s; /* clock_now_s; INFINITY: none */
    bool is_late;
};

static int left_ms(const struct watch *w)
{
    return isinf(w->deadline_s) ? -1 : (int)fmax(0, fmin(1e6, ceil(1e3 * (w->deadline_s - clock_now_s()))));
}

static void end_if_late(struct watch *w)
{
    if (clock_now_s() < w->deadline_s)
        return;
    w->is_late = true;
    w->deadline_s = INFINITY;
    kill(w->child, SIGKILL);
}

/* Reads the child's output until the child has ended: other processes may hold that output open for longer. */
static void listen_to_the_end(struct watch *w)
{
    struct pollfd fds[2] = {{.fd = w->child_fd, .events = POLLIN}, {.fd = w->said_fd, .events = POLLIN}};
    bool has_ended = false;
    while (!has_ended) {
        int n = poll(fds, 2, left_ms(w));
        if (n == 0)
            end_if_late(w);
        has_ended = n > 0 && fds[0].revents != 0;
        if (n > 0 && fds[1].revents != 0 && !said_read(&w->said, w->said_fd))
            fds[1].fd = -1;
    }
    for (int i = 0; i < MOST_LAST_WORDS && poll(&fds[1], 1, 0) > 0 && said_read(&w->said, w->said_fd); i++)
        continue;
}

static enum err_code outcome(const struct report *r, const struct watch *w, int wait_status, double time_limit_s,
                             struct err *e)
{
    if (w->is_late)
        return err_set(e, ERR_INPUT, "%s%snot done within the time limit of %g s", r->note.words,
                       r->note.words[0] != '\0' ? ": " : "", time_limit_s);
    if (!r->is_complete)
        return said_explain(&w->said, &r->note, wait_status, e);
    if (r->code != ERR_NONE && e != NULL)
        *e = r->e;
    return r->code;
}

static enum err_code watch(struct watch *w, const struct report *r, bool is_foreign, double time_limit_s, struct err *e)
{
    int status = 0;
    listen_to_the_end(w);
    while (waitpid(w->child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (is_foreign)
        orphans_end(NULL, 0);
    return outcome(r, w, status, time_limit_s, e);
}

static _Noreturn void be_child(pid_t parent, int said_fd, isolate_work *work, void *self, struct report *r)
{
    isolate_become_child(parent, said_fd, -1);
    foreign_note_in(&r->note);
    pid_t self_pid = getpid();
    struct err e = {0};
    enum err_code code = foreign_judge(work(self, &e), &e);
    if (getpid() != self_pid) /* a copy that foreign code has made: it must not write over the report of its parent */
        _exit(0);
    r->code = code;
    r->e = e;
    r->is_complete = true;
    _exit(0);
}

static enum err_code run(isolate_work *work, void *self, bool is_foreign, double time_limit_s, struct err *e)
{
    int fds[2];
    enum err_code code = ERR_NONE;
    struct report *r = isolate_shared(sizeof *r);
    if (r == NULL || pipe2(fds, O_CLOEXEC) != 0) {
        isolate_unshare(r, sizeof *r);
        return err_set(e, ERR_INTERNAL, "no memory or pipe for a process: %s", strerror(errno));
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        be_child(parent, fds[1], work, self, r);
    struct watch w = {.child = child, .child_fd = child > 0 ? pidfd_open(child, 0) : -1, .said_fd = fds[0]};
    w.deadline_s = time_limit_s > 0 ? clock_now_s() + time_limit_s : INFINITY;
    if (w.child_fd < 0)
        code = err_set(e, ERR_INTERNAL, "cannot start a process: %s", strerror(errno));
    close(fds[1]);
    if (w.child_fd >= 0) {
        code = watch(&w, r, is_foreign, time_limit_s, e);
        close(w.child_fd);
    } else if (child > 0) { /* it cannot be watched */
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    close(fds[0]);
    isolate_unshare(r, sizeof *r);
    return code;
}

enum err_code isolate_run(isolate_work *work, void *self, struct err *e)
{
    return run(work, self, false, 0, e);
}

enum err_code isolate_run_foreign(isolate_work *work, void *self, double time_limit_s, struct err *e)
{
    return run(work, self, true, time_limit_s, e);
}
