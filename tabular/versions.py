"""The pins of this engine. Spec: contract > engine.

A change in the golden corpus' output, also by a dependency upgrade, raises the affected pin.
"""

MATCHER = "9"
TRANSFORM = "6"


def pins() -> dict[str, str]:
    """Return the pins by name, as in a contract and a stored table."""
    return {"matcher": MATCHER, "transform": TRANSFORM}
