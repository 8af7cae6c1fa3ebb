"""Reads metrics pages of DCGM's or Iluvatar's exporter, on one host or on many."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from sixdim.parsers.reading import Reading
from sixdim.parsers.telemetry.metric_names import Gathered, MetricSample, host_of, parse_page
from sixdim.parsers.telemetry.source import Unavailable, lost
from sixdim.parsers.telemetry.web import NoAnswerError, checked, fetch, printable
from sixdim.parsers.text.lines import clean

PATIENCE_S = 5.0
MAX_PAGE = 16 << 20
MAX_HOSTS = 1024
MAX_AT_ONCE = 32


class DcgmSource:
    """Reads every GPU on the pages of checked addresses; a page may take some seconds."""

    name = "dcgm"
    patience_s = 2 * PATIENCE_S

    def __init__(self, pages: Sequence[str], deadline_s: float = PATIENCE_S) -> None:
        self.notes: tuple[str, ...] = ("exporters renew their figures every 30 s by default",)
        self._pages = list(pages)
        self._deadline_s = deadline_s
        self._pool = ThreadPoolExecutor(min(len(self._pages), MAX_AT_ONCE), "dcgm")
        self._known: dict[str, dict[tuple[str, int], Reading]] = {page: {} for page in pages}

    @classmethod
    def open(cls, pages: str, deadline_s: float = PATIENCE_S) -> DcgmSource | Unavailable:
        """Asks each page (comma-separated addresses) once: a wrong one is reported at once."""
        try:
            addresses = [checked(page.strip()) for page in pages.split(",")]
        except NoAnswerError as error:
            return Unavailable(cls.name, str(error))
        if len(addresses) > MAX_HOSTS:
            return Unavailable(cls.name, f"more than {MAX_HOSTS} addresses")
        source = cls(list(dict.fromkeys(addresses)), deadline_s)
        answers = [source._page(page) for page in source._pages]
        wrong = [answer for answer in answers if isinstance(answer, str)]
        if len(wrong) == len(answers):
            source.close()
            return Unavailable(cls.name, "; ".join(wrong[:4]))
        source.notes += tuple(wrong)
        return source

    def read(self, now_us: int) -> list[Reading]:
        """Returns a reading of each device, stamped `now_us`; asks all pages at once."""
        out: list[Reading] = []
        seen: set[tuple[str, int]] = set()
        for page, answer in zip(self._pages, self._pool.map(self._page, self._pages), strict=True):
            if isinstance(answer, str):
                out += [lost(known, answer, now_us) for known in self._known[page].values()]
                continue
            fresh = _readings(answer, page, seen, now_us)
            seen |= set(fresh)
            gone = self._known[page].keys() - fresh.keys()
            out += fresh.values()
            out += [lost(self._known[page][k], "no longer on the page", now_us) for k in gone]
            self._known[page] |= fresh
        return out

    def close(self) -> None:
        """Ends the threads; one that waits for a page ends with its deadline."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _page(self, page: str) -> list[MetricSample] | str:
        try:
            text = fetch(page, self._deadline_s, MAX_PAGE).decode("utf-8", "replace")
        except NoAnswerError as error:
            return str(error)
        samples = list(parse_page(clean(line) for line in text.split("\n")))
        return samples or f"{printable(page)} names no GPU metric that is known"


def _readings(
    samples: Sequence[MetricSample], page: str, seen: set[tuple[str, int]], now_us: int
) -> dict[tuple[str, int], Reading]:
    """Returns readings by (host, device); the address replaces a host name of another page."""
    gathered = Gathered("dcgm", now_us)
    for sample in samples:
        gathered.add(sample, host_of(sample.labels, printable(page)))
    if seen & gathered.drafts.keys():
        gathered = Gathered("dcgm", now_us)
        for sample in samples:
            gathered.add(sample, printable(page))
    return {key: draft.reading() for key, draft in gathered.drafts.items()}
