"""
Sign-ins in the audit log, and a limit on guessing a second factor.

The lines belong to no tenant: superusers see them under Events. A name that was typed is not kept
unless it is that of a person, since people type passwords into the wrong field.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from common import clock, events
from common.actors import ENGINE, Actor
from common.secrets import SecretUnreadable
from licensing.selectors import actor_of
from licensing.throttle import cache_errors, counter

WINDOW_S = 15 * 60
OF_A_PERSON = 10  # wrong codes or passwords of one person
OF_THE_ENGINE = ""  # lines that belong to no tenant
UNKNOWN = "unknown"
UNCOUNTED = "Codes cannot be checked right now. Try again in a minute."
UNREADABLE = "This code cannot be checked: an encryption key is missing. Ask the operator."


def note(
    kind: events.Kind,
    user: AbstractBaseUser | None,
    *,
    about: Mapping[str, Any] | None = None,
    actor: Actor | None = None,
) -> None:
    """Write a line about a person; ``actor`` is who did it, if not they themselves."""
    events.note(
        tenant=OF_THE_ENGINE,
        kind=kind,
        subject=f"user:{user.pk}" if user is not None else UNKNOWN,
        actor=actor or (actor_of(user) if user is not None else ENGINE),
        at=clock.now(),
        about=about,
    )


def note_refused(
    reason: str, user: AbstractBaseUser | None = None, request: HttpRequest | None = None
) -> None:
    """Write that a sign-in was refused; the address only where the operator wants addresses."""
    about = {"reason": reason}
    if settings.LOG_ADDRESSES and request is not None:
        about["address"] = request.META.get("REMOTE_ADDR", "")
    note("person.refused", user, about=about, actor=ENGINE)


def person_named(name: str) -> User | None:
    """Return the person with this user name, or None."""
    return User.objects.filter(username=name[:150]).first()


@contextmanager
def guessing(user: AbstractBaseUser, reason: str) -> Iterator[None]:
    """Count a try to confirm who one is; a wrong one is noted, too many are refused."""
    key = f"confirm:{user.pk}:{clock.now().timestamp() // WINDOW_S:.0f}"
    tries = counter.count(key, lasting_s=2 * WINDOW_S)
    if tries > OF_A_PERSON:
        raise ValidationError("Too many tries. Wait 15 minutes.", code="too_many_tries")
    if reason == "code" and not tries:  # without the cache a code would serve twice
        raise ValidationError(UNCOUNTED, code="cache")
    try:
        yield
    except cache_errors() as error:
        raise ValidationError(UNCOUNTED, code="cache") from error
    except SecretUnreadable as error:
        raise ValidationError(UNREADABLE, code="secret_unreadable") from error
    except ValidationError:
        note_refused(reason, user)
        raise
    counter.take_back(key)


def rights_of(user: User) -> set[str]:
    """Return a person's rights, as the audit log names them."""
    held = {f"group {name}" for name in user.groups.values_list("name", flat=True)}
    roles = user.memberships.values_list("role", "tenant__public_id")
    held |= {f"{role} of {tenant}" for role, tenant in roles}
    given = user.user_permissions.values_list("content_type__app_label", "codename")
    held |= {f"permission {app}.{name}" for app, name in given}
    marks = {
        "superuser": user.is_superuser,
        "staff": user.is_staff,
        "turned off": not user.is_active,
    }
    return held | {mark for mark, is_set in marks.items() if is_set}


@contextmanager
def rights_noted(people: Iterable[User], *, actor: Actor) -> Iterator[None]:
    """Write which rights each of these people gets and loses within."""
    before = [(person, rights_of(person)) for person in people]
    yield
    for person, rights in before:
        note_rights(person, rights, actor=actor)


def note_rights(user: User, before: set[str], *, actor: Actor | None = None) -> None:
    """Write which rights a person got and lost since ``before``, if any."""
    after = rights_of(user)
    if before != after:
        about = {"added": sorted(after - before), "removed": sorted(before - after)}
        note("person.rights-changed", user, about=about, actor=actor)
