"""The wire shapes of contracts; the bundle itself is the text that was sealed."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from contracts.bundle import Bundle
from contracts.comparison import Change, is_breaking
from contracts.customer import customer_of
from contracts.models import IssuedContract, SigningKey
from contracts.selectors import Affected
from contracts.signing import Opened
from imports.models import ImportRecord
from schemas.localized import LocalizedProblem, LocalizedReport
from schemas.moments import MomentField
from schemas.shapes.context import CustomerIn
from schemas.shapes.new_imports import UploadField
from schemas.shapes.strict import JsonObject, ListIn, StrictIn
from tabular.model import i_json
from tabular.model.i_json import MAX_SAFE_INTEGER
from tabular.model.policy import encoding_names, is_encoding
from tabular.model.sentences import coded


@extend_schema_field(
    {
        "type": "string",
        "enum": encoding_names(),
        "description": "The name of an encoding; its other names, such as UTF8, are taken too.",
    }
)
class EncodingField(serializers.CharField):
    """The name of an encoding of text."""

    def to_internal_value(self, data: Any) -> str:
        """Refuse a name that no file could ever have."""
        name = super().to_internal_value(data)
        if not is_encoding(name):
            raise serializers.ValidationError(coded("Unknown encoding: {name}.", name=name[:40]))
        return name


class PolicyIn(StrictIn):
    """What a file must be before its rows are looked at."""

    requiredColumns = ListIn(
        required=False,
        max_length=5_000,
        child=serializers.CharField(trim_whitespace=False, allow_blank=True),
        help_text="When absent: the profile's columns that feed required fields.",
    )
    maxRows = serializers.IntegerField(required=False, min_value=1, max_value=MAX_SAFE_INTEGER)
    encodings = ListIn(required=False, max_length=200, child=EncodingField())


class ExportIn(CustomerIn):
    """The settings of a new contract; each member is optional."""

    secondPerson = None  # type: ignore[assignment]  # a contract says nothing of who approves
    catalogKey = serializers.CharField(required=False, max_length=200, trim_whitespace=False)
    catalogVersion = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    profileId = serializers.CharField(required=False, max_length=40)
    title = serializers.CharField(
        required=False, max_length=200, allow_blank=True, trim_whitespace=False
    )
    policy = PolicyIn(required=False)
    expiresAt = serializers.DateTimeField(
        required=False, help_text="Lies ahead, or the answer is 409 `never_in_force`."
    )
    allowValues = serializers.BooleanField(
        required=False, default=False, help_text="A recipe may quote texts of cells."
    )


class ContractOut(serializers.Serializer[IssuedContract]):
    """A contract that was issued, without its bundle."""

    contractId = serializers.CharField(source="contract_id")
    title = serializers.CharField(allow_blank=True)
    catalogKey = serializers.CharField(source="catalog_version.catalog.key")
    catalogVersion = serializers.IntegerField(source="catalog_version.number")
    profileId = serializers.CharField(source="profile_id", allow_blank=True)
    overlayDigest = serializers.CharField(
        source="overlay_digest",
        allow_blank=True,
        help_text="Of a contract for one customer the digest of its overlay; else empty.",
    )
    keyId = serializers.CharField(source="key.kid")
    keyRevoked = serializers.SerializerMethodField()
    createdAt = MomentField(source="created_at")
    expiresAt = MomentField(source="expires_at", allow_null=True)

    def get_keyRevoked(self, issued: IssuedContract) -> bool:  # noqa: N802 - camelCase is the schemas
        """Return whether the signing key was revoked, which ends the contract."""
        return issued.key.revoked_at is not None


class SigningKeyOut(serializers.Serializer[SigningKey]):
    """A signing key, its public half apart."""

    keyId = serializers.CharField(source="kid")
    createdAt = MomentField(source="created_at")
    retiredAt = MomentField(source="retired_at", allow_null=True)
    revokedAt = MomentField(source="revoked_at", allow_null=True)


class VerifiedOut(serializers.Serializer[Opened]):
    """A contract that was verified."""

    verified = serializers.SerializerMethodField()
    contractId = serializers.CharField(source="contract.id")
    title = serializers.CharField(source="contract.title", allow_blank=True)
    tenantId = serializers.CharField(source="contract.issuer.tenant")
    keyId = serializers.CharField(source="bundle.key_id")
    overlayDigest = serializers.SerializerMethodField(
        help_text="Of a contract for one customer the digest of its overlay."
    )
    createdAt = serializers.CharField(source="contract.created_at")
    expiresAt = serializers.CharField(source="contract.expires_at", allow_null=True)

    def get_overlayDigest(self, opened: Opened) -> str | None:  # noqa: N802 - camelCase is the schemas
        """Return the digest; None for a contract for every customer."""
        return customer_of(opened.contract.profile.recipe).digest

    def get_verified(self, opened: Opened) -> bool:
        """It was, or the answer is a problem."""
        return True


@extend_schema_field({})
class AnyJson(serializers.Field[Any, Any, Any, Any]):
    """Any JSON."""

    def to_representation(self, value: Any) -> Any:
        """Return the value unchanged."""
        return value


class ChangeOut(serializers.Serializer[Change]):
    """One difference between two contracts."""

    place = serializers.CharField(help_text="A field path, or a part of the contract.")
    member = serializers.CharField(allow_blank=True, help_text="Empty: the whole field.")
    kind = serializers.ChoiceField(["added", "removed", "changed"])
    breaking = serializers.BooleanField(
        help_text="Whether a file that was accepted may now be refused."
    )
    before = AnyJson(allow_null=True)
    after = AnyJson(allow_null=True)


class DiffOut(serializers.Serializer[Any]):
    """How a contract differs from another."""

    breaking = serializers.SerializerMethodField()
    changes = ChangeOut(many=True)

    def get_breaking(self, diff: Any) -> bool:
        """Return whether any change is breaking."""
        return is_breaking(diff["changes"])


@extend_schema_field(Bundle)  # type: ignore[arg-type]  # of pydantic, which the generator takes
class BundleField(serializers.Field[Any, Any, Any, Any]):
    """A bundle as text, which a multipart form needs, or as the object it is."""

    def to_internal_value(self, data: Any) -> bytes:
        """Return its text."""
        return (data if isinstance(data, str) else i_json.write(data)).encode()


KEY_SET: dict[str, Any] = {
    "type": "object",
    "description": "The issuer's JWKS, for a bundle of another issuer; public keys only.",
    "required": ["keys"],
    "properties": {
        "keys": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"kid": {"type": "string"}},
            },
        }
    },
}


@extend_schema_field(KEY_SET)
class KeysField(JsonObject):
    """A JWKS of public keys; a multipart form sends it as text."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Refuse a value that is not a JWKS."""
        value: dict[str, Any] = super().to_internal_value(data)
        keys = value.get("keys")
        if not isinstance(keys, list) or not all(map(_is_key, keys)):
            raise serializers.ValidationError(
                "{member} must be a JWKS: an object with a list of keys."
            )
        return value


def _is_key(key: Any) -> bool:
    return isinstance(key, dict) and isinstance(key.get("kid", ""), str)


class AboutCheck(StrictIn):
    """Which contract a file is checked against."""

    contractId = serializers.CharField(required=False, max_length=71)
    bundle = BundleField(required=False)
    keys = KeysField(required=False)
    allowPinMismatch = serializers.BooleanField(required=False, default=False)
    filename = serializers.CharField(required=False, max_length=255, trim_whitespace=False)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse a check against nothing."""
        if not {"contractId", "bundle"} & given.keys():
            raise serializers.ValidationError("Name a contract by contractId, or send its bundle.")
        return given


BY_ID_OR_BUNDLE = {"anyOf": [{"required": [item]} for item in ("contractId", "bundle")]}


class CheckIn(AboutCheck):
    """A check of a text."""

    text = serializers.CharField(trim_whitespace=False)

    schema: ClassVar = BY_ID_OR_BUNDLE


class CheckUpload(AboutCheck):
    """A check of a file as multipart/form-data."""

    file = UploadField(required=False, allow_empty_file=True)

    schema: ClassVar = {"required": ["file"], **BY_ID_OR_BUNDLE}


CHECK_STATES = ["reading", "checked", "failed", "cancelled"]


class CheckOut(serializers.Serializer[ImportRecord]):
    """A check: its state, then its report or what kept it from having one."""

    checkId = serializers.CharField(source="public_id")
    contractId = serializers.CharField(source="contract_id")
    state = serializers.ChoiceField(choices=CHECK_STATES)
    accepted = serializers.SerializerMethodField()
    report = LocalizedReport(allow_null=True)
    problem = LocalizedProblem(allow_null=True)
    createdAt = MomentField(source="created_at")

    def get_accepted(self, record: ImportRecord) -> bool | None:
        """Return whether the file keeps the contract; None while the check is running."""
        return None if record.report is None else bool(record.report["accepted"])


class AffectedOut(serializers.Serializer[Affected]):
    """A contract in force, and how a draft of its catalog differs from it."""

    contractId = serializers.CharField(source="issued.contract_id")
    title = serializers.CharField(source="issued.title", allow_blank=True)
    expiresAt = MomentField(source="issued.expires_at", allow_null=True)
    breaking = serializers.SerializerMethodField()
    changes = ChangeOut(many=True)

    def get_breaking(self, affected: Affected) -> bool:
        """Return whether the draft may refuse a file that keeps the contract."""
        return is_breaking(affected.changes)
