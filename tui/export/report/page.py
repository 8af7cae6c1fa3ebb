"""One self-contained HTML file: no script, no network, and a policy that forbids both."""

import base64
import hashlib

from sixdim.tui.export.markup import Markup, element
from sixdim.tui.export.report.svg import style_sheet

# Light and dark, narrow and wide screens, paper.
_STYLE = (
    style_sheet()
    + """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);line-height:1.5;font-size:16px;
font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
overflow-wrap:anywhere}
main{max-width:1120px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:1.65rem;line-height:1.2;margin:0 0 4px;font-weight:650}
h2{font-size:1.15rem;margin:44px 0 14px;font-weight:650}
h3{font-size:1rem;margin:0;font-weight:650}
p{margin:0 0 6px}.soft,.soft p{color:var(--soft)}.small{font-size:.86rem}
.badge{display:inline-block;padding:2px 12px;border-radius:99px;border:1.5px solid currentColor;
font-size:.78rem;font-weight:650;letter-spacing:.06em;margin-bottom:12px}
.good{color:var(--good)}.bad{color:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(3,1fr);gap:14px;margin-top:26px}
.tile,figure,.panel{background:var(--card);border:1px solid var(--rule);border-radius:12px;
padding:16px 18px;margin:0;min-width:0}
.tile .name{display:flex;justify-content:space-between;gap:8px;color:var(--soft);font-size:.88rem}
.tile .value{font-size:1.85rem;font-weight:650;line-height:1.3;font-variant-numeric:tabular-nums}
.tile .unit{font-size:.95rem;font-weight:500;color:var(--soft)}
.two{display:grid;grid-template-columns:1fr 1fr;gap:14px}
figcaption{margin-top:10px;color:var(--soft);font-size:.86rem}
figcaption b,figure>b{color:var(--ink);font-weight:650}
figure>b{display:block;margin-bottom:10px}
.narrow{display:none}.radar{max-width:560px;margin:0 auto}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.92rem;
overflow-wrap:normal}
th,td{text-align:left;padding:7px 14px 7px 0;border-bottom:1px solid var(--rule);
vertical-align:top}
th{color:var(--soft);font-weight:550}tr:last-child>*{border-bottom:0}
td.n,th.n{text-align:right;white-space:nowrap}
.panel+.panel{margin-top:12px}
.panel dl{display:grid;grid-template-columns:auto 1fr;gap:3px 16px;margin:10px 0 0;
font-size:.92rem}
dt{color:var(--soft)}dd{margin:0;min-width:0}
pre{margin:10px 0 0;padding:12px 14px;background:var(--paper);border:1px solid var(--rule);
border-radius:8px;overflow-x:auto;font-size:.82rem;line-height:1.6;
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre b{color:var(--soft);font-weight:400;user-select:none}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88em}
.spaced{margin-top:14px}.beside{margin-top:14px}.swatch{width:40px;margin-top:4px}
.legend td{padding-right:12px;border:0}.legend td:last-child{width:99%}
li{margin:3px 0}ul{margin:0;padding-left:20px}
@media screen and (max-width:760px){main{padding:22px 16px 44px}
.tiles{grid-template-columns:1fr 1fr;gap:10px}
.two{grid-template-columns:1fr}.wide{display:none}.narrow{display:block}
.tile,figure,.panel{padding:13px 14px}.tile .value{font-size:1.4rem}h1{font-size:1.3rem}
.panel dl{grid-template-columns:1fr}dt{margin-top:5px}}
@media screen and (max-width:760px){th,td{padding-right:9px;font-size:.84rem}}
@page{size:A4;margin:13mm 12mm}
@media print{body{background:#fff;font-size:9.5pt;line-height:1.35}main{max-width:none;padding:0}
h1{font-size:15pt}h2{font-size:11.5pt;margin:14px 0 8px}h1,h2,h3,figure>b{break-after:avoid}
.tiles{margin-top:10px;gap:8px}.tile .value{font-size:15pt}.two{gap:8px}
.wide{display:none}.narrow{display:block}.plots{grid-template-columns:1fr 1fr 1fr}
.tile,figure,.panel{padding:8px 10px;border-radius:6px;break-inside:avoid}
pre{white-space:pre-wrap;padding:6px 8px;margin-top:6px;font-size:7pt;line-height:1.4}
.small,figcaption,table,.panel dl{font-size:8.5pt}th,td{padding:3px 10px 3px 0}
.methods{columns:2;column-gap:8px}.methods .panel{margin:0 0 8px}
.panel dl{grid-template-columns:auto 1fr;margin-top:4px}.spaced,.beside{margin-top:8px}
.scroll{overflow:visible}.radar{max-width:300px}}
"""
)


def page(title: str, *body: Markup | None) -> str:
    """Returns the document.

    Its content security policy allows only the style sheet with this hash. Even if a text of a log
    were not escaped, no browser would run or load anything because of it.
    """
    style = Markup(_STYLE)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", style),
    )
    whole = element("html", head, element("body", element("main", *body)), lang="en")
    return f"<!doctype html>\n{whole}\n"


def drawing(svg: Markup) -> str:
    """Returns an `<svg>` as a separate file."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'
