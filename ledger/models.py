"""Questions, remembered answers, and what models said. Spec: What the service does (7)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from common.actors import Actor
from common.json_text import JsonTextField, WordedJsonField
from common.work.states import StatefulModel
from licensing.models import Tenant


class Question(StatefulModel):
    """One decision about one subject that the engine does not make alone."""

    class State(models.TextChoices):
        """The state of a question."""

        OPEN = "open"  # waits for an answer
        ANSWERED = "answered"  # by a person, an agent, or a remembered answer
        DISMISSED = "dismissed"  # left undecided: the default applies
        SUPERSEDED = "superseded"  # no longer asked

    S = State
    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        S.OPEN: frozenset({S.ANSWERED, S.DISMISSED, S.SUPERSEDED}),
        S.ANSWERED: frozenset({S.ANSWERED}),  # the answer may be changed
        S.DISMISSED: frozenset({S.ANSWERED, S.SUPERSEDED}),  # the engine dismisses too
    }

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="questions")
    subject = models.CharField(max_length=40, db_index=True)  # public id of what it is about
    kind = models.CharField(max_length=24)
    blocking = models.BooleanField(default=False)
    field = models.TextField(blank=True)  # field path, if it is about one
    columns = JsonTextField(default=list)
    candidates = WordedJsonField(default=list)  # [{value, label, score, effect, reason}]
    evidence = WordedJsonField(default=list)
    default = JsonTextField(null=True, blank=True)
    fingerprint = models.CharField(max_length=64)  # equal for the same question asked again
    asked_at = models.DateTimeField()
    answer = JsonTextField(null=True, blank=True)
    answered_by = JsonTextField(null=True, blank=True)  # an Actor
    answered_at = models.DateTimeField(null=True, blank=True)
    remember = models.BooleanField(default=True)  # whether the answer is kept once it is applied
    given = JsonTextField(null=True, blank=True)  # {by, at}: who gave it first, where one confirmed
    learned_from = models.CharField(max_length=40, blank=True)  # public id of the Answer reused
    recalled = JsonTextField(null=True, blank=True)  # of one given for another import: see Recalled

    def entered(self, state: str, *, at: datetime, actor: Actor, reason: str) -> dict[str, Any]:
        """Return who answered the question, and when."""
        if state != self.State.ANSWERED:
            return {}
        return {"answered_by": actor.as_dict(), "answered_at": at}

    @property
    def in_force(self) -> Any:
        """The value that an answered question has, else its default."""
        return self.answer if self.state == self.State.ANSWERED else self.default

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["asked_at"], name="open_questions", condition=Q(state="open")),
            models.Index(
                fields=["tenant", "-id"],
                name="questions_about_options",
                condition=Q(kind="category_value"),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "fingerprint"],
                condition=~Q(state="superseded"),
                name="a_question_is_asked_once",
            ),
            models.CheckConstraint(
                condition=~Q(state="answered") | Q(answered_at__isnull=False),
                name="an_answered_question_says_when",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


class Answer(models.Model):
    """An answer that a tenant's later imports reuse, until it is forgotten."""

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="answers")
    scope = models.CharField(max_length=200, blank=True)  # one customer of the host; blank: all
    kind = models.CharField(max_length=24)
    fingerprint = models.CharField(max_length=64)
    field = models.TextField(blank=True)
    columns = JsonTextField(default=list)
    evidence = WordedJsonField(default=list)
    value = JsonTextField(null=True, blank=True)
    answered_by = JsonTextField()
    answered_at = models.DateTimeField()
    given = JsonTextField(null=True, blank=True)  # {by, at}: who gave it first, where not the same
    taught_by = JsonTextField(default=list)  # public ids of the subjects that taught this value

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "kind", "-id"], name="answers_of_a_kind")
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["tenant", "scope", "kind", "fingerprint"], name="an_answer_is_kept_once"
            )
        ]

    def __str__(self) -> str:
        return self.public_id


class ModelAnswer(models.Model):
    """What a language model answered about one subject: kept, so that it is never asked again."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="model_answers")
    subject = models.CharField(max_length=40)  # public id of what it is about
    task = models.CharField(max_length=16)  # what it was asked to propose
    model = models.CharField(max_length=200)
    prompt_digest = models.CharField(max_length=64)
    answer = models.TextField(blank=True)  # as the model wrote it
    proposed = JsonTextField(default=dict)  # what could be read of it
    weight = models.FloatField()  # how much it was worth then
    answered_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "model", "-id"], name="answers_of_a_model")
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject", "prompt_digest"], name="a_model_answers_a_prompt_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.model} about {self.subject}"
