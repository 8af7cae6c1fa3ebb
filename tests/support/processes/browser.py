"""A real browser without a window, where there is one."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.support.processes.web import answering

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--allow-file-access-from-files",
)
DARK = "--blink-settings=preferredColorScheme=0"


class Browser:
    """Opens local pages with an empty profile each time."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._count = 0

    def _run(self, page: Path, *flags: str) -> str:
        self._count += 1
        profile = self._folder / f"profile{self._count}"
        done = subprocess.run(
            [self._program, *_FLAGS, f"--user-data-dir={profile}", *flags, page.as_uri()],
            capture_output=True,
            text=True,
            timeout=180,
        )
        shutil.rmtree(profile, ignore_errors=True)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    def dom(self, page: Path) -> str:
        """The document after everything in it has run and loaded."""
        return self._run(page, "--dump-dom")

    def scroll_widths(self, page: Path, *widths: int) -> list[int]:
        """How wide the page wants to be in windows of these widths, in CSS pixels."""
        frame = page.with_suffix(".frames.html")
        frame.write_text(
            "".join(
                f'<iframe src="{page.name}" style="width:{width}px;height:900px;border:0"></iframe>'
                for width in widths
            )
            + "<p id=w></p><script>onload=e=>document.getElementById('w').textContent="
            "[...document.querySelectorAll('iframe')].map(f=>"
            "f.contentDocument.documentElement.scrollWidth)</script>"
        )
        return [*map(int, self.dom(frame).partition('<p id="w">')[2].partition("<")[0].split(","))]

    def printed_pages(self, page: Path) -> int:
        """How many pages it has on paper."""
        paper = page.with_suffix(".pdf")
        self._run(page, f"--print-to-pdf={paper}", "--no-pdf-header-footer")
        return len(re.findall(rb"/Type ?/Page\b", paper.read_bytes()))

    def screenshot(self, page: Path, width: int, height: int, *flags: str) -> tuple[int, int]:
        """Takes a picture beside the page; its size as the PNG says."""
        picture = page.with_suffix(f".{width}.png")
        size = f"--window-size={width},{height}"
        self._run(page, f"--screenshot={picture}", size, *flags)
        found = struct.unpack(">II", picture.read_bytes()[16:24])
        return found[0], found[1]


@pytest.fixture
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """The browser of this machine; skips where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        program = shutil.which(name)
        if program:
            return Browser(program, tmp_path_factory.mktemp("browser"))
    pytest.skip("no chromium on this machine")


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """A web server on this machine, and the paths that were asked of it."""
    asked: list[str] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.path)
        handler.send_response(204)
        handler.end_headers()

    with answering(answer) as address:
        yield f"http://{address}", asked
