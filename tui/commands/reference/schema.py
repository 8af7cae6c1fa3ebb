"""`sixdim schema`: the JSON Schema of a card."""

import argparse
import json

from sixdim.metrics.card.schema.schema import card_schema

EXAMPLES = """examples:
  sixdim schema > scorecard.schema.json
"""


def run(args: argparse.Namespace) -> int:
    """Prints the schema."""
    print(json.dumps(card_schema(), indent=2))
    return 0
