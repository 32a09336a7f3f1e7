"""Sending: small deliveries through one worker, and large bodies. docs/webhooks.md."""

import os


def main() -> None:
    """Print the figures of sending; those of a worker require PostgreSQL and Redis."""
    from bench.deliveries import body, rate

    body.main()
    if os.environ.get("IMPORT_POSTGRES_URL") and os.environ.get("IMPORT_REDIS_URL"):
        rate.main()
    else:
        print("rates: IMPORT_POSTGRES_URL and IMPORT_REDIS_URL are not both set; not measured")
