"""
The engine's settings with short waits, for tests that kill its programs.

``SHORT_<SETTING>`` in the environment is the value of a setting, as JSON: ``SHORT_LEASE_S=3``.
"""

import json
import os

from importengine.settings import *  # noqa: F403  (a settings module)

for _name, _value in os.environ.items():
    if _name.startswith("SHORT_"):
        globals()[_name.removeprefix("SHORT_")] = json.loads(_value)
