"""The canonical form of JSON (RFC 8785) against external vectors."""

import json
from pathlib import Path

from contracts.canonical import canonical


def main(sets: Path) -> int:
    """Compare each output with ours, byte for byte; return 1 if one differs or there are none."""
    vectors = sets / "protocols" / "jcs-vectors"
    expected = {path.name: path.read_bytes() for path in sorted(vectors.glob("output/*.json"))}
    right = 0
    for name, text in expected.items():
        is_right = canonical(json.loads((vectors / "input" / name).read_bytes())) == text.rstrip()
        print(f"   {name:20} {'same bytes' if is_right else 'DIFFERS'}")
        right += is_right
    print(f"   {right} of {len(expected)} vectors")
    return 0 if expected and right == len(expected) else 1
