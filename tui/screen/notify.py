"""What is noticed without looking at the terminal: the bell, and a notification of the desktop."""

from __future__ import annotations

from sixdim.parsers.text.lines import label

BELL = "\x07"


def notification(text: str, *, tmux: bool) -> str:
    """OSC 9 (iTerm2, kitty, WezTerm, Windows Terminal, ConEmu), wrapped so that tmux passes it on.

    Args:
        text: Cleaned here; what is not printable ASCII is left out, for the terminals between.
        tmux: Whether tmux stands between: its passthrough doubles each escape.
    """
    plain = "".join(char for char in label(text, 200) if " " <= char <= "~")
    # The name first: a text that began with a digit and ; would be a progress bar to ConEmu.
    sequence = f"\x1b]9;sixdim: {plain}\x07"
    return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\" if tmux else sequence
