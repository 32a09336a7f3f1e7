"""Run the receiver alone: ``migrate`` once, then ``runserver 9000``."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run a Django command with the receiver's settings."""
    sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)
    os.environ["DJANGO_SETTINGS_MODULE"] = "examples.django_receiver.settings"
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
