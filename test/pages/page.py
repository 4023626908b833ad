#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""page.py PREFIX PAGE: does what a page of the documentation says. page.py --check PAGE...: is there something to do
for each block?

CONTRIBUTING.md, Documentation, has the rules for blocks. They run in their order, in one shell and one empty folder,
with the iasim that is installed in PREFIX. NAME.sh in this folder is read before the page doc/NAME.md: its commands
and functions stand for what the reader has (a second machine); its function after_page runs at the end, and finds all
that was printed in the file $said.
"""
import difflib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TAGS = {"file", "in", "no-run", "status", "output"}
COMMANDS = {"sh", "console"}
# Packages that a page may ask for in a comment, and the program by which each is known; python3-NAME is known by the
# module NAME.
PROGRAMS = {"openmpi-bin": "mpirun", "libopenmpi-dev": "mpicc", "libsimgrid-dev": "smpicc", "cmake": "cmake",
            "graphviz": "dot"}


class Fault(Exception):
    pass


class Block:
    """A block of a page: its language, its tags, its text; `line` is that of its fence."""

    def __init__(self, line, info, text):
        self.line, self.text, self.tags = line, text, {}
        words = shlex.split(info)
        self.language = words[0] if words else ""
        for word in words[1:]:
            tag, _, value = word.partition("=")
            self.tags[tag] = value

    def fault(self):
        """Why nothing is known to do with it, or None."""
        unknown = sorted(set(self.tags) - TAGS)
        if not self.language:
            return "a block without a language; known: sh, console, text, or a language with file=, in= or no-run="
        if unknown:
            return f"unknown tag '{unknown[0]}'; known: {', '.join(sorted(TAGS))}"
        if "no-run" in self.tags:
            return None if self.tags["no-run"] else 'no-run needs a reason: no-run="..."'
        if "output" in self.tags and self.language != "text":
            return "output is a tag of text"
        if self.language in COMMANDS | {"text"} or self.tags.keys() & {"file", "in"}:
            return None
        return f"nothing runs this block of {self.language}: give it file=NAME, in=FILE or no-run=\"REASON\""

    def kind(self):
        """What is done with it: a word for the summary."""
        for tag in ("no-run", "file", "in", "output"):
            if tag in self.tags:
                return tag
        return "run" if self.language in COMMANDS else "text"


def read_blocks(page):
    """All blocks of a page, those that are indented as blocks without a language, and its lines outside of blocks."""
    blocks, prose, open_fence, indent_of_list = [], [], None, False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"( *)(`{3,})\s*([^`]*)$", line)
        if open_fence:
            indent, ticks, start, info, lines = open_fence
            if fence and len(fence[2]) >= len(ticks) and not fence[3]:
                blocks.append(Block(start, info, "".join(text[indent:] + "\n" for text in lines)))
                open_fence = None
            else:
                lines.append(line)
        elif fence:
            open_fence = (len(fence[1]), fence[2], number, fence[3], [])
        elif line.startswith("    ") and not indent_of_list and prose and not prose[-1].strip():
            if not (blocks and not blocks[-1].language and number == blocks[-1].line + blocks[-1].text.count("\n")):
                blocks.append(Block(number, "", ""))
            blocks[-1].text += line[4:] + "\n"
        else:
            if line.strip() and not line.startswith(" "):
                indent_of_list = re.match(r"([-*+]|\d+\.) ", line) is not None
            prose.append(line)
    if open_fence:
        raise Fault(f"{page}:{open_fence[2]}: the block never ends")
    return blocks, prose


def words_of(comment, prose):
    """The words of the page's comments <!-- COMMENT: WORD... -->."""
    return " ".join(re.findall(rf"^<!-- {comment}: (.*?) -->$", "\n".join(prose), re.M)).split()


def missing_packages(prose):
    """Packages that the page needs and that are not installed."""
    has_module = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    for package in words_of("needs", prose):
        if package.startswith("python3-"):
            is_there = subprocess.run(["/usr/bin/python3", "-c", has_module, package[8:]], check=False).returncode == 0
        else:
            is_there = shutil.which(PROGRAMS[package], path="/usr/bin:" + os.environ["PATH"]) is not None
        if not is_there:
            yield package


class Step:
    """One thing to do: a line of the page, commands with the output that they must have, or a file."""

    def __init__(self, line, text, kind, name=None, expected=None, status=0):
        self.line, self.text, self.kind = line, text, kind
        self.name, self.expected, self.status = name, expected, status

    def script(self, k):
        """What the shell does; $steps is the folder that has the texts."""
        if self.kind == "file":
            name = shlex.quote(self.name)
            return f'echo {k} >"$steps/at"\nmkdir -p "$(dirname {name})"\ncp "$steps/{k}" {name}\n'
        run = f'source "$steps/{k}" >"$steps/{k}.out" 2>"$steps/{k}.err"'
        if self.status:
            run = (f'set +e\n(set -e; {run})\nstatus=$?\nset -e\n'
                   f'[[ $status == {self.status} ]] || fail "status $status in place of {self.status}"')
        return f'echo {k} >"$steps/at"\n{run}\ncat "$steps/{k}.out" "$steps/{k}.err" >>"$said"\n'


def console_steps(block):
    """A block of console: `$ ` begins a command, `> ` goes on with it, other lines are its output."""
    steps = []
    for number, line in enumerate(block.text.splitlines(), block.line + 1):
        if line.startswith("$ "):
            steps.append(Step(number, line[2:] + "\n", "run", expected="", status=int(block.tags.get("status", 0))))
        elif not steps:
            raise Fault(f"line {number}: a block of console begins with '$ ' and a command")
        elif not steps[-1].expected and (line.startswith("> ") or steps[-1].text.endswith("\\\n")):
            steps[-1].text += (line[2:] if line.startswith("> ") else line) + "\n"
        else:
            steps[-1].expected += line + "\n"
    return steps


def plan_page(blocks, prose, hook):
    """What to do for the blocks of a page, in order."""
    steps = []
    for block in blocks:
        kind = block.kind()
        if kind == "run" and block.language == "console":
            steps += console_steps(block)
        elif kind == "run":
            steps.append(Step(block.line, block.text, "run", status=int(block.tags.get("status", 0))))
        elif kind in ("file", "in"):
            steps.append(Step(block.line, block.text, kind, name=block.tags[kind]))
        elif kind == "output":
            if not steps or steps[-1].kind != "run" or steps[-1].expected is not None:
                raise Fault(f"line {block.line}: no commands come before this output")
            steps[-1].expected = block.text
    for k, step in enumerate(steps):
        if step.kind == "file":
            check_name(step, prose, "".join(later.text for later in steps[k + 1:]), hook)
    return steps


def check_name(step, prose, later, hook):
    """Something must use the file: commands of the page, which then says its name, or what goes with the page."""
    name = Path(step.name)
    words = [name.name, name.stem if str(name.parent) == "." else str(name.parent)]
    words += ["cmake "] if name.name == "CMakeLists.txt" else []
    if any(word in later for word in words):
        if not any(word in line for word in (name.name, step.name) for line in prose):
            raise Fault(f"line {step.line}: the text does not say that this is {step.name}")
    elif not any(word in hook for word in words):
        raise Fault(f"line {step.line}: no command uses {step.name}")


def has_lines(listing, text):
    """Whether a text has the lines of a listing in their order, indented as they may be; `...` stands for lines left
    out."""
    lines = [line.strip() for line in text.splitlines()]
    at = 0
    for part in re.split(r"^\s*\.{2,3}\s*$", listing, flags=re.M):
        part = [line.strip() for line in part.strip().splitlines()]
        while at <= len(lines) and lines[at:at + len(part)] != part:
            at += 1
        if at > len(lines):
            return False
        at += len(part)
    return True


def is_as_shown(expected, got):
    """`..` or more dots stand for any words within a line, and alone in a line for any lines."""
    pattern = ""
    for line in expected.rstrip().splitlines():
        if re.fullmatch(r"\s*\.{2,}\s*", line):
            pattern += r"(?:.*\n)*?"
        else:
            pattern += r".*".join(re.escape(part) for part in re.split(r"\.{2,}", line.rstrip())) + r" *\n"
    return re.fullmatch(pattern, got.rstrip() + "\n" if got.strip() else "") is not None


def environment(prefix, work):
    """As of a reader who has installed iasim in PREFIX, and nothing else of it but the folder of examples."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("IASIM")}
    library = next(prefix.glob("lib/**/pkgconfig/iasim.pc")).parent
    env.update(PATH=f"{prefix}/bin:/usr/bin:{env['PATH']}", PKG_CONFIG_PATH=str(library), CMAKE_PREFIX_PATH=str(prefix),
               LD_LIBRARY_PATH=str(library.parent), PYTHONPATH=f"{prefix}/lib/python3/dist-packages",
               PYTHONDONTWRITEBYTECODE="1",
               TERM="dumb", LC_ALL="C.UTF-8", MPLBACKEND="agg", prefix=str(prefix), root=str(ROOT))
    for name, target in (("iasim", prefix / "bin/iasim"), ("doc", ROOT / "doc"), ("analysis", ROOT / "analysis")):
        (work / name).symlink_to(target)
    return env


def run_page(prefix, page):
    blocks, prose = read_blocks(page)
    missing = list(missing_packages(prose))
    if missing:
        print(f"{'needs' if os.environ.get('TESTS_REQUIRED') == '1' else 'skipped: needs'} the packages {' '.join(missing)}")
        return 1 if os.environ.get("TESTS_REQUIRED") == "1" else 77
    if words_of("takes", prose) and os.environ.get("TESTS_NIGHT") != "1":
        print(f"skipped: takes {' '.join(words_of('takes', prose))}; TESTS_NIGHT=1 runs it")
        return 77
    hook = hook_of(page)
    steps = plan_page(blocks, prose, hook.read_text() if hook.exists() else "")
    with tempfile.TemporaryDirectory() as folder:
        texts, work = Path(folder) / "steps", Path(folder) / "work"
        texts.mkdir()
        work.mkdir()
        script = ('set -euo pipefail\nfail() { echo "$*" >&2 && exit 1; }\n'
                  'steps=%s said=$steps/said\n>"$said"\n' % shlex.quote(str(texts)))
        if words_of("fewer", prose):
            more = shlex.join(words_of("fewer", prose))
            script += (f'iasim() {{ case $1 in run | report) command iasim "$@" {more} ;; '
                       '*) command iasim "$@" ;; esac; }\n')
        script += f"source {shlex.quote(str(hook))}\n" if hook.exists() else ""
        for k, step in enumerate(steps):
            (texts / str(k)).write_text(step.text)
            if step.kind != "in":
                script += step.script(k)
        script += f'echo {len(steps)} >"$steps/at"\nif declare -F after_page >/dev/null; then after_page; fi\n'
        (texts / "script").write_text(script)
        with subprocess.Popen(["bash", texts / "script"], cwd=work, env=environment(prefix, work),
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                              encoding="utf-8",
                              errors="replace") as shell:
            talk = shell.communicate()[0]
        try:
            os.killpg(shell.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        status = report(page, steps, texts, work, shell.returncode, talk)
    kinds = [block.kind() for block in blocks]
    print(f"{name_of(page)}: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds))))
    return status


def report(page, steps, texts, work, status, talk):
    """Shows what went wrong; the exit status."""
    def text_of(name):
        path = texts / name
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    at = int(text_of("at") or 0)
    if status != 0:
        where = f"{page}:{steps[at].line}" if at < len(steps) else str(hook_of(page))
        print(f"{where}: status {status}\n{text_of(str(at))}{text_of(f'{at}.out')}{text_of(f'{at}.err')}{talk}")
        return status if status == 77 else 1
    n_faults = 0
    for k, step in enumerate(steps):
        if step.kind == "in":
            path = work / step.name if (work / step.name).exists() else ROOT / step.name
            if not path.is_file() or not has_lines(step.text, path.read_text()):
                n_faults += 1
                print(f"{page}:{step.line}: {step.name} has no such lines:\n{step.text}")
        elif step.expected is not None:
            got = text_of(f"{k}.out") or text_of(f"{k}.err")
            if not is_as_shown(step.expected, got):
                n_faults += 1
                print(f"{page}:{step.line}: the output is not as shown:\n{step.text}" + "".join(difflib.unified_diff(
                    step.expected.splitlines(True), got.splitlines(True), "the page", "what was printed", n=99)))
    return n_faults > 0


def hook_of(page):
    """What goes with a page: doc/calibrate.md has calibrate.sh, sim/planning/plugin/README.md has
    sim_planning_plugin.sh."""
    name = name_of(page).removesuffix(".md").removeprefix("doc/").removesuffix("/README").replace("/", "_")
    return HERE / f"{name}.sh"


def name_of(page):
    return str(page.relative_to(ROOT)) if page.is_relative_to(ROOT) else page.name


def check_pages(pages):
    """Every block of every page is run, is shown to be true, or says why not."""
    n_faults, kinds, n_blocks = 0, {}, 0
    for page in pages:
        for block in read_blocks(page)[0]:
            n_blocks += 1
            fault = block.fault()
            if fault:
                n_faults += 1
                print(f"{page}:{block.line}: {fault}")
                continue
            kinds[block.kind()] = kinds.get(block.kind(), 0) + 1
            if block.kind() == "no-run":
                print(f"{name_of(page)}:{block.line}: not run: {block.tags['no-run']}")
    words = {"run": "run", "file": "written as files", "in": "found in files", "output": "compared", "text": "text",
             "no-run": "not run"}
    print(f"{len(pages)} pages, {n_blocks} blocks: "
          + ", ".join(f"{kinds.get(kind, 0)} {word}" for kind, word in words.items())
          + f"; {n_faults} faults")
    return n_faults > 0 or n_blocks == 0


def main(arguments):
    if arguments[:1] == ["--check"] and len(arguments) > 1:
        return check_pages([Path(page).resolve() for page in arguments[1:]])
    if len(arguments) == 2:
        return run_page(Path(arguments[0]).resolve(), Path(arguments[1]).resolve())
    print(__doc__.splitlines()[0], file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Fault as fault_found:
        print(f"{sys.argv[-1]}: {fault_found}")
        sys.exit(1)
