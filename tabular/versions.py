"""The pins of this engine. Spec: contract > engine.

A change of the golden corpus' output, a dependency upgrade included, raises the pin it touches.
"""

MATCHER = "8"
TRANSFORM = "6"


def pins() -> dict[str, str]:
    """Give the pins by name, as a contract and a stored table name them."""
    return {"matcher": MATCHER, "transform": TRANSFORM}
