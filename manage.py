#!/usr/bin/env python
"""The engine's commands: ``python manage.py help``."""

import os
import sys


def main() -> None:
    """Run one command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import ManagementUtility

    from importengine.processes.required import refuse_incomplete, refuse_invalid

    refuse_invalid()
    utility = ManagementUtility(sys.argv)
    if sys.argv[1:2] == ["version"]:  # Django answers this one itself, with its own version
        import django

        django.setup()
        utility.fetch_command("version").run_from_argv(sys.argv)
    else:
        try:
            utility.execute()
        except ImproperlyConfigured as error:  # a missing SECRET_KEY, on its first use
            refuse_incomplete()
            raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
