"""
Run the jobs of a file until what is known about their questions changes nothing more.

An import, a dry run, the test of a draft, a sample and the check of a contract are all sinks of
this run; they differ in the source, in what is decided before, and in who remembers answers.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pipeline.decisions import Decisions
from pipeline.kind import text_fingerprint
from pipeline.kinds import FILE_KINDS, VALUE_KINDS, added, chosen_by, undecided, with_fingerprints
from pipeline.recall import Memory, NoMemory, RecalledAnswer, RecalledAnswers
from pipeline.terms import Terms
from tabular.model import i_json
from tabular.model.catalog import Catalog, Context
from tabular.model.issue import NewQuestion
from tabular.model.recipe import Recipe
from tabular.model.sentences import counted
from tabular.protocol.jobs import JobRequest, R
from tabular.protocol.plan import TransformPlan, ValueList
from tabular.protocol.requests import LearnedHeaders, ReadRequest, TransformRequest
from tabular.protocol.results import FileRead, ReadResult, TransformResult

MOST_PASSES = 3  # a remembered table, then its remembered header row, change what is read
Made = TypeVar("Made", ReadResult, TransformResult)


def no_lists(digests: Collection[str]) -> Mapping[str, ValueList]:
    """Know no value list."""
    return {}


class Bench(Protocol):
    """Where jobs run."""

    def run(self, name: str, request: JobRequest[R], /) -> tuple[R, Path]:
        """Run a job; return its result and the folder of its files."""
        ...


class Resolve(Protocol):
    """What finds the entities that the references of transformed rows name."""

    def __call__(
        self, plan: TransformPlan, made: Path, result: TransformResult, bench: Bench, /
    ) -> TransformResult:
        """Return the result with the references of the rows in ``made`` resolved."""
        ...


class Source(Protocol[Made]):
    """What is run, and which answers change what comes of it."""

    def carry_out(self, decisions: Decisions, bench: Bench) -> tuple[Made, Path]:
        """Run the jobs once."""
        ...

    def questions(self, made: Made, decisions: Decisions, memory: Memory) -> list[NewQuestion]:
        """Return the questions that remain."""
        ...

    def takes(self, answer: RecalledAnswer) -> bool:
        """Return whether an answer is not among the decisions already."""
        ...

    def keeps(self, question: NewQuestion, known: RecalledAnswers) -> bool:
        """Return whether a question of an earlier pass stays, though it is not asked again."""
        ...

    def further(
        self,
        made: Made,
        decisions: Decisions,
        questions: Sequence[NewQuestion],
        known: RecalledAnswers,
    ) -> Decisions:
        """Return the decisions with what is known about the questions."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[Made]):
    """
    What a run came to.

    decisions: those that the result was made with. questions: by fingerprint, of all passes. known:
    all that is known about them; used: what was known before the last pass.
    """

    result: Made
    out: Path
    decisions: Decisions
    questions: dict[str, NewQuestion]
    known: RecalledAnswers
    used: RecalledAnswers

    @property
    def open(self) -> list[NewQuestion]:
        """The questions that nothing decides."""
        return [
            item
            for key, item in self.questions.items()
            if key not in self.known and not item.decided
        ]


def run(
    source: Source[Made], decisions: Decisions, bench: Bench, memory: Memory | None = None
) -> Outcome[Made]:
    """Run a source, and again while its questions have answers that change what it makes."""
    memory = memory or NoMemory()
    questions: dict[str, NewQuestion] = {}
    known: RecalledAnswers = {}
    for number in range(1, MOST_PASSES + 1):
        made, out = source.carry_out(decisions, bench)
        now, used = source.questions(made, decisions, memory), dict(known)
        recalled = {
            key: answer for key, answer in memory.answers(now).items() if source.takes(answer)
        }
        kept = {key: item for key, item in questions.items() if source.keeps(item, used)}
        questions = kept | {item.fingerprint: item for item in now}
        known = known | recalled
        further = source.further(made, decisions, now, recalled)
        if further == decisions or number == MOST_PASSES:
            break
        decisions = further
    return Outcome(
        result=made, out=out, decisions=decisions, questions=questions, known=known, used=used
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSource:
    """A file as it came: a run reads it into text, and proposes a mapping into a catalog."""

    file: Path
    catalog: Catalog | None = None  # None: a sample
    learned: LearnedHeaders = field(default_factory=LearnedHeaders)
    terms: Terms | None = None  # of a contract

    def carry_out(self, decisions: Decisions, bench: Bench) -> tuple[ReadResult, Path]:
        """Read the file."""
        request = ReadRequest(
            input=str(self.file),
            choices=decisions.choices,
            catalog=self.catalog,
            learned=self.learned,
            most_rows=None if self.terms is None else self.terms.policy.max_rows,
        )
        return bench.run("read", request)

    def questions(
        self, made: ReadResult, decisions: Decisions, memory: Memory
    ) -> list[NewQuestion]:
        """Return the questions about the file that no choice decides, and those about columns."""
        about = undecided(made.questions, choices=decisions.choices, chosen=made.chosen)
        questions = [*about, *(made.proposal.questions if made.proposal else ())]
        key = self.catalog.key if self.catalog else ""
        return with_fingerprints(questions, read=made, catalog_key=key)

    def takes(self, answer: RecalledAnswer) -> bool:
        """Return True: the answer to a question of this file has not become a choice yet."""
        return True

    def keeps(self, question: NewQuestion, known: RecalledAnswers) -> bool:
        """Return whether a question is about the file: another choice ends what depends on it."""
        return question.kind in FILE_KINDS

    def further(
        self,
        made: ReadResult,
        decisions: Decisions,
        questions: Sequence[NewQuestion],
        known: RecalledAnswers,
    ) -> Decisions:
        """Return the decisions with what is known about the file, and what a contract sets."""
        for item in questions:
            if item.kind in FILE_KINDS and item.fingerprint in known:
                value = known[item.fingerprint].value
                choices = chosen_by(item.kind, value, decisions.choices, made)
                decisions = replace(decisions, choices=choices)
        return decisions if self.terms is None else self.terms.followed(decisions, made)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSource:
    """
    The text of a file that was read: a run makes typed rows of it.

    read: where the text was found. keep: positions of restored rows. resolve: finds the entities
    that references name. lists: returns the value lists with some digests.
    """

    text: Path
    catalog: Catalog
    context: Context
    read: FileRead | None = None
    keep: tuple[int, ...] = ()
    resolve: Resolve | None = None
    lists: Callable[[Collection[str]], Mapping[str, ValueList]] = no_lists

    def plan(self, decisions: Decisions) -> TransformPlan:
        """Return the plan of the rows."""
        recipe: Any = decisions.draft.recipe
        table = self.read.table if self.read else None
        return TransformPlan(
            catalog=self.catalog,
            mapping=dict(decisions.draft.mapping),
            recipe=recipe and Recipe.model_validate_json(i_json.write(recipe)),
            answers=decisions.answers,
            context=self.context,
            document=table.document if table else {},
            document_kinds=table.document_kinds if table else {},
            delimiter=table.delimiter if table else None,
            keep=self.keep,
        )

    def carry_out(self, decisions: Decisions, bench: Bench) -> tuple[TransformResult, Path]:
        """Transform and check the rows, and resolve their references."""
        plan = self.plan(decisions)
        lists = self.lists(plan.list_digests)
        request = TransformRequest(input=str(self.text), plan=plan, lists=lists)
        result, out = bench.run("transform", request)
        if self.resolve is not None:
            result = self.resolve(plan, out, result, bench)
        return result, out

    def questions(
        self, made: TransformResult, decisions: Decisions, memory: Memory
    ) -> list[NewQuestion]:
        """Return the questions about values, and those about texts that are remembered."""
        key = self.catalog.key
        questions = with_fingerprints(made.questions, read=self.read, catalog_key=key)
        known = {item.fingerprint for item in questions}
        texts = {
            text_fingerprint(path, text.value, catalog_key=key): (path, text)
            for path, unmatched in made.unmatched.items()
            for text in unmatched
        }
        for name in memory.remembers(texts.keys() - known):
            path, text = texts[name]
            evidence = (text.value, counted(text.count, "row"))
            questions.append(
                NewQuestion(kind="category_value", fingerprint=name, field=path, evidence=evidence)
            )
        return questions

    def takes(self, answer: RecalledAnswer) -> bool:
        """Return whether it comes from another file: this one's own are among the decisions."""
        return answer.is_learned

    def keeps(self, question: NewQuestion, known: RecalledAnswers) -> bool:
        """Return whether a question was decided: the rows no longer raise it."""
        return question.fingerprint in known

    def further(
        self,
        made: TransformResult,
        decisions: Decisions,
        questions: Sequence[NewQuestion],
        known: RecalledAnswers,
    ) -> Decisions:
        """Return the decisions with what is known about values."""
        for item in questions:
            if item.kind in VALUE_KINDS and item.fingerprint in known:
                answers = added(decisions.answers, item, known[item.fingerprint].value)
                decisions = replace(decisions, answers=answers)
        return decisions
