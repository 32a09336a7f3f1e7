"""States that change only by a declared move, and only from the state that was last read."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models, transaction

from common.actors import ENGINE, Actor
from common.errors import IllegalMove, StaleState
from common.models import Move
from common.work.life import Detail, tell

REASON_LENGTH = 500


class StatefulModel(models.Model):
    """A row with a public id, a state and a version that counts its moves."""

    MOVES: ClassVar[Mapping[str, frozenset[str]]]

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    state = models.CharField(max_length=16)
    version = models.PositiveBigIntegerField(default=0)

    class Meta:
        abstract = True

    def may_move_to(self, state: str) -> bool:
        """Return whether the table of moves allows this one."""
        return state in self.MOVES.get(self.state, frozenset())

    def _why_not(self, state: str) -> str:
        if state == self.state:
            return f"{self.public_id} is already {state}."
        return f"{self.public_id} is {self.state} and cannot become {state}."

    def as_read(self) -> "models.QuerySet[Self]":
        """Return this row if it was not moved since it was read."""
        return type(self)._default_manager.filter(pk=self.pk, version=self.version)

    def move_to(
        self, state: str, *, at: datetime, actor: Actor = ENGINE, reason: str = "", **changes: Any
    ) -> Self:
        """
        Move to another state, and change the named columns with it.

        1. Refuse a move the table does not have (IllegalMove).
        2. Update in one statement that compares the version (StaleState).
        3. Write the history row in the same transaction.
        4. Bring this object up to date.
        """
        if not self.may_move_to(state):
            raise IllegalMove(self._why_not(state))
        return self.put(state=state, at=at, actor=actor, reason=reason, **changes)

    def put(
        self, *, state: str, at: datetime, actor: Actor = ENGINE, reason: str = "", **changes: Any
    ) -> Self:
        """
        Move like ``move_to``, whatever the table allows.

        For an undo, which restores the former state. Raise StaleState if the row was moved since it
        was read.
        """
        moved = {**changes, "state": state, "version": self.version + 1}
        with transaction.atomic():
            if self.as_read().update(**moved) != 1:
                raise StaleState(f"{self.public_id} was changed in the meantime. Read it again.")
            Move.objects.create(
                subject=self.public_id,
                from_state=self.state,
                to_state=state,
                version=self.version + 1,
                actor=actor.as_dict(),
                reason=reason[:REASON_LENGTH],
                at=at,
            )
            before = self.state
            for name, value in moved.items():
                setattr(self, name, value)
            self._tell(before, actor)
        return self

    def log_members(self) -> dict[str, Detail]:
        """Return what a log line holds besides ids and states: counts and codes, no name."""
        return {}

    def _tell(self, before: str, actor: Actor) -> None:
        about = {"by": actor.kind, **self.log_members()}
        kind = self._meta.verbose_name_raw
        tell(kind, self.public_id, before=before, after=self.state, about=about)
