#!/usr/bin/env python3
"""Plants faults in the library, one at a time, and says which of them no test notices.

  scripts/mutate.py                all faults of test/mutations.txt: an hour on two cores, after a first build
  scripts/mutate.py --only sim/    those whose file, words or tests hold this text
  scripts/mutate.py --list         names them, builds nothing

Works on a copy of the tree with a build of its own, build/mutation; your files are not touched.
Status 0: at most 5 % of the faults survive; 1: more do; 2: a fault does not fit the source any more, does not
compile, or a test fails without any fault."""
import argparse
import dataclasses
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "test" / "mutations.txt"
MOST_SURVIVORS = 0.05
# a fault that makes a test hang is noticed too; by its processor time, whatever else the machine does
TEST_SECONDS, WAIT_SECONDS = 300, 1800
SETTINGS = ["-DLIMBER_BUILD_BENCH=OFF", "-DLIMBER_BUILD_EXAMPLES=OFF"]


class TableError(Exception):
    pass


@dataclasses.dataclass
class Fault:
    line: int
    words: str
    file: str = ""
    tests: list = dataclasses.field(default_factory=list)
    before: list = dataclasses.field(default_factory=list)
    after: list = dataclasses.field(default_factory=list)

    def texts(self):
        return "\n".join(self.before), "\n".join(self.after)

    def planted(self, source):
        """The source with the fault; the text must stand in it once."""
        before, after = self.texts()
        if source.count(before) != 1:
            raise TableError(f"the text of '{self.words}' stands {source.count(before)} times in {self.file}, "
                             "once is needed")
        return source.replace(before, after)

    def error(self):
        """Why the fault cannot be planted; nothing if it can."""
        place = f"{TABLE.name}:{self.line}: "
        if not (self.file and self.tests and self.before and self.after):
            return place + f"'{self.words}' needs 'in', 'tests', '-' and '+'"
        if not (ROOT / self.file).is_file():
            return place + f"'{self.words}': there is no file {self.file}"
        try:
            self.planted((ROOT / self.file).read_text())
        except TableError as error:
            return place + str(error)
        return ""


def read_table():
    faults = []
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        key, _, rest = line.partition(" ")
        if not line.strip() or key == "#":
            continue
        if key == "fault":
            faults.append(Fault(number, rest.strip()))
        elif not faults or key not in ("in", "tests", "-", "+"):
            raise TableError(f"{TABLE.name}:{number}: 'fault', 'in', 'tests', '-' or '+' is expected")
        elif key == "in":
            faults[-1].file = rest.strip()
        elif key == "tests":
            faults[-1].tests = rest.split()
        else:
            (faults[-1].before if key == "-" else faults[-1].after).append(rest)
    errors = [error for fault in faults if (error := fault.error())]
    if errors:
        raise TableError("the table is out of date:\n" + "\n".join(errors))
    return faults


def copy_tree(copy):
    """The files of the working tree that git knows or would add; those that have not changed stay as they are."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.splitlines()
    for name in names:
        source, target = ROOT / name, copy / name
        if not source.is_file() or (target.is_file() and target.read_bytes() == source.read_bytes()):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    known = set(names)
    for folder in ("src", "include", "test"):
        for path in (copy / folder).rglob("*"):
            if path.is_file() and str(path.relative_to(copy)) not in known:
                path.unlink()


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (TEST_SECONDS, TEST_SECONDS))


class Workshop:
    """The copy and its build."""

    def __init__(self, copy):
        self.copy, self.build = copy, copy / "build" / "dev"
        copy_tree(copy)
        self.command(["cmake", "--preset", "dev", *SETTINGS], "configuring the copy")

    def command(self, words, what):
        done = subprocess.run(words, cwd=self.copy, capture_output=True, text=True)
        if done.returncode != 0:
            raise TableError(f"{what} failed:\n" + "\n".join((done.stdout + done.stderr).splitlines()[-30:]))

    def make(self, tests, what):
        programs = sorted({test.partition(":")[0] for test in tests})
        self.command(["cmake", "--build", str(self.build), "--target", *programs], what)

    def passes(self, test):
        """Whether PROGRAM or PROGRAM:FILTER passes."""
        program, _, only = test.partition(":")
        found = [self.build / "test" / program, *sorted((self.build / "test").glob("*/" + program))]
        path = next(p for p in found if p.is_file())
        words = [path, "--gtest_brief=1", "--gtest_fail_fast", *(["--gtest_filter=" + only] if only else [])]
        try:
            done = subprocess.run(words, cwd=path.parent, capture_output=True, timeout=WAIT_SECONDS, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0

    def noticed_by(self, fault):
        """The first test that fails with the fault, or none."""
        path = self.copy / fault.file
        sound = path.read_text()
        path.write_text(fault.planted(sound))
        try:
            for test in fault.tests:  # one after the other: the first is usually enough
                self.make([test], f"building with the fault '{fault.words}'")
                if not self.passes(test):
                    return test
            return None
        finally:
            path.write_text(sound)


def expect_sound(workshop, faults):
    tests = sorted({test for fault in faults for test in fault.tests})
    print(f"building in {workshop.copy}, and running without a fault: {', '.join(tests)}", flush=True)
    workshop.make(tests, "building without a fault")
    for test in tests:
        if not workshop.passes(test):
            raise TableError(f"{test} fails without any fault; nothing can be said")


def run(faults, copy):
    workshop = Workshop(copy)
    expect_sound(workshop, faults)
    survivors, errors = [], []
    for number, fault in enumerate(faults, 1):
        started, outcome = time.monotonic(), "noticed"
        try:
            if workshop.noticed_by(fault) is None:
                outcome = "SURVIVES"
                survivors.append(fault)
        except TableError as error:
            outcome = "ERROR"
            errors.append(error)
        print(f"{number:3}/{len(faults)} {outcome:8} {time.monotonic() - started:4.0f} s  "
              f"{fault.file}: {fault.words}", flush=True)
    for error in errors:
        print(f"mutate.py: {error}", file=sys.stderr)
    print(f"{len(faults) - len(survivors) - len(errors)} of {len(faults)} faults were noticed")
    for fault in survivors:
        print(f"SURVIVES: {fault.file}: {fault.words} (tests: {' '.join(fault.tests)})")
    return 2 if errors else 1 if len(survivors) > MOST_SURVIVORS * len(faults) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="only faults whose file, words or tests hold this")
    parser.add_argument("--list", action="store_true", help="check the table and print it")
    parser.add_argument("--copy", type=pathlib.Path, default=ROOT / "build" / "mutation", metavar="FOLDER",
                        help="where the copy lives (build/mutation)")
    options = parser.parse_args()
    try:
        faults = [f for f in read_table() if options.only in " ".join([f.file, f.words, *f.tests])]
        if options.list:
            for fault in faults:
                print(f"{fault.file}: {fault.words} ({' '.join(fault.tests)})")
            print(f"{len(faults)} faults")
            return 0
        if options.copy.resolve() == ROOT:
            raise TableError("the copy must not be the tree itself")
        if not faults:
            raise TableError(f"no fault has '{options.only}' in its file, words or tests")
        os.nice(10)
        return run(faults, options.copy.resolve())
    except TableError as error:
        print(f"mutate.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
