"""`sixdim completion`: prints the completion script of a shell, made from the flags."""

import argparse
from collections.abc import Sequence

from sixdim.tui.help.flags import Command, Flag, commands

EXAMPLES = """examples:
  eval "$(sixdim completion bash)"                        in ~/.bashrc
  sixdim completion zsh > ~/.zfunc/_sixdim                a folder of your fpath
  sixdim completion fish > ~/.config/fish/completions/sixdim.fish
"""
_BASH = """# bash completion of sixdim: eval "$(sixdim completion bash)"
_sixdim() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "{commands}" -- "$current"))
        return
    fi
    case "${{COMP_WORDS[1]}} $previous" in
{values}
    esac
    case "${{COMP_WORDS[1]}} $current" in
{flags}
    esac
}}
complete -o default -o bashdefault -F _sixdim sixdim
"""

_ZSH = """#compdef sixdim
# zsh completion of sixdim: sixdim completion zsh > a folder of your $fpath, named _sixdim
_sixdim() {{
    local -a commands=(
{commands}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{arguments}
    esac
}}
if [ "$funcstack[1]" = "_sixdim" ]; then _sixdim "$@"; else compdef _sixdim sixdim; fi
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the argument of `sixdim completion`."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="your shell")


def run(args: argparse.Namespace) -> int:
    """Prints the script."""
    script = {"bash": bash, "zsh": zsh, "fish": fish}[args.shell]
    print(script(commands()), end="")
    return 0


def bash(commands: Sequence[Command]) -> str:
    """Returns the script for bash; it completes paths where no flag or value is expected."""
    values, flags = [], []
    for command in commands:
        for flag in command.flags:
            if flag.values:
                patterns = "|".join(f'"{command.name} {name}"' for name in flag.names)
                values.append(_bash_case(patterns, flag.values))
        words = [name for flag in command.flags for name in flag.names if name.startswith("--")]
        flags.append(_bash_case(f'"{command.name} -"*', words))
        if command.choices:
            flags.append(_bash_case(f'"{command.name} "*', command.choices))
    return _BASH.format(
        commands=" ".join(c.name for c in commands),
        values="\n".join(values),
        flags="\n".join(flags),
    )


def _bash_case(pattern: str, words: Sequence[str]) -> str:
    reply = f'COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$current"))'
    return f"        {pattern}) {reply}; return ;;"


def zsh(commands: Sequence[Command]) -> str:
    """Returns the script for zsh."""
    listed = [f"        {_quoted(f'{c.name}:{c.summary}')}" for c in commands]
    arguments = []
    for command in commands:
        words = [_quoted(spec) for flag in command.flags for spec in _zsh_specs(flag)]
        rest = f"*:argument:({' '.join(command.choices)})" if command.choices else "*:file:_files"
        words.append(_quoted(rest))
        joined = " \\\n                ".join(words)
        arguments.append(
            f"        {command.name})\n            _arguments \\\n                {joined} ;;"
        )
    return _ZSH.format(commands="\n".join(listed), arguments="\n".join(arguments))


def _zsh_specs(flag: Flag) -> list[str]:
    text = flag.help.replace("\\", "\\\\")
    for sign in "[]:":
        text = text.replace(sign, f"\\{sign}")
    value = ""
    if flag.values:
        value = f":value:({' '.join(flag.values)})"
    elif flag.metavar:
        value = ":file:_files" if flag.files else ":value: "
    return [f"*{name}[{text}]{value}" for name in flag.names]


def fish(commands: Sequence[Command]) -> str:
    """Returns the script for fish."""
    lines = ["# fish completion of sixdim: sixdim completion fish | source"]
    lines += [
        f"complete -c sixdim -f -n __fish_use_subcommand -a {c.name} -d {_quoted(c.summary)}"
        for c in commands
    ]
    for command in commands:
        here = f"complete -c sixdim -n '__fish_seen_subcommand_from {command.name}'"
        lines += [f"{here}{_fish_flag(f)} -d {_quoted(f.help)}" for f in command.flags]
        if command.choices:
            lines.append(f"{here} -f -a {_quoted(' '.join(command.choices))}")
    return "\n".join(lines) + "\n"


def _fish_flag(flag: Flag) -> str:
    out = "".join(f" -l {n[2:]}" if n.startswith("--") else f" -s {n[1:]}" for n in flag.names)
    if flag.values:
        return f"{out} -x -a {_quoted(' '.join(flag.values))}"
    if flag.metavar:
        return out + (" -r -F" if flag.files else " -x")
    return out


def _quoted(text: str) -> str:
    """Returns the text quoted as one word for a shell."""
    return "'" + text.replace("'", "'\\''") + "'"
