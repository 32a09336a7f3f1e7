"""License keys: minted, signed, verified."""
