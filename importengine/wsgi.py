"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

from importengine.processes.required import refuse_incomplete

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "importengine.settings")

refuse_incomplete()
application = get_wsgi_application()
