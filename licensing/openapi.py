"""How the OpenAPI document describes licensing; loaded with the API's routes."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class LicenseScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # its metaclass hook is untyped
    """``Authorization: Bearer <LICENSE_KEY>``."""

    target_class = "licensing.authentication.LicenseAuthentication"
    name = "licenseKey"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """Return HTTP bearer authentication."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A license key, `imp_lic_...`.",
        }
