/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The child does the work, the parent turns its end into an error. Three things pass between them: a pipe with the
   report (code and message; one byte if the child called exit; nothing if it vanished), a file in memory with what
   SimGrid printed, and shared memory with the platform's name and the plugin being called. The exit status must agree
   with the report: a child that crashes at exit has failed, too. */
#include "engine/guard.h"

#include "base/isolate.h"
#include "base/orphans.h"
#include "base/text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct report { /* what the child reports when it ends in good order */
    enum err_code code;
    struct err e;
};

static char *file; /* shared by the child and the process that waits for it; NULL: no guard */
enum { MAX_FILE = 1024 };

static int n_entered;          /* actors run in SimGrid, and may ask for routes */
static FILE *held_back, *talk; /* in the child: what SimGrid writes to, and the real stderr */

static bool write_all(int fd, const void *bytes, size_t n)
{
    for (const char *at = bytes; n > 0;) {
        ssize_t k = write(fd, at, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

/* Returns the number of bytes read. */
static size_t read_all(int fd, void *bytes, size_t n)
{
    size_t n_read = 0;
    while (n_read < n) {
        ssize_t k = read(fd, (char *)bytes + n_read, n - n_read);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            break;
        n_read += (size_t)k;
    }
    return n_read;
}

/* SimGrid writes to descriptor 2; we write to `stderr`, which moves to a copy of the real one. */
static void part_talk(int said)
{
    int real = dup(STDERR_FILENO);
    talk = real >= 0 ? fdopen(real, "w") : NULL;
    if (talk == NULL)
        return;
    setvbuf(talk, NULL, _IONBF, 0);
    held_back = stderr;
    stderr = talk; /* glibc allows it */
    dup2(said, STDERR_FILENO);
}

void guard_enter_simgrid(void)
{
    n_entered++;
    if (held_back != NULL)
        stderr = held_back;
}

void guard_leave_simgrid(void)
{
    if (--n_entered == 0 && held_back != NULL)
        stderr = talk;
}

void guard_set_file(const char *name)
{
    if (file != NULL)
        snprintf(file, MAX_FILE, "%s", name);
}

/* A process that calls exit has printed its own message, as argp does for --help. One byte tells that case from a
   process that just vanished. */
static void say_goodbye(int status, void *report_fd)
{
    (void)status;
    write_all(*(int *)report_fd, "", 1);
}

static void be_child(int report_fd, int said, enum err_code (*work)(void *, struct err *), void *self,
                     struct foreign_note *note)
{
    static struct report r;
    static int goodbye_fd;
    goodbye_fd = report_fd;
    on_exit(say_goodbye, &goodbye_fd);
    part_talk(said);
    foreign_note_in(note);
    r.code = foreign_judge(work(self, &r.e), &r.e);
    if ((fflush(stdout) != 0 || ferror(stdout)) && r.code == ERR_NONE)
        r.code = err_set(&r.e, ERR_IO, "standard output could not be written");
    write_all(report_fd, &r, sizeof r);
    close(report_fd);
    /* the report is written: say_goodbye's byte now goes nowhere */
    goodbye_fd = -1;
    exit(err_exit_status(r.code)); /* not _exit: SimGrid and sanitizers have work to do at exit */
}

/* "[0.000000] ./src/x.cpp:54: [root/CRITICAL] words (0x55f2547e60e0)": only the words, which are the same each time. */
static void drop_decoration(char *line)
{
    char *words = strstr(line, "/CRITICAL] "), *address = strstr(line, " (0x");
    if (address != NULL && address[4 + strspn(address + 4, "0123456789abcdef")] == ')')
        *address = '\0';
    if (words != NULL && line[0] == '[')
        memmove(line, words + strlen("/CRITICAL] "), strlen(words + strlen("/CRITICAL] ")) + 1);
}

/* The words of the one line that says why, out of what SimGrid printed. Marks are tried in the order of how much they
   explain. Of the first that occurs, its first line; if none does, the first line of all. */
static void find_reason(const char *said, char *out, size_t size)
{
    static const char *const marks[] = {"CRITICAL", "ERROR", "what():", "Assertion", "terminate called"};
    const char *best = said;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *at = strstr(said, marks[i]);
        if (at == NULL)
            continue;
        while (at > said && at[-1] != '\n')
            at--;
        best = at;
        break;
    }
    size_t n = strcspn(best, "\n");
    snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), best);
    drop_decoration(out);
}

/* A plugin's function was called, and the process has ended in it. */
static enum err_code blame_plugin(int status, const char *where, const char *reason, struct err *e)
{
    if (WIFSIGNALED(status))
        return err_set(e, ERR_INPUT, "%s: crashed by signal %d (%s)%s%s", where, WTERMSIG(status),
                       strsignal(WTERMSIG(status)), reason[0] != '\0' ? ": " : "", reason);
    return err_set(e, ERR_INPUT, "%s: has ended the process with status %d", where, WEXITSTATUS(status));
}

/* Whose fault was it? A plugin that was being called comes first: whatever its crash looks like, it is the plugin's. An
   abort is how SimGrid rejects input, so it is the user's (ERR_INPUT). Every other end is ours. */
static enum err_code report_death(int status, int said, const struct foreign_note *note, struct err *e)
{
    struct text words = {0};
    char reason[600] = "";
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", said);
    lseek(said, 0, SEEK_SET);
    text_read_file(&words, path, 1 << 20, NULL);
    find_reason(text_str(&words), reason, sizeof reason);
    enum err_code code;
    const char *what = file != NULL && file[0] != '\0' ? file : "the platform";
    bool is_inside = foreign_place(note)[0] != '\0';
    bool lacks_memory = strstr(text_str(&words), "bad_alloc") || strstr(text_str(&words), "out of memory");
    if (is_inside)
        code = blame_plugin(status, foreign_place(note), reason, e);
    else if (lacks_memory)
        code = err_set(e, ERR_INTERNAL, "out of memory while simulating on %s", what);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
        code = err_set(e, ERR_INPUT, "SimGrid rejected %s%s%s", what, reason[0] ? ": " : "", reason);
    else if (WIFSIGNALED(status))
        code = err_set(e, ERR_INTERNAL, "the simulation was killed by signal %d (%s)%s%s", WTERMSIG(status),
                       strsignal(WTERMSIG(status)), reason[0] ? ": " : "", reason);
    else
        code = err_set(e, ERR_INTERNAL, "the simulation ended with status %d%s%s", WEXITSTATUS(status),
                       reason[0] ? ": " : "", reason);
    if (WIFEXITED(status) && !is_inside && !lacks_memory && words.size > 0)
        write_all(STDERR_FILENO, words.data, words.size); /* for example a sanitizer's report */
    text_clear(&words);
    return code;
}

/* Starts the child; what it reports can be read from *report_fd. -1: it could not be started. */
static pid_t start(int said, enum err_code (*work)(void *, struct err *), void *self, struct foreign_note *note,
                   int *report_fd, struct err *e)
{
    int fds[2];
    if (pipe(fds) != 0) {
        err_set(e, ERR_INTERNAL, "cannot create a pipe: %s", strerror(errno));
        return -1;
    }
    /* otherwise the child would print what is still in the buffer, too */
    fflush(stdout);
    if (file == NULL)
        file = isolate_shared(MAX_FILE);
    guard_set_file("");
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive the process that waits for it */
        close(fds[0]);
        be_child(fds[1], said, work, self, note);
    }
    close(fds[1]);
    *report_fd = fds[0];
    if (child < 0) {
        err_set(e, ERR_INTERNAL, "cannot start a process: %s", strerror(errno));
        close(fds[0]);
    }
    return child;
}

/* ---- signals that ask for the end ----

   The child decides what they mean: it may have to tidy up, or return the best that a search has found. So whoever
   waits for it waits on, and dies of the signal that it got if the child does. A key on the terminal reaches both;
   what a process sends to the parent alone is passed on. */

static volatile sig_atomic_t asked_child, asked_by; /* by: the last signal; 0: none */
static const int asking[] = {SIGINT, SIGTERM};
enum { N_ASKING = sizeof asking / sizeof asking[0] };

static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    asked_by = number;
    if (info->si_code <= 0) /* from a process */
        kill((pid_t)asked_child, number);
}

static void begin_passing_on(pid_t child, struct sigaction *old)
{
    struct sigaction ours = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    asked_child = child;
    asked_by = 0;
    for (int i = 0; i < N_ASKING; i++) {
        sigaction(asking[i], NULL, &old[i]);
        if (old[i].sa_handler == SIG_DFL)
            sigaction(asking[i], &ours, NULL);
    }
}

static void end_passing_on(const struct sigaction *old, int wait_status)
{
    for (int i = 0; i < N_ASKING; i++)
        sigaction(asking[i], &old[i], NULL);
    if (asked_by != 0 && WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == asked_by)
        raise(asked_by);
}

static enum err_code wait_for(pid_t child, int report_fd, int said, const struct foreign_note *note, struct err *e)
{
    struct report r;
    struct sigaction old[N_ASKING];
    begin_passing_on(child, old);
    size_t n_read = read_all(report_fd, &r, sizeof r);
    bool has_report = n_read == sizeof r, has_exited = n_read == 1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    end_passing_on(old, status);
    if (note->words[0] != '\0' || note->asked[0] != '\0')
        orphans_end(NULL, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
        raise(SIGPIPE); /* the reader has gone: end as any command of a pipeline does */
    if (has_exited && foreign_place(note)[0] == '\0' && WIFEXITED(status) && lseek(said, 0, SEEK_END) == 0)
        exit(WEXITSTATUS(status));
    if (!has_report || !WIFEXITED(status) || WEXITSTATUS(status) != err_exit_status(r.code))
        return report_death(status, said, note, e);
    if (e != NULL)
        *e = r.e;
    return r.code;
}

enum err_code guard_run(enum err_code (*work)(void *self, struct err *e), void *self, struct err *e)
{
    enum err_code code = ERR_INTERNAL;
    int report_fd, said = memfd_create("said by SimGrid", MFD_CLOEXEC);
    struct foreign_note *note = isolate_shared(sizeof *note);
    if (said < 0 || note == NULL) {
        err_set(e, ERR_INTERNAL, "no memory for a process: %s", strerror(errno));
    } else {
        pid_t child = start(said, work, self, note, &report_fd, e);
        if (child > 0) {
            code = wait_for(child, report_fd, said, note, e);
            close(report_fd);
        }
    }
    isolate_unshare(note, sizeof *note);
    if (said >= 0)
        close(said);
    return code;
}
