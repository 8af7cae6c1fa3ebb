"""`sixdim protocols`: the named rules for throughput, and where each is published."""

import argparse

from sixdim.metrics.protocols.named import PROTOCOLS
from sixdim.tui.base.errors import DONE
from sixdim.tui.base.settings.protocol_flags import named_protocol

EXAMPLES = """examples:
  sixdim protocols
  sixdim protocols deepspark mlperf      the rules, and where they are published
  sixdim score train.log --protocol deepspark-example
  sixdim score train.log --protocol paddle-tipc --skip 5 --devices 8
  sixdim score train.log --protocol custom --metric train.total_ips --skip 9
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `sixdim protocols`."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="protocols to describe (default: list all)"
    )


def run(args: argparse.Namespace) -> int:
    """Prints one line per protocol, or describes those that are named.

    Raises:
        UserError: There is no protocol of a given name.
    """
    for name in args.names:
        protocol = named_protocol(name)
        print(f"{name}\n    {protocol.sentence()}\n    {protocol.source}")
    if not args.names:
        width = max(map(len, PROTOCOLS))
        for protocol in PROTOCOLS.values():
            print(f"{protocol.name:<{width}}  {protocol.sentence()}")
    return DONE
