"""A plugin for pytest: leaves out what skipped.json lists, and writes each case's outcome to a file of JSON lines."""

import json
import os
from pathlib import Path

import pytest

ROOT = "tests/integration_tests/"
SKIPPED = json.loads(Path(__file__).with_name("skipped.json").read_text())
unused = set(SKIPPED)


def case_name(nodeid):
    """`api/auth_methods/test_cert.py::TestCert::test_login_0_testrole`; cases of our own by their file alone."""
    return nodeid.removeprefix(ROOT) if nodeid.startswith(ROOT) else nodeid.rpartition("/")[2]


def reason_to_skip(name):
    """Of the longest entry that covers it: a folder, a file, a class, a case, or a case with any parameters."""
    for entry in sorted(SKIPPED, key=len, reverse=True):
        if name == entry or (name.startswith(entry) and (entry[-1] in "/_" or name[len(entry)] in ":_")):
            unused.discard(entry)
            return SKIPPED[entry]
    return None


def write(name, outcome, detail):
    with Path(os.environ["CASES_FILE"]).open("a") as file:
        file.write(json.dumps({"name": name, "outcome": outcome, "detail": detail}) + "\n")


def pytest_ignore_collect(collection_path, config):
    """What is skipped as a whole is not even imported: it needs packages of its own."""
    path = os.path.relpath(collection_path, config.rootpath) + ("/" if collection_path.is_dir() else "")
    name = case_name(path)
    if name not in SKIPPED:
        return None
    if name in unused:
        unused.discard(name)
        write(name, "skipped", SKIPPED[name])
    return True


def pytest_collection_modifyitems(items):
    for item in items:
        reason = reason_to_skip(case_name(item.nodeid))
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))
    if unused:
        raise pytest.UsageError(f"skipped.json names what is not there: {sorted(unused)}")


def pytest_runtest_logreport(report: pytest.TestReport):
    name = case_name(report.nodeid)
    if report.skipped:
        write(name, "skipped", report.longrepr[2].removeprefix("Skipped: "))
    elif report.failed:
        write(name, "failed", report.longreprtext)
    elif report.when == "call":
        write(name, "passed", "")
