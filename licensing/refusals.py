"""
Why a call is refused. Spec: Authentication, Errors.

NotAuthenticated            401
├── LicenseMissing          no key was sent
├── LicenseMalformed        what was sent is not a license key
├── LicenseRejected         signature, issuer or claims are not accepted
├── LicenseExpired          the key's time is over
├── LicenseRevoked          the key was taken back
├── SessionEnded            a page's session is over, was ended, or never was
└── SessionMissing          a staff call without a login
NotAllowed                  403
├── OriginNotAllowed        the key's own list of origins lacks this page
├── FixedBySession          the host fixed this for its page
├── NotAMember              the staff user has no membership of the tenant
├── PasswordOfSetup         the staff user never changed the password that a setup made
├── CsrfFailed           a staff call without the token of its page
├── RoleNotAllowed          a viewer tried to change something
├── PublisherRequired       an editor tried to publish
├── SecondPersonNeeded      the caller prepared what another person has to approve
└── EntitlementRequired     this very key lacks an entitlement
"""

from collections.abc import Iterable
from typing import Any

from common.errors import NotAllowed, NotAuthenticated
from common.wording.messages import Message


class LicenseMissing(NotAuthenticated):
    """Send the license key as `Authorization: Bearer <LICENSE_KEY>`."""

    code = "license_missing"


class LicenseMalformed(NotAuthenticated):
    """This is not a license key."""

    code = "license_malformed"


class LicenseRejected(NotAuthenticated):
    """The engine does not accept the license key."""

    code = "license_rejected"


class LicenseExpired(NotAuthenticated):
    """The license key has expired."""

    code = "license_expired"


class LicenseRevoked(NotAuthenticated):
    """The license key was revoked."""

    code = "license_revoked"


class SessionEnded(NotAuthenticated):
    """The session of this page has ended. Ask the host's server for a new one."""

    code = "session_ended"


class SessionMissing(NotAuthenticated):
    """Log in to the admin first."""

    code = "session_missing"


class OriginNotAllowed(NotAllowed):
    """The license key may not be used by a page of this origin."""

    code = "origin_not_allowed"


class PageKeyNotAllowed(NotAllowed):
    """A page key may not do this. Use a full license key on a server."""

    code = "page_key_not_allowed"


class FixedBySession(NotAllowed):
    """This page may not import this way. Contact its owner."""

    code = "fixed_by_session"


class RightRequired(NotAllowed):
    """The host's server did not grant this page that right."""

    code = "right_required"

    def __init__(self, rights: list[str], **members: Any) -> None:
        named = " and ".join(rights)
        super().__init__(
            "right_required.named", rights=named, members={"rights": rights, **members}
        )


class NotAMember(NotAllowed):
    """Your login is not a member of this tenant."""

    code = "not_a_member"


class CsrfFailed(NotAllowed):
    """The X-CSRFToken header is missing or wrong."""

    code = "csrf_failed"


class PasswordOfSetup(NotAllowed):
    """Change your initial password in the admin first."""

    code = "password_of_setup"


class RoleNotAllowed(NotAllowed):
    """Your role for this tenant is read-only."""

    code = "role_not_allowed"


class PermissionRequired(NotAllowed):
    """Your groups do not allow this. Ask an administrator."""

    code = "permission_required"

    def __init__(self, permission: str) -> None:
        if permission:
            super().__init__(members={"permission": permission})
        else:
            super().__init__("permission_required.staff")


class PublisherRequired(NotAllowed):
    """Your groups may not publish or retire catalogs. Ask a publisher."""

    code = "publisher_required"


class SecondPersonNeeded(NotAllowed):
    """You prepared this. Have another person approve it."""

    code = "second_person_needed"


class EntitlementRequired(NotAllowed):
    """The license key lacks an entitlement."""

    code = "entitlement_required"

    def __init__(self, entitlement: str, pointers: Iterable[str] = ()) -> None:
        beyond = Message("entitlement_required.beyond", entitlement=entitlement)
        errors = [{"pointer": pointer, "detail": beyond} for pointer in pointers]
        super().__init__(
            "entitlement_required.named",
            entitlement=entitlement,
            members={"entitlement": entitlement} | ({"errors": errors} if errors else {}),
        )
