"""The table of keys, from which bindings, footer and help screen are made."""

from collections.abc import Iterator
from typing import NamedTuple

from textual.binding import Binding

from sixdim.tui.session.live.feed import MOVE, SELECT


class Key(NamedTuple):
    """One action of keys.

    Attributes:
        keys: Names of the keys, as Textual spells them.
        action: Action of the app.
        symbol: How the keys are written.
        label: One word for the footer; empty where the footer leaves it out.
        help: What it does, one clause.
        group: Heading on the help screen.
        needs: What the feed must support (`tui.session.live.feed`); empty for always.
        asks: Whether it asks for a line: keys that come right after it are typed there.
    """

    keys: tuple[str, ...]
    action: str
    symbol: str
    label: str
    help: str
    group: str
    needs: str = ""
    asks: bool = False


RUN, REPLAY, CHART, VIEW, LOG = "Run", "Replay", "Charts", "View", "Log"
GROUPS = (RUN, REPLAY, CHART, VIEW, LOG)

KEYS = (
    Key(("q",), "quit", "q", "Quit", "Quit", RUN),
    Key(("space",), "pause", "space", "Pause", "Pause the replay, or the live display", RUN),
    Key(("left",), "sideways(-1)", "←", "", "Cursor, or one epoch, or one tab to the left", VIEW),
    Key(("right",), "sideways(1)", "→", "", "Cursor, or one epoch, or one tab to the right", VIEW),
    Key((), "", "←→", "Epoch", "", "", MOVE),
    Key(
        ("plus", "equals_sign"), "zoom(1)", "+", "", "Zoom in at the cursor; replay: faster", CHART
    ),
    Key(("minus",), "zoom(-1)", "-", "", "Zoom out; without a cursor, replay: slower", CHART),
    Key((), "", "+-", "Speed", "", "", MOVE),
    Key(("g",), "go_to_epoch", "g", "Go to", "Go to an epoch", REPLAY, MOVE, asks=True),
    Key(("end",), "end", "End", "", "Replay: jump to the result; else: newest log line", RUN),
    Key(("i",), "inspect", "i", "Inspect", "Cursor on a chart: arrows move it, Esc ends", CHART),
    Key(("L",), "show_lines", "L", "", "Its lines in the log; Esc or L: back", CHART),
    Key(("enter",), "explain", "enter", "", "How a figure was computed; an epoch's lines", RUN),
    Key(("y",), "copy", "y", "Copy", "Copy the figure with its evidence lines", RUN),
    Key(("less_than_sign", "shift+left"), "pan(-1)", "<", "", "Zoomed chart to the left", CHART),
    Key(("greater_than_sign", "shift+right"), "pan(1)", ">", "", "Zoomed chart on", CHART),
    Key(("0",), "show_all", "0", "", "The whole chart again", CHART),
    Key(("s",), "scale", "s", "", "Scale of the charts: linear, logarithmic", CHART),
    Key(("slash",), "search", "/", "Search", "Search the log: a text, or /regex/", LOG, asks=True),
    Key(("ampersand",), "filter", "&", "", "Only log lines with it; empty: all", LOG, asks=True),
    Key(("n",), "next_match(1)", "n", "", "Next match", LOG),
    Key(("N",), "next_match(-1)", "N", "", "Previous match", LOG),
    Key(("l",), "toggle_log", "l", "Log", "Show or hide the log", LOG),
    Key(("up",), "scroll(-1)", "↑", "", "Back in the log; in the scorecard, up", LOG),
    Key(("down",), "scroll(1)", "↓", "", "On in the log; in the scorecard, down", LOG),
    Key(("pageup",), "scroll(-10)", "PgUp", "", "Ten lines back in the log", LOG),
    Key(("pagedown",), "scroll(10)", "PgDn", "", "Ten lines on in the log", LOG),
    Key(("e",), "export", "e", "Export", "Write the card now", RUN),
    Key(("r",), "toggle_radar", "r", "Radar", "Scorecard as a radar, or as a table", VIEW),
    Key(("z",), "enlarge", "z", "Zoom", "Enlarge the focused panel, or shrink it again", VIEW),
    Key(("x",), "hide", "x", "", "Hide the focused panel", VIEW),
    Key(("X",), "show_hidden", "X", "", "Show all panels again", VIEW),
    Key(("left_square_bracket",), "select(-1)", "[", "", "Previous run of several", RUN, SELECT),
    Key(("right_square_bracket",), "select(1)", "]", "", "Next run of several", RUN, SELECT),
    Key((), "", "[]", "Run", "", "", SELECT),
    Key(("a",), "axis", "a", "", "Charts over epochs, steps, time, or lines", CHART),
    Key(("tilde",), "smooth", "~", "", "Smoothed lines over the series, or none", CHART),
    Key(("m",), "choose", "m", "Series", "Choose the series of a chart", CHART),
    Key(("M",), "gallery", "M", "", "Small charts of all series", CHART),
    Key(("tab",), "focus_next", "tab", "", "Next panel", VIEW),
    Key(("shift+tab",), "focus_previous", "S-tab", "", "Previous panel", VIEW),
    Key((), "", "1-9", "", "Go to that panel or tab", VIEW),
    Key(("escape",), "back", "Esc", "", "Close, shrink, or leave the search", VIEW),
    Key(("t",), "next_theme", "t", "Theme", "Next theme: dark, light, colour-blind", VIEW),
    Key(("question_mark",), "help", "?", "Keys", "All keys", RUN),
    Key(("ctrl+l",), "redraw", "^l", "", "Draw the whole screen again", VIEW),
    Key(("ctrl+z",), "suspend_process", "^z", "", "Suspend; fg brings it back", RUN),
)
FOOTER_ORDER = (
    *("Quit", "Pause", "Epoch", "Speed", "Go to", "Run", "Keys", "Export", "Log", "Search", "Zoom"),
    *("Series", "Radar", "Theme", "Inspect", "Copy"),
)
"""The labels in the footer, the most important first."""


def supported(key: Key, controls: frozenset[str]) -> bool:
    """Returns whether a feed with these controls supports an action."""
    return not key.needs or key.needs in controls


def bindings() -> Iterator[Binding]:
    """Yields the bindings of all actions."""
    for key in KEYS:
        if key.action:
            names = ",".join(key.keys)
            # A key that opens a question is handled before the following keys reach a panel.
            yield Binding(names, key.action, show=False, priority=key.asks)
    for number in "123456789":
        yield Binding(number, f"panel({number})", show=False)


ASKING = frozenset(key.action for key in KEYS if key.asks)
"""Actions that open a question."""


def footer(controls: frozenset[str]) -> list[Key]:
    """Returns the keys of the footer, the most important first."""
    labelled = {key.label: key for key in KEYS if key.label and supported(key, controls)}
    return [labelled[label] for label in FOOTER_ORDER if label in labelled]


def help_rows(controls: frozenset[str]) -> list[tuple[str, list[Key]]]:
    """Returns (heading, keys) for the help screen."""
    usable = [key for key in KEYS if key.help and supported(key, controls)]
    rows = ((group, [key for key in usable if key.group == group]) for group in GROUPS)
    return [(group, keys) for group, keys in rows if keys]
