"""What every app builds on: ids, states, claims, storage, errors, secrets. No domain noun."""
