"""The pins of this engine. Spec: contract > engine.

A change of the golden corpus' output, a dependency upgrade included, raises the pin it touches.
"""

MATCHER = "2"
TRANSFORM = "2"
