"""The one style sheet of reports and drawings: light and dark, phone and desk, paper."""

DRAWING = """
:root{color-scheme:light dark;--paper:#fbfaf8;--card:#fff;--ink:#1b2330;--soft:#5b6675;
--rule:#e2e0da;--band:#f3e3bd;--c0:#0a6aa8;--c1:#b8500a;--c2:#00795a;--c3:#9a3d7f;--c4:#8a6d00;
--c5:#4b4fbf;--good:#00704f;--bad:#a8320a}
@media(prefers-color-scheme:dark){:root{--paper:#0f141b;--card:#171e28;--ink:#e8ecf1;
--soft:#9aa7b6;--rule:#2a3442;--band:#3a3013;--c0:#6bb8f0;--c1:#f0a35c;--c2:#4fcfa5;--c3:#e39bcb;
--c4:#e3c74f;--c5:#a5a8ff;--good:#4fcfa5;--bad:#ff9a70}}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.tick{fill:var(--soft);font-size:12px;font-variant-numeric:tabular-nums}
.halo{paint-order:stroke;stroke:var(--card);stroke-width:5px;stroke-linejoin:round;fill:var(--ink)}
.axis{fill:var(--ink);font-size:13px;font-weight:600}
.grid{stroke:var(--rule);stroke-width:1}.base{stroke:var(--soft);stroke-width:1}
.band{fill:var(--band)}
.level{stroke:var(--c1);stroke-width:1.5;stroke-dasharray:6 4}
.ring{fill:none;stroke:var(--rule);stroke-width:1}
.ring.one{stroke:var(--soft);stroke-width:1.8;stroke-dasharray:5 4}
.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.area{stroke-width:2;fill-opacity:.14;stroke-linejoin:round}
.s0{stroke:var(--c0);fill:var(--c0)}.s1{stroke:var(--c1);fill:var(--c1);stroke-dasharray:7 4}
.s2{stroke:var(--c2);fill:var(--c2);stroke-dasharray:2 4}
.s3{stroke:var(--c3);fill:var(--c3);stroke-dasharray:9 3 2 3}
.s4{stroke:var(--c4);fill:var(--c4);stroke-dasharray:12 3}
.s5{stroke:var(--c5);fill:var(--c5);stroke-dasharray:4 2 1 2}
.line{fill:none}.dot{stroke-dasharray:none;stroke-width:1}
.dot.hollow{fill:var(--card);stroke:var(--c0);stroke-width:2}
.dot.ring{fill:var(--c1);stroke:var(--card);stroke-width:2;stroke-dasharray:none}
"""
"""Colours (distinct for the colour-blind, and by their dashes) and everything inside an SVG."""

PAGE = (
    DRAWING
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
@media(max-width:760px){main{padding:22px 16px 44px}.tiles{grid-template-columns:1fr 1fr;gap:10px}
.two{grid-template-columns:1fr}.wide{display:none}.narrow{display:block}
.tile,figure,.panel{padding:13px 14px}.tile .value{font-size:1.4rem}h1{font-size:1.3rem}
.panel dl{grid-template-columns:1fr}dt{margin-top:5px}}
@media(max-width:760px){th,td{padding-right:9px;font-size:.84rem}}
@media print{body{background:#fff}main{max-width:none;padding:0}
.tile,figure,.panel{break-inside:avoid}}
"""
)
