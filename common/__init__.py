"""What every app stands on: ids, states, claims, storage, errors, secrets. No domain noun."""
