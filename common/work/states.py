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

    def _illegal(self, state: str) -> IllegalMove:
        if state == self.state:
            return IllegalMove("illegal_move.already", id=self.public_id, state=state)
        return IllegalMove("illegal_move.from", id=self.public_id, state=self.state, wanted=state)

    def as_read(self) -> "models.QuerySet[Self]":
        """Return this row if it was not moved since it was read."""
        return type(self)._default_manager.filter(pk=self.pk, version=self.version)

    def entered(self, state: str, *, at: datetime, actor: Actor, reason: str) -> dict[str, Any]:
        """
        Return the columns that entering a state decides alone, such as when it was entered.

        They are written in the statement that moves the row, because a constraint may demand them
        in this state and forbid them in every other.
        """
        return {}

    def write(self, **columns: Any) -> None:
        """
        Write columns that belong to a move, in the transaction of that move.

        Raise StaleState if the row was moved since it was read.
        """
        if self.as_read().update(**columns) != 1:
            raise StaleState("stale_state.named", id=self.public_id)
        for name, value in columns.items():
            setattr(self, name, value)

    def move_to(self, state: str, reason: str = "", *, at: datetime, actor: Actor = ENGINE) -> Self:
        """
        Move to another state.

        1. Refuse a move the table does not have (IllegalMove).
        2. Update in one statement that compares the version (StaleState).
        3. Write the history row in the same transaction.
        4. Bring this object up to date.
        """
        if not self.may_move_to(state):
            raise self._illegal(state)
        columns = self.entered(state, at=at, actor=actor, reason=reason)
        return self._move(state, columns, reason, at=at, actor=actor)

    def restore(
        self, state: str, columns: Mapping[str, Any], reason: str, *, at: datetime, actor: Actor
    ) -> Self:
        """
        Return to a former state and its columns, whatever the table allows: for an undo.

        Raise StaleState if the row was moved since it was read.
        """
        return self._move(state, columns, reason, at=at, actor=actor)

    def _move(
        self, state: str, columns: Mapping[str, Any], reason: str, *, at: datetime, actor: Actor
    ) -> Self:
        moved = {**columns, "state": state, "version": self.version + 1}
        with transaction.atomic():
            before = self.state
            self.write(**moved)
            Move.objects.create(
                subject=self.public_id,
                from_state=before,
                to_state=state,
                version=self.version,
                actor=actor.as_dict(),
                reason=reason[:REASON_LENGTH],
                at=at,
            )
            self._tell(before, actor)
        return self

    def log_members(self) -> dict[str, Detail]:
        """Return what a log line holds besides ids and states: counts and codes, no name."""
        return {}

    def _tell(self, before: str, actor: Actor) -> None:
        about = {"by": actor.kind, **self.log_members()}
        kind = self._meta.verbose_name_raw
        tell(kind, self.public_id, before=before, after=self.state, about=about)
