#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""cases.py IASIM FILE.case [--store]: runs the commands of a file in order, in one shell and one empty folder, and
compares what they print with what stands below them. --store writes what they print into the file instead. README.md
here has the rules.
"""
import ast
import csv
import difflib
import io
import json
import math
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LIMIT_S = 900 if os.environ.get("TESTS_NIGHT") == "1" else 300
MARKS = ("$ ", "> ", "% ", "? ", "! ", "- ", "# ", "\\", "[")
COMMAND = re.compile(r"([$%-])(\d*) (.*)")


class Fault(Exception):
    pass


class Skip(Exception):
    pass


class Step:
    """A command ($), preparation (%), a refusal (-), Python (?), a need, or a file; `first` and `last` are its lines of
    expected output.
    """

    def __init__(self, kind, line, text):
        self.kind, self.line, self.text = kind, line, text
        self.out, self.err, self.status = [], [], 0
        self.first = self.last = line


def read_steps(path):
    """All steps of a file, and of the files that it uses."""
    steps, lines = [], path.read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        last = steps[-1] if steps and steps[-1].last == at - 1 and lines[at - 2] else None
        if not line or line.startswith("#"):
            continue
        command = COMMAND.fullmatch(line)
        if command and (command[1] == "%" or not command[2]) and not line.startswith("%  "):
            steps.append(Step(command[1], at, command[3] + "\n"))
            steps[-1].status = int(command[2] or 0)
        elif line[:2] == "? " and line[2] != " ":
            steps.append(Step("?", at, line[2:] + "\n"))
        elif line.startswith("need "):
            steps.append(Step("need", at, line[5:]))
        elif line[:2] in ("> ", "? ") and last:
            last.text += line[2:] + "\n"
            last.first = last.last = at
            continue
        elif line.startswith("use "):
            steps += read_steps(path.with_name(line[4:] + ".case"))
            continue
        elif line.startswith("file "):
            start, end = at, at
            while end < len(lines) and (lines[end].startswith("  ") or not lines[end]):
                end += 1
            while not lines[end - 1]:
                end -= 1
            steps.append(Step("file", at, "".join(text[2:] + "\n" for text in lines[start:end])))
            steps[-1].name, at = line[5:], end
        elif last and last.kind == "$":
            take_expected(last, line)
            last.last = at
            continue
        else:
            raise Fault(f"{path}:{at}: no command stands above this line: {line}")
        steps[-1].path, steps[-1].first, steps[-1].last = path, at, at
    return steps


def take_expected(step, line):
    if re.fullmatch(r"\[\d+\]", line):
        step.status = int(line[1:-1])
    elif line.startswith("! ") or line == "!":
        step.err.append(line[2:])
    else:
        step.out.append(line.removeprefix("\\"))


def pattern_of(expected):
    """`..` or more dots stand for any words within a line, and alone in a line for any lines."""
    pattern = ""
    for line in expected:
        if re.fullmatch(r"\.{2,}", line):
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in re.split(r"\.{2,}", line)) + r"\n"
    return pattern


def split_refusal(text):
    """The command of a refusal, and its message."""
    command, mark, message = text.rstrip("\n").rpartition(" ! ")
    if not mark:
        raise Fault(f"a refusal is COMMAND ! MESSAGE: {text}")
    return command, message


def judge_refusal(step, out, err, status):
    """Status 2, nothing on standard output, and on standard error one line, but for a hint."""
    said = re.sub(r"^iasim( \w+)?: ", "", re.sub(r"(?s)\nTry `.*", "\n", err))
    step.got = [step.text.splitlines()[-1].rpartition(" ! ")[0] + " ! " + said.rstrip()]
    if status == 2 and not out and re.fullmatch(pattern_of([split_refusal(step.text)[1]]), said):
        return None
    return f"printed, with status {status}:\n{out[:500]}{err}"


def is_as_expected(expected, got):
    return got == "".join(line + "\n" for line in expected) or re.fullmatch(pattern_of(expected), got) is not None


class Shell:
    """bash, to which commands are given one at a time."""

    def __init__(self, iasim, folder):
        self.folder, self.talk = folder, folder / "talk"
        self.work = folder / "work"
        self.work.mkdir()
        self.talk.mkdir()
        os.mkfifo(self.talk / "status")
        env = dict(os.environ, IASIM=str(iasim), IASIM_DATA=str(ROOT), root=str(ROOT), talk=str(self.talk),
                   LC_ALL="C.UTF-8", TERM="dumb")
        self.bash = subprocess.Popen(["bash", "--norc", "-s"], cwd=self.work, env=env, stdin=subprocess.PIPE,
                                     start_new_session=True, encoding="utf-8")
        self.run('iasim() { timeout 120 "$IASIM" "$@"; }')

    def run(self, text):
        """Output, errors and status of a command."""
        (self.talk / "command").write_text(text)
        self.bash.stdin.write('{ source "$talk/command"; } >"$talk/out" 2>"$talk/err" </dev/null\n'
                              'echo $? >"$talk/status"\n')
        self.bash.stdin.flush()
        signal.alarm(LIMIT_S)
        status = int((self.talk / "status").read_text())
        signal.alarm(0)
        out, err = ((self.talk / name).read_text(encoding="utf-8", errors="replace") for name in ("out", "err"))
        return out.replace(str(ROOT), "$root"), err.replace(str(ROOT), "$root"), status

    def close(self):
        os.killpg(self.bash.pid, signal.SIGKILL)
        self.bash.wait()


class Names(dict):
    """What expressions of Python see: what the last command printed, files of the folder, and what earlier lines
    assigned.
    """

    def __init__(self, work):
        super().__init__(math=math, re=re, csv=csv, near=near, path=lambda name: work / name,
                         read=lambda name: (work / name).read_text(encoding="utf-8"),
                         load=lambda name: json.loads((work / name).read_text()),
                         write=lambda name, text: (work / name).write_text(text),
                         says=self.says, sql=lambda name, *text: sql(work / name, *text),
                         exists=lambda name: (work / name).exists(), files=lambda: sorted(os.listdir(work)),
                         rows=lambda text: list(csv.DictReader(io.StringIO(text))))

    def says(self, *texts):
        """All these are in what was printed; any blanks and ends of lines are as good as one blank."""
        printed = " ".join((self["out"] + self["err"]).split())
        missing = [text for text in texts if text not in printed]
        if missing:
            raise AssertionError(f"{missing} is not in:\n{self['out']}{self['err']}"[:3000])
        return True

    def __missing__(self, name):
        if name == "json":  # of what was printed
            return json.loads(self["out"])
        if name == "lines":
            return self["out"].splitlines()
        raise KeyError(name)


def sql(path, *statements):
    """What the last statement gives; all are carried out in the database, which is made where it is missing."""
    base = sqlite3.connect(path)
    for statement in statements:
        found = base.execute(statement).fetchall()
    base.commit()
    base.close()
    return found


def near(a, b, error=1e-9):
    """The same but for rounding of numbers, also of those within lists and objects."""
    if isinstance(b, dict):
        return isinstance(a, dict) and a.keys() == b.keys() and all(near(a[key], b[key], error) for key in b)
    if isinstance(b, (list, tuple)):
        return isinstance(a, (list, tuple)) and len(a) == len(b) and all(near(x, y, error) for x, y in zip(a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=error, abs_tol=error)
    return a == b


def judge(text, names):
    """What is wrong with an expression, or None; other statements are carried out."""
    try:
        tree = ast.parse(text)
        if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
            value = eval(compile(ast.Expression(tree.body[0].value), "case", "eval"), names)
            return None if value else f"it is {value!r}{sides(tree.body[0].value, names)}"
        exec(compile(tree, "case", "exec"), names)
    except Exception as error:  # pylint: disable=broad-except # of any kind: it is the finding
        return f"{type(error).__name__}: {error}"
    return None


def sides(tree, names):
    """The values that a comparison compares."""
    found = ""
    for part in ast.walk(tree):
        if isinstance(part, ast.Compare):
            for side in (part.left, *part.comparators):
                if not isinstance(side, ast.Constant):
                    try:
                        value = eval(compile(ast.Expression(side), "case", "eval"), names)
                        found += f"\n  {ast.unparse(side)} = {value!r}"
                    except Exception:  # pylint: disable=broad-except # a name of an inner loop
                        pass
    return found[:2000]


def shown(step, out, err, status):
    """Output as it stands in a file."""
    def line_of(line):
        return "\\" + line if not line or line.startswith(MARKS) else line
    return ([line_of(line) for line in out.splitlines()] + ["! " + line for line in err.splitlines()] +
            ([f"[{status}]"] if status else []))


def run_step(step, shell, names):
    """What is wrong, or None."""
    if step.kind == "file":
        (shell.work / step.name).write_text(step.text)
        return None
    if step.kind == "?":
        return judge(step.text, names)
    out, err, status = shell.run(split_refusal(step.text)[0] if step.kind == "-" else step.text)
    if step.kind == "need":
        if status:
            raise Skip(step.text)
        return None
    names.update(out=out, err=err, status=status)
    if step.kind == "-":
        return judge_refusal(step, out, err, status)
    step.got = shown(step, out, err, status)
    if step.kind == "%":
        return None if status == step.status else f"status {status}: {out}{err}"
    if status == step.status and is_as_expected(step.out, out) and is_as_expected(step.err, err):
        return None
    expected = shown(step, *("".join(line + "\n" for line in lines) for lines in (step.out, step.err)), step.status)
    return "\n".join(difflib.unified_diff(expected, step.got, "expected", "printed", n=99, lineterm=""))


def store(path, steps):
    """The file with what its commands have printed; what is as expected stays as it is written."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for step in reversed(steps):
        if step.kind in "$-" and step.path == path and step.fault:
            if step.kind == "-":
                step.first, step.got = step.last - 1, [lines[step.last - 1][:2] + step.got[0]]
            lines[step.first:step.last] = step.got
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def too_long(*_):
    raise Fault(f"a command took more than {LIMIT_S} s")


def main(iasim, path, stores):
    path, n_faults = path.resolve(), 0
    steps = read_steps(path)
    signal.signal(signal.SIGALRM, too_long)
    sys.path.insert(0, str(path.parent))
    sys.path.insert(0, str(HERE))
    sys.dont_write_bytecode = True
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(iasim, Path(folder))
        names = Names(shell.work)
        try:
            for step in steps:
                step.fault = run_step(step, shell, names)
                if step.fault and not (stores and step.kind in "$-"):
                    n_faults += 1
                    print(f"{step.path}:{step.line}: {step.text.rstrip()}\n{step.fault}\n")
        except Skip as skip:
            print(f"skipped: this fails here: {skip}; {n_faults} faults")
            return 1 if n_faults or os.environ.get("TESTS_REQUIRED") == "1" else 77
        finally:
            shell.close()
    if stores:
        store(path, steps)
    kinds = [step.kind for step in steps]
    print(f"{path.name}: {kinds.count('$') + kinds.count('-')} commands, {kinds.count('?')} expressions, {n_faults} faults")
    return int(n_faults > 0)


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), "--store" in sys.argv))
    except Fault as fault:
        print(f"{sys.argv[2]}: {fault}")
        sys.exit(1)
