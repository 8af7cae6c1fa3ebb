"""skrl, as Isaac Lab uses it: a bar over the steps that all environments take together."""

from sixdim.parsers.events import Events
from sixdim.parsers.statements.common_shapes import BAR, iteration_of_bar
from sixdim.parsers.statements.format import Fields, Line, Reader
from sixdim.parsers.statements.rows import ignored, line


class Skrl(Reader):
    name = "skrl"
    title = "skrl (its bar; Isaac Lab)"
    tried = "skrl 2.1.1"
    example = "[skrl:INFO] Environment wrapper: Isaac Lab (single-agent)"
    unread = "the settings; rewards and losses are in TensorBoard alone"

    headers = ignored(("[skrl:INFO] {}", "[skrl:WARNING] {}"), 1.0, "header")

    @line(BAR + "]", 0.1, "iteration")
    def _drawn(self, line: Line, f: Fields) -> Events:
        if f["step"] > 0:
            yield iteration_of_bar(line.origin(), None, f)
