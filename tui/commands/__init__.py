"""One module a command: `EXAMPLES`, `add_arguments(parser)`, `run(args) -> exit code`."""
