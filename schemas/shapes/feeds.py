"""Feeds on the wire: places where files arrive by themselves."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.wording.messages import Message, english
from feeds.models import LONGEST_NAME, Feed, FeedRun, TakenFile
from imports.advice.held_reasons import REASONS
from mails.models import ADDRESS_LENGTH, Kind
from schemas.modes import ModeField
from schemas.moments import MomentField
from schemas.shapes.sessions import HostMeta
from schemas.shapes.strict import BoundedObject, ListIn, StrictIn
from tabular.model.sentences import LANGUAGES

ACTIONS = ("keep", "move", "rename", "delete")
MOST_FILES = 100  # of one run that are shown


class RulesIn(StrictIn):
    """When an import is applied without a person; a limit that is null is none."""

    apply = serializers.BooleanField(
        default=False, help_text="Whether any import is; otherwise each one waits."
    )
    maxInvalidRows = serializers.IntegerField(
        source="max_invalid_rows",
        required=False,
        allow_null=True,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Rows with errors, which are left out. Without this limit and the next: none.",
    )
    maxInvalidPercent = serializers.FloatField(
        source="max_invalid_percent", required=False, allow_null=True, min_value=0, max_value=100
    )
    maxChangedRows = serializers.IntegerField(
        source="max_changed_rows",
        required=False,
        allow_null=True,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Known records that it would change.",
    )
    maxChangedPercent = serializers.FloatField(
        source="max_changed_percent",
        required=False,
        allow_null=True,
        min_value=0,
        max_value=100,
        help_text="The same, of all that are known.",
    )
    maxMissingRows = serializers.IntegerField(
        source="max_missing_rows",
        required=False,
        allow_null=True,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Known records that no row names. Nothing is deleted; they tell half a file.",
    )
    maxMissingPercent = serializers.FloatField(
        source="max_missing_percent",
        required=False,
        allow_null=True,
        min_value=0,
        max_value=100,
        help_text="The same, of all that are known.",
    )


class AfterTakingIn(StrictIn):
    """What happens to a file at its place once its import is stored."""

    action = serializers.ChoiceField(choices=ACTIONS, default="keep")
    to = serializers.CharField(
        required=False,
        max_length=200,
        help_text="The folder to move it to, or the suffix to rename it with.",
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Require a folder or a suffix where one is needed, and refuse one where none is."""
        needs = given["action"] in {"move", "rename"}
        if needs != bool(given.get("to")):
            sentence = "{member} is for move and rename, and both need it."
            raise serializers.ValidationError({"to": [sentence]})
        return super().validate(given)


class SenderIn(StrictIn):
    """The person who sends the files: what they hear by mail, and what they may correct."""

    address = serializers.EmailField(
        required=False,
        allow_blank=True,
        default="",
        max_length=ADDRESS_LENGTH,
        help_text="A mail address. Absent, at a mailbox that proves senders: of each mail its own.",
    )
    language = serializers.ChoiceField(
        choices=list(LANGUAGES), default=LANGUAGES[0], help_text="The language of the mails."
    )
    mails = ListIn(
        child=serializers.ChoiceField(choices=Kind.choices),
        default=list,
        max_length=len(Kind),
        help_text="What they hear of: a file that waits, failed or is done, and a daily digest.",
    )
    corrects = serializers.BooleanField(
        default=False,
        help_text="Whether they get a link to correct rows with errors.",
    )


class FeedChangeIn(StrictIn):
    """What may be changed of a feed; what is absent stays as it is."""

    name = serializers.CharField(required=False, max_length=LONGEST_NAME)
    catalogKey = serializers.CharField(
        source="catalog_key", required=False, max_length=200, trim_whitespace=False
    )
    scope = serializers.CharField(
        required=False,
        max_length=200,
        allow_blank=True,
        trim_whitespace=False,
        help_text="One customer of the host, whose remembered mappings are used.",
    )
    meta = HostMeta(
        required=False, allow_null=True, help_text="Delivered with each import. At most 16 KiB."
    )
    settings = BoundedObject(
        required=False,
        help_text="Where the files are, by kind. sftp: host, user, port, folder, pattern. s3: "
        "endpoint, region, bucket, prefix, pattern. https: url, auth. imap: host, user, folder, "
        "senders.",
    )
    secret = BoundedObject(
        required=False,
        write_only=True,
        help_text="What signs in; it is encrypted and never shown. Send it again with another "
        "place.",
    )
    schedule = serializers.CharField(
        required=False,
        max_length=120,
        help_text="A cron expression of five fields: minute, hour, day, month, day of the week.",
    )
    timeZone = serializers.CharField(
        source="time_zone", required=False, max_length=64, help_text="Such as Europe/Berlin."
    )
    rules = RulesIn(required=False)
    afterTaking = AfterTakingIn(source="after_taking", required=False)
    profileId = serializers.CharField(
        source="profile_id",
        required=False,
        max_length=40,
        allow_blank=True,
        help_text="The remembered mapping and recipe that its files use. Blank: that of their "
        "header.",
    )
    sender = SenderIn(required=False, allow_null=True)


class FeedIn(FeedChangeIn):
    """A new feed."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    kind = serializers.ChoiceField(choices=Feed.Kind.choices)
    catalogKey = serializers.CharField(source="catalog_key", max_length=200, trim_whitespace=False)
    settings = BoundedObject(help_text=FeedChangeIn._declared_fields["settings"].help_text)
    schedule = serializers.CharField(
        max_length=120, help_text=FeedChangeIn._declared_fields["schedule"].help_text
    )


class FeedPatchIn(FeedChangeIn):
    """A change of a feed."""

    hostKey = serializers.CharField(
        source="host_key",
        required=False,
        max_length=0,
        allow_blank=True,
        allow_null=True,
        help_text="Empty or null forgets the pinned host key: the next one is pinned.",
    )


class RulesOut(serializers.Serializer[Any]):
    """When an import is applied without a person."""

    apply = serializers.BooleanField(default=False)
    maxInvalidRows = serializers.IntegerField(
        source="max_invalid_rows", default=None, allow_null=True
    )
    maxInvalidPercent = serializers.FloatField(
        source="max_invalid_percent", default=None, allow_null=True
    )
    maxChangedRows = serializers.IntegerField(
        source="max_changed_rows", default=None, allow_null=True
    )
    maxChangedPercent = serializers.FloatField(
        source="max_changed_percent", default=None, allow_null=True
    )
    maxMissingRows = serializers.IntegerField(
        source="max_missing_rows", default=None, allow_null=True
    )
    maxMissingPercent = serializers.FloatField(
        source="max_missing_percent", default=None, allow_null=True
    )


class AfterTakingOut(serializers.Serializer[Any]):
    """What happens to a file at its place."""

    action = serializers.ChoiceField(choices=ACTIONS, default="keep")
    to = serializers.CharField(default="", allow_blank=True)


class SenderOut(serializers.Serializer[Any]):
    """The person who sends the files."""

    address = serializers.CharField(allow_blank=True, help_text="Blank: of each mail its own.")
    language = serializers.ChoiceField(choices=list(LANGUAGES))
    mails = serializers.ListField(child=serializers.ChoiceField(choices=Kind.choices))
    corrects = serializers.BooleanField()


class FeedProblemOut(serializers.Serializer[Any]):
    """What is wrong at a place or with a file, in words."""

    code = serializers.CharField()
    detail = serializers.CharField()


class FeedReasonOut(FeedProblemOut):
    """Why an import of a feed waits, with the figures behind it where it is not usual."""

    column = serializers.CharField(
        allow_null=True, help_text="The header of the column it is about; null without one."
    )
    before = serializers.DictField(
        allow_null=True, help_text="The figures of earlier files; null for another reason."
    )
    after = serializers.DictField(
        allow_null=True, help_text="Those of this file, under the same names."
    )


class FeedOut(serializers.Serializer[Any]):
    """One feed; its secret is never part of it."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Feed.State.choices)
    mode = ModeField()
    health = serializers.ChoiceField(
        choices=Feed.Health.choices, help_text="How the last run ended; new: none has."
    )
    failures = serializers.IntegerField(help_text="How often in a row its place could not be read.")
    kind = serializers.ChoiceField(choices=Feed.Kind.choices)
    catalogKey = serializers.CharField(source="catalog_key")
    scope = serializers.CharField(allow_blank=True)
    meta = serializers.JSONField(allow_null=True)
    settings = serializers.DictField()
    hasSecret = serializers.SerializerMethodField()
    hostKey = serializers.CharField(
        source="host_key", allow_blank=True, help_text="That of an SFTP server, once it was seen."
    )
    schedule = serializers.CharField()
    timeZone = serializers.CharField(source="time_zone")
    rules = RulesOut()
    afterTaking = AfterTakingOut(source="after_taking")
    profileId = serializers.CharField(source="profile_id", allow_blank=True)
    sender = SenderOut(allow_null=True, help_text="Null: only staff get mails.")
    nextRunAt = MomentField(source="due_at", allow_null=True, help_text="Null while it is paused.")
    nextRunWhy = serializers.ChoiceField(source="due_why", choices=Feed.Why.choices)
    lastRunAt = MomentField(source="last_run_at", allow_null=True)
    createdAt = MomentField(source="created_at")

    def get_hasSecret(self, feed: Feed) -> bool:  # noqa: N802 - camelCase is the schemas
        """Return whether it signs in."""
        return bool(feed.secret)


class FeedFileOut(serializers.Serializer[Any]):
    """A file of a run."""

    path = serializers.CharField()
    size = serializers.IntegerField(allow_null=True)
    modifiedAt = MomentField(source="modified", allow_null=True)
    outcome = serializers.ChoiceField(
        choices=[choice for choice in TakenFile.Outcome.choices if choice[0]]
    )
    recordId = serializers.SerializerMethodField()
    problem = serializers.SerializerMethodField()

    def get_recordId(self, file: TakenFile) -> str | None:  # noqa: N802 - camelCase is the schemas
        """Name its import, where it has one."""
        return file.record.public_id if file.record else None

    @extend_schema_field(FeedProblemOut(allow_null=True))
    def get_problem(self, file: TakenFile) -> dict[str, str] | None:
        """Return why it cannot be imported."""
        return worded(file.problem)


class FeedRunOut(serializers.Serializer[Any]):
    """One look at the place of a feed."""

    id = serializers.CharField(source="public_id")
    why = serializers.ChoiceField(choices=Feed.Why.choices)
    dueAt = MomentField(source="due_at")
    startedAt = MomentField(source="started_at")
    endedAt = MomentField(source="ended_at", allow_null=True)
    outcome = serializers.ChoiceField(choices=FeedRun.Outcome.choices)
    counts = serializers.DictField(child=serializers.IntegerField())
    problem = serializers.SerializerMethodField()
    files = serializers.SerializerMethodField()

    @extend_schema_field(FeedProblemOut(allow_null=True))
    def get_problem(self, run: FeedRun) -> dict[str, str] | None:
        """Return why it failed."""
        return worded(run.problem)

    @extend_schema_field(FeedFileOut(many=True))
    def get_files(self, run: FeedRun) -> list[dict[str, Any]]:
        """Return its files, the first hundred."""
        return list(FeedFileOut(list(run.files.all())[:MOST_FILES], many=True).data)


class FeedTestOut(serializers.Serializer[Any]):
    """What a test of a connection showed."""

    ok = serializers.BooleanField()
    problems = FeedProblemOut(many=True)
    hostKey = serializers.CharField(
        allow_blank=True, help_text="That of an SFTP server; it is pinned now."
    )


def worded(problem: dict[str, Any] | None) -> dict[str, str] | None:
    """Return a stored problem in words; a code without words stays alone."""
    if problem is None:
        return None
    code, params = problem["code"], problem.get("params", {})
    return {"code": code, "detail": problem.get("detail") or _sentence(code, params)}


def reasons_in_words(reasons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return why an import is held, in words, and the figures of both sides."""
    return [
        {
            "code": reason["code"],
            "detail": _sentence(REASONS.get(reason["code"], reason["code"]), reason),
            "column": reason.get("column") or None,
            "before": reason.get("figures", {}).get("before"),
            "after": reason.get("figures", {}).get("after"),
        }
        for reason in reasons
    ]


def _sentence(key: str, params: dict[str, Any]) -> str:
    from common.http.language import current_language

    if key not in english().templates:
        return key
    return Message(key, **params).text(current_language())
