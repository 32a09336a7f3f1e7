#!/usr/bin/env python
"""The engine's commands: ``python manage.py help``."""

import os
import sys


def main() -> None:
    """Run one command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")
    from django.core.management import ManagementUtility

    utility = ManagementUtility(sys.argv)
    if sys.argv[1:2] == ["version"]:  # Django answers this one itself, with its own version
        import django

        django.setup()
        utility.fetch_command("version").run_from_argv(sys.argv)
    else:
        utility.execute()


if __name__ == "__main__":
    main()
