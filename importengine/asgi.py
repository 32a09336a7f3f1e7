"""The ASGI application: the gateway, and Django behind it in threads."""

from typing import cast

from importengine.wsgi import application as wsgi  # first, because it sets Django up


def make_application() -> object:
    """Return the gateway around Django, configured from the settings."""
    from a2wsgi import WSGIMiddleware
    from django.conf import settings

    from importengine import sealed
    from importengine.answers import stops_when_gone
    from importengine.gateway import Allowances, App, Gateway
    from licensing.authentication import is_staff_cookie, license_named, session_named

    sealed.begin()
    return Gateway(
        cast(App, WSGIMiddleware(stops_when_gone(wsgi), workers=settings.WEB_THREADS)),
        Allowances(
            threads=settings.WEB_THREADS,
            per_address=settings.REQUESTS_PER_ADDRESS,
            json_bytes=settings.MAX_JSON_BYTES,
            agent_bytes=settings.AGENT_BYTES,
            floor=settings.BODY_FLOOR,
            proxies=settings.TRUSTED_PROXIES,
        ),
        by_key=license_named,
        by_session=session_named,
        is_staff=is_staff_cookie,
    )


application = make_application()
