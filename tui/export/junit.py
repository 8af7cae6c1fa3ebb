"""Writes the results of the gate as JUnit XML, which CI systems show as tests."""

from collections.abc import Sequence

from sixdim.metrics.tables.gate import Check
from sixdim.tui.export.markup import Markup, element
from sixdim.tui.export.wording import outcome


def as_junit(results: Sequence[tuple[str, Sequence[Check]]]) -> str:
    """Returns one suite for each named log, with one case for each requirement; no times."""
    suites = [
        _suite("testsuite", name, checks, *(_case(name, check) for check in checks), errors=0)
        for name, checks in results
    ]
    every = [check for _, checks in results for check in checks]
    whole = _suite("testsuites", "sixdim", every, *suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{whole}\n'


def _suite(tag: str, name: str, checks: Sequence[Check], *inside: Markup, **more: int) -> Markup:
    failures = sum(not check.passed for check in checks)
    return element(tag, *inside, name=name, tests=len(checks), failures=failures, **more)


def _case(log: str, check: Check) -> Markup:
    message = outcome(check)
    inner = (
        element("system-out", message)
        if check.passed
        else element("failure", message, message=message, type="requirement")
    )
    return element("testcase", inner, classname=f"sixdim.{log}", name=check.name)
