"""`sixdim protocols`: every named way of taking a throughput, with its source."""

from __future__ import annotations

import argparse

from sixdim.metrics.protocols.named import PROTOCOLS

EXAMPLES = """examples:
  sixdim protocols
  sixdim score train.log --protocol deepspark-example
  sixdim score train.log --protocol paddle-tipc --skip 5 --devices 8
  sixdim score train.log --protocol custom --metric train.total_ips --skip 9 --prints %.6g
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Takes no flags."""


def run(args: argparse.Namespace) -> int:
    """Prints the table."""
    for protocol in PROTOCOLS.values():
        print(f"{protocol.name}\n    {protocol.sentence()}\n    {protocol.source}")
    return 0
