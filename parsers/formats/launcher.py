"""The command of a launcher, as a script echoes it: `torchrun --nnodes=4 --nproc_per_node=8 …`."""

from __future__ import annotations

from sixdim.parsers.events import Events
from sixdim.parsers.grammar.shapes.shape import Broken, Fields, Unanchored
from sixdim.parsers.statements.format import Line, Reader
from sixdim.parsers.statements.rows import line
from sixdim.parsers.text.patterns import pattern

_NODES = pattern(r"--nnodes(?:=|\s{1,8})(\d{1,6}+)(?::(\d{1,6}+))?+(?=\s|$)")
_LOCAL = pattern(r"--nproc[-_]per[-_]node(?:=|\s{1,8})(\d{1,6}+)(?=\s|$)")


class _Command(Unanchored):
    """A line with `--nnodes N` or `N:N`; an elastic job (`1:4`) has no fixed number of nodes."""

    clue = "--nnodes"

    def match(self, text: str) -> Fields | Broken | None:
        """Returns the `nodes`, and the `devices` if the line says how many a node has."""
        found = _NODES.search(text)
        if found is None or int(found[2] or found[1]) != int(found[1]) or not int(found[1]):
            return None
        nodes, local = int(found[1]), _LOCAL.search(text)
        devices = {"devices": nodes * int(local[1])} if local and int(local[1]) else {}
        return {"nodes": nodes, **devices}


class Launcher(Reader):
    """Reads the command in any format's log."""

    name = "launcher"
    title = "torchrun's command line (--nnodes) in any log"
    example = "torchrun --nnodes=4 --nproc_per_node=8 train.py"
    unread = "a command without --nnodes, elastic jobs (1:4), the launchers of clusters"
    precedence = -1

    @line(_Command(), 0.0, "command")
    def _command(self, line: Line, f: Fields) -> Events:
        for name in f:
            yield from self.report(line.origin(), name, f[name])
