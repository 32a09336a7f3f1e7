"""Tenants, their licenses, and the staff who may act for them."""

from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models

from common.json_text import JsonTextField

TEST_SUFFIX = ".test"  # no key may name a tenant with a dot
MODES = LIVE, TEST = ("live", "test")


class Tenant(models.Model):
    """One company on this engine; created at minting or by the first accepted key."""

    public_id = models.CharField(max_length=64, unique=True)  # a key's ``sub``, maybe foreign
    label = models.CharField(max_length=200, blank=True)
    shows_models_samples = models.BooleanField(
        "masked samples for models",
        default=False,
        help_text="A model that the operator named may see the form of some values.",
    )
    retention_days = models.PositiveSmallIntegerField(
        "days of retention",
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Delete imports after so many days without an event; never later than "
        "IMPORT_RETENTION_DAYS.",
    )
    test_of = models.OneToOneField(  # whose test keys it has; its rows are apart from live ones
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="test_side"
    )
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        named = self.label or self.host_id
        return f"{named} (test)" if self.is_test else named

    @property
    def is_test(self) -> bool:
        """Return whether its rows were made with test keys."""
        return self.test_of_id is not None

    @property
    def mode(self) -> str:
        """``live`` or ``test``, as hosts see it."""
        return TEST if self.is_test else LIVE

    @property
    def host_id(self) -> str:
        """The id that keys, hosts and receivers know, live and test."""
        return self.public_id.removesuffix(TEST_SUFFIX)

    @property
    def owner(self) -> "Tenant":
        """The tenant whose catalogs it uses."""
        return self.test_of or self


class Logo(models.Model):
    """The picture of a tenant, for mails and for pages without one of their own."""

    tenant = models.OneToOneField(Tenant, on_delete=models.CASCADE, related_name="logo_row")
    picture = models.TextField()  # a data URI: licensing.logo

    def __str__(self) -> str:
        return f"logo of {self.tenant_id}"


class License(models.Model):
    """What is stored about a license key: its id and claims, never the key itself."""

    public_id = models.CharField(max_length=64, unique=True)  # the key's ``jti``
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="licenses")
    label = models.CharField(max_length=120, blank=True)  # a name for people
    plan = models.CharField(max_length=40, blank=True)
    entitlements = models.JSONField(default=dict)
    origins = models.JSONField(default=list)
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    key_sha256 = models.CharField(max_length=64, blank=True)  # of a key that was minted here
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_reason = models.CharField(max_length=200, blank=True)

    def __str__(self) -> str:
        return self.label or self.public_id


class Membership(models.Model):
    """A staff user who may act for a tenant in the browser."""

    class Role(models.TextChoices):
        """What a member may do."""

        EDITOR = "editor"  # edits and publishes catalogs
        VIEWER = "viewer"  # read-only

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role, default=Role.EDITOR)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["user", "tenant"], name="a_user_is_a_member_of_a_tenant_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.tenant}"


class SetupPassword(models.Model):
    """A password created by setup, valid as a record until the user changes it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="setup_password"
    )
    password = models.CharField(max_length=128)  # hashed, like the user's own

    def __str__(self) -> str:
        return str(self.user)


class PageSession(models.Model):
    """What a host's server lets one page do for some time; the page has its token."""

    class ApplyMode(models.TextChoices):
        """Where applied rows are sent."""

        WEBHOOK = "webhook"  # to the registered webhooks
        BROWSER = "browser"  # to the page

    public_id = models.CharField(max_length=40, unique=True)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="page_sessions")
    license = models.ForeignKey(License, on_delete=models.CASCADE, related_name="page_sessions")
    token_sha256 = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=200, blank=True)  # one customer of the host
    own_only = models.BooleanField(default=False)  # reaches no import that another page started
    corrects = models.CharField(max_length=40, blank=True, db_default="")  # the only import it has
    meta = JsonTextField(null=True, blank=True)  # the host's data about the imports
    catalog_key = models.CharField(max_length=200, blank=True)  # blank: any published catalog
    catalog_number = models.PositiveIntegerField(null=True)  # its version, if an overlay needs one
    region = models.CharField(max_length=2, blank=True)  # for phone numbers without a country
    context = JsonTextField(null=True, blank=True)  # defaults and options of every import
    overlay = JsonTextField(null=True, blank=True)  # what else is special: imports.customization
    keep_unmapped = models.BooleanField(null=True)  # null: as each import asks
    apply_mode = models.CharField(max_length=8, choices=ApplyMode, default=ApplyMode.WEBHOOK)
    invalid_rows = models.JSONField(default=list)  # what may be done to rows with errors
    rights = models.JSONField(default=list)  # what else the page may do, by name
    origin = models.CharField(max_length=220, blank=True)  # blank: a page of any origin
    actor_id = models.CharField(max_length=120, blank=True)  # the host's id of the person
    actor_label = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "-public_id"], name="page_sessions_of_a_tenant")
        ]

    def __str__(self) -> str:
        return self.public_id
