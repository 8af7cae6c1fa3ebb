"""rl_games before it numbered its lines: the steps of the environments a second, once an update.

With several processes, versions differ in whether the rate is that of all of them.
"""

from __future__ import annotations

from sixdim.parsers.events import Scope
from sixdim.parsers.statements.format import Reader
from sixdim.parsers.statements.record import NamedRecord
from sixdim.parsers.statements.rows import progress


class RlGames(Reader):
    name = "rl-games"
    title = "rl_games, as of the first versions of Isaac Gym"
    example = "fps step: 31226.1 fps total: 24600.4"
    unread = "the settings, rewards (they are those of the training)"

    updates = progress(
        "fps step: {} fps total: {throughput:float}",
        NamedRecord(unit="steps/s", scope=Scope.UNKNOWN),
        0.7,
    )
