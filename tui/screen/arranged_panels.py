"""The part of the app that decides which panels are visible, where, and which is in front."""

from collections.abc import Callable

from textual.app import App
from textual.geometry import Size

from sixdim.tui.screen.layout import (
    INLINE_ROWS,
    OVERVIEW,
    TALL,
    Available,
    Layout,
    Page,
    Pages,
    layout_for,
    list_rows,
    pages,
)
from sixdim.tui.screen.panels.bars import Footer, tabs_row
from sixdim.tui.screen.panels.base import Panel
from sixdim.tui.screen.panels.charts.chart_panel import ChartPanel
from sixdim.tui.screen.panels.charts.usual_plots import (
    first_plot,
    second_plot,
    third_plot,
    why_no_readings,
)
from sixdim.tui.screen.panels.events import EventsPanel
from sixdim.tui.screen.panels.header import header_row
from sixdim.tui.screen.panels.logs.log import LogPanel
from sixdim.tui.screen.panels.runs import RunsPanel
from sixdim.tui.screen.panels.scorecard import ScorePanel
from sixdim.tui.screen.panels.speed import SpeedPanel
from sixdim.tui.screen.panels.telemetry import TelemetryPanel
from sixdim.tui.screen.widgets.cells import Drawing
from sixdim.tui.session.live.feed import SELECT, Feed, Frame


class ArrangedPanels(App[int]):
    """The part of the app that lays panels out.

    Args:
        feed: Where frames come from.

    Attributes:
        panels: All panels, in the order of their numbers.
        frame: The newest frame, painted or, while the view is paused, not.
        held: Whether the live view is paused.
        enlarged: Whether the focused panel is displayed alone.
        laid_out_for: What there was to show when the panels were arranged.
        hidden: Panels that are left out where all are side by side.
    """

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.feed = feed
        self.score_panel, self.events_panel = ScorePanel(), EventsPanel()
        self.log_panel = LogPanel()
        self.log_panel.open_text = feed.log_text
        self.charts = (
            ChartPanel("Throughput", "speed", first_plot),
            ChartPanel("Accuracy", "accuracy", second_plot),
            ChartPanel("Series", "speed", third_plot, why_no_readings),
        )
        self.panels: tuple[Panel, ...] = (
            *(self.score_panel, SpeedPanel(), TelemetryPanel(), *self.charts[:2]),
            *(self.log_panel, self.events_panel, self.charts[2]),
            *([RunsPanel()] if SELECT in feed.controls else []),
        )
        self.frame: Frame | None = None
        self.held = False
        self.enlarged = False
        self.hidden: set[Panel] = set()
        self.log_by_default = True
        self.laid_out_for = Available()
        self.header = Drawing("header")
        self.tabs = Drawing("tabs")
        self.footer = Footer(feed.controls)
        self.essentials = Drawing("essentials")
        self._size_now: Size | None = None
        self._log_wanted: bool | None = None
        self._active = 0
        self._page_chosen = 0
        self._pages: Pages = pages(self.panels, Layout.WHOLE, enlarged=False)

    def keep_arrangement(self) -> Callable[[], None]:
        """Returns a function that displays again what is displayed now."""
        now = self.enlarged, self._active, self._page_chosen, self._log_wanted

        def restore() -> None:
            self.enlarged, self._active, self._page_chosen, self._log_wanted = now
            self.arrange()

        return restore

    def paint(self) -> None:
        """Shows the newest frame on every panel."""
        raise NotImplementedError

    def arrange(self) -> None:
        """Displays the panels that fit."""
        width, height = self._size_now or self.size
        if self.is_inline:
            height = min(height, INLINE_ROWS)
        layout = layout_for(width, height)
        tiny = layout is Layout.TINY
        self.laid_out_for = self.available_data()
        self._pages = pages(self.panels, layout, enlarged=self.enlarged)
        page = self._page()
        self.essentials.display = tiny
        self.header.display = not tiny
        self.tabs.display = layout in (Layout.PAGES, Layout.TABS) and not self.enlarged
        names = [*map(self._title, self._pages)]
        self.tabs.show(lambda width, _: [tabs_row(names, page, width)])
        alone = self.enlarged or layout is Layout.TABS
        visible = set(self._pages[page].panels)
        if not alone:
            visible -= self._left_out(layout, height)
        for panel in self.panels:
            panel.display = panel in visible
        paged = layout is Layout.PAGES and not alone
        self.query_one("#list").styles.height = (
            None if alone or paged else list_rows(self.laid_out_for.runs, height)
        )
        self._arrange_body(tiny=tiny, alone=alone, paged=paged)
        if tiny:
            self.set_focus(None)
        elif alone:
            self.set_focus(self.panels[self._active])
        self.call_after_refresh(self._paint_again)

    def _arrange_body(self, *, tiny: bool, alone: bool, paged: bool) -> None:
        """Styles what holds the panels, and displays those of its rows that have a visible one."""
        body = self.query_one("#body")
        body.display = not tiny
        body.set_class(alone, "alone")
        body.set_class(paged, "paged")
        body.set_class(paged and self._pages[self._page()].name == OVERVIEW, "overview")
        for name in ("#list", "#charts", "#figures", "#bottom"):
            container = self.query_one(name)
            container.display = any(child.display for child in container.children)

    def _title(self, page: Page) -> str:
        """Returns what the tab of a page is called: as the panel that stands for an empty one."""
        first = self._first(page)
        return page.name if first is page.panels[0] else first.NAME

    def _left_out(self, layout: Layout, height: int) -> set[Panel]:
        """Returns the panels of a page that are not displayed although they would fit."""
        if layout is Layout.PAGES:
            return self._idle()
        if layout is not Layout.WHOLE:
            return set()
        unasked = height >= TALL and self.log_by_default
        wanted = unasked if self._log_wanted is None else self._log_wanted
        unwanted = set() if wanted else {self.log_panel, self.events_panel}
        return self.hidden | unwanted | self._idle()

    def _idle(self) -> set[Panel]:
        """Returns the panel of the devices, or of the chart in its place, if it has no data."""
        instead = self.laid_out_for.curves and not self.laid_out_for.devices
        idle = "Telemetry" if instead else "Series"
        return {panel for panel in self.panels if idle == panel.NAME}

    def _first(self, page: Page) -> Panel:
        """Returns the first panel of a page that has data, if any has."""
        idle = self._idle()
        return next((panel for panel in page.panels if panel not in idle), page.panels[0])

    def available_data(self) -> Available:
        """Returns what the newest frame has to show."""
        if self.frame is None:
            return Available()
        shot = self.frame.snapshot
        return Available(bool(shot.readings), bool(shot.series), len(self.frame.runs))

    def _paint_again(self) -> None:
        for panel in self.panels:
            panel.frame = panel.frame if self.held else self.frame
            panel.repaint()
        self.paint_held()

    def paint_held(self) -> None:
        """Paints the header alone while the view is paused, else everything."""
        if self.held and self.frame is not None:
            self.paint_header(self.frame)
        else:
            self.paint()

    def paint_header(self, frame: Frame) -> None:
        """Shows a frame in the header."""
        held = self.held
        self.header.show(lambda width, _: [header_row(frame, width, held)])

    def _page(self) -> int:
        """Returns the chosen page if the active panel is on it, else the first that has it."""
        active = self.panels[self._active]
        chosen = self._page_chosen
        if chosen < len(self._pages) and active in self._pages[chosen].panels:
            return chosen
        return next((n for n, page in enumerate(self._pages) if active in page.panels), 0)

    @property
    def paged(self) -> bool:
        """Whether there is more than one page."""
        return len(self._pages) > 1

    def show_panel(self, panel: Panel) -> None:
        """Brings a panel to the front and focuses it, also one that was hidden."""
        self._active = self.panels.index(panel)
        if self.paged:
            self._page_chosen = self._page()
            self.arrange()
        elif not panel.display:
            self._unhide(panel)
        if panel.display:
            self.set_focus(panel)
        else:
            self.notify(f"{panel.NAME}: this run has none")

    def _unhide(self, panel: Panel) -> None:
        self.hidden.discard(panel)
        if panel in (self.log_panel, self.events_panel):
            self._log_wanted = True
        self.arrange()

    def show_page(self, number: int) -> None:
        """Brings a page to the front and focuses its first panel with data."""
        self._page_chosen = number % len(self._pages)
        self.show_panel(self._first(self._pages[self._page_chosen]))

    def show_next(self, step: int) -> None:
        """Shows the next panel of the page, else the first or last one of the next page."""
        page = self._page()
        members = self._pages[page].panels
        place = members.index(self.panels[self._active]) + step
        if not 0 <= place < len(members):
            page = (page + step) % len(self._pages)
            members, place = self._pages[page].panels, 0 if step > 0 else -1
        self._page_chosen = page
        self.show_panel(members[place])

    def show_log(self) -> None:
        """Shows the log where it is not visible."""
        if self.enlarged and not self.log_panel.display:
            self.enlarged = False
            self.arrange()
        if self.paged:
            self.show_panel(self.log_panel)
        elif not self.log_panel.display:
            self._unhide(self.log_panel)
