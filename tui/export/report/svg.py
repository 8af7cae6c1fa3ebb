"""Makes shapes of SVG that a browser, a converter and a printer paint alike.

Each shape carries its colours as attributes, which every program reads; in a page the style sheet,
made of the same table, has precedence and follows the reader's choice of light or dark.
"""

from collections.abc import Mapping

from sixdim.tui.export.markup import Child, Markup, element

_COLOURS = """
paper #fbfaf8  #0f141b
card  #ffffff  #171e28
ink   #1b2330  #e8ecf1
soft  #5b6675  #9aa7b6
rule  #e2e0da  #2a3442
band  #f3e3bd  #3a3013
c0    #0a6aa8  #6bb8f0
c1    #b8500a  #f0a35c
c2    #00795a  #4fcfa5
c3    #9a3d7f  #e39bcb
c4    #8a6d00  #e3c74f
c5    #4b4fbf  #a5a8ff
good  #00704f  #4fcfa5
bad   #a8320a  #ff9a70
"""
_NAMES, *_SHADES = zip(*map(str.split, _COLOURS.strip().split("\n")), strict=True)
LIGHT, DARK = (dict(zip(_NAMES, shades, strict=True)) for shades in _SHADES)
"""Colours by name; lines are distinct for the colour-blind, and by their dashes."""
_DASHES = ("none", "7 4", "2 4", "9 3 2 3", "12 3", "4 2 1 2")
COLOURS = len(_DASHES)
"""Number of styles of lines; they repeat."""
_STROKES = [
    {"stroke": f"c{n}", "stroke_width": "2", "stroke_dasharray": dashes}
    for n, dashes in enumerate(_DASHES)
]
_ROUND = {"stroke_linejoin": "round", "stroke_linecap": "round"}

PAINT: Mapping[str, Mapping[str, str]] = {
    "sheet": {"fill": "card"},
    "tick": {"fill": "soft", "font_size": "12px"},
    "label": {"fill": "ink", "font_size": "12px"},
    "under": {"fill": "card", "stroke": "card", "stroke_width": "5", "font_size": "12px"} | _ROUND,
    "axis": {"fill": "ink", "font_size": "13px", "font_weight": "600"},
    "grid": {"stroke": "rule", "stroke_width": "1"},
    "base": {"stroke": "soft", "stroke_width": "1"},
    "band": {"fill": "band"},
    "level": {"stroke": "c1", "stroke_width": "1.5", "stroke_dasharray": "6 4"},
    "circle": {"fill": "none", "stroke": "rule", "stroke_width": "1"},
    "reference": {
        "fill": "none",
        "stroke": "soft",
        "stroke_width": "1.8",
        "stroke_dasharray": "5 4",
    },
    "hollow": {"fill": "card", "stroke": "c0", "stroke_width": "2"},
    "chosen": {"fill": "c1", "stroke": "card", "stroke_width": "2"},
    **{f"line{n}": {"fill": "none"} | stroke | _ROUND for n, stroke in enumerate(_STROKES)},
    **{
        f"area{n}": {"fill": f"c{n}", "fill_opacity": "0.14"} | stroke
        for n, stroke in enumerate(_STROKES)
    },
    **{f"dot{n}": {"fill": f"c{n}", "stroke": "none"} for n in range(COLOURS)},
}
"""The attributes of each kind of shape; colours are names of `LIGHT` and `DARK`."""


def shape(tag: str, paint: str, *children: Child, **attributes: str | int | float | None) -> Markup:
    """Returns an element of a kind of `PAINT`, with the colours of `LIGHT`."""
    looks = {name: LIGHT.get(value, value) for name, value in PAINT[paint].items()}
    return element(tag, *children, **attributes, class_=paint, **looks)


def picture(
    title: str,
    width: float,
    height: float,
    *children: Child,
    class_: str | None = None,
    alone: bool = False,
) -> Markup:
    """Returns one `<svg>` with a title for screen readers.

    It has that size in CSS pixels and scales with its box. One that stands alone, as a file, has
    a ground.
    """
    return element(
        "svg",
        element("title", title),
        shape("rect", "sheet", x=0, y=0, width=width, height=height) if alone else None,
        *children,
        class_=class_,
        width=width if alone else None,
        height=height if alone else None,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        font_family="sans-serif",
        role="img",
        xmlns="http://www.w3.org/2000/svg",
    )


def style_sheet() -> str:
    """Returns the style of all shapes of a page."""
    rules = []
    for name, looks in PAINT.items():
        body = ";".join(
            f"{key.replace('_', '-')}:{f'var(--{value})' if value in LIGHT else value}"
            for key, value in looks.items()
        )
        rules.append(f".{name}{{{body}}}")
    return "\n".join(
        [
            f":root{{color-scheme:light dark;{_variables(LIGHT)}}}",
            f"@media screen and (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}",
            "svg{display:block;width:100%;height:auto;overflow:visible}",
            'svg text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,'
            "sans-serif;font-variant-numeric:tabular-nums}",
            *rules,
        ]
    )


def _variables(colours: Mapping[str, str]) -> str:
    return ";".join(f"--{name}:{value}" for name, value in colours.items())
