"""The scenes of a rehearsal: what is sent, what the receiver did, and what it should do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from common.ids import PREFIXES, new_id
from deliveries.http.client import Answer
from deliveries.http.connections import NO_ADDRESS
from deliveries.http.signing import new_secret, signature_header
from deliveries.rehearsal.receiver import Receiver
from deliveries.services.attempt import stamp

if TYPE_CHECKING:
    import pyarrow as pa

LARGE_BYTES = 20_000_000
STALE_S = 3_600
TAKE = "Answer 2xx."
REFUSE = "Answer 401 and store nothing."


@dataclass(frozen=True, slots=True)
class Report:
    """
    What came of a scene.

    did: the status and time of each answer. advice: what to change; empty if nothing.
    """

    title: str
    did: str
    should: str
    advice: str = ""

    @property
    def is_right(self) -> bool:
        """Return whether the receiver did what it should."""
        return not self.advice


Outcome = tuple[Sequence[Answer], str]  # the answers, and what to change


@dataclass(frozen=True, slots=True)
class Scene:
    """Something that production sends sooner or later."""

    title: str
    should: str
    play: Callable[[Receiver], Outcome]


def rehearse(receiver: Receiver, scenes: Sequence[Scene] = ()) -> Iterator[Report]:
    """Play the scenes and yield a report of each; if the first one fails, there are no others."""
    for number, scene in enumerate(scenes or SCENES):
        answers, advice = scene.play(receiver)
        did = ", then ".join(_shown(answer) for answer in answers)
        report = Report(scene.title, did, scene.should, advice)
        yield report
        if number == 0 and not report.is_right:
            return


def _ordinary(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample())
    advice = _unless_taken(answer)
    if answer.http_status in {401, 403}:
        advice = "It refuses a genuine delivery: compare its signing secret, verify the raw body."
    return [answer], advice


def _twice(receiver: Receiver) -> Outcome:
    sample = receiver.sample()
    answers = [receiver.send(sample) for _ in range(2)]
    if _is_taken(answers[0]) and not _is_taken(answers[1]):
        return answers, (
            "It refuses a delivery that it has. Answer 200 to a deliveryId that is stored, and "
            "change nothing."
        )
    return answers, _unless_all_taken(answers)


def _at_once(receiver: Receiver) -> Outcome:
    sample = receiver.sample()
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(receiver.send, [sample, sample]))
    if any(_is_taken(answer) for answer in answers) and any(map(_is_final, answers)):
        return answers, (
            "The one that came second got a 4xx, which is final. Put deliveryId under a unique "
            "constraint, and answer 200 when it is violated, or 503 to be asked again."
        )
    if all(_is_taken(answer) for answer in answers):
        return answers, ""
    answers.append(receiver.send(sample))  # as the engine would, after a 5xx
    return answers, _unless_taken(answers[-1])


def _out_of_order(receiver: Receiver) -> Outcome:
    later, earlier = receiver.sample(), receiver.sample(age_s=STALE_S)
    answers = [receiver.send(later), receiver.send(earlier)]
    return answers, _unless_all_taken(answers)


def _parts(receiver: Receiver) -> Outcome:
    """Send the second part of an import before the first."""
    batch = receiver.rows.batch
    half = max(1, batch.num_rows // 2)
    record_id = new_id(PREFIXES["import"])
    parts = [
        receiver.sample(rows=part, record_id=record_id, batch={"index": index, "count": 2})
        for index, part in enumerate((batch.slice(0, half), batch.slice(half)), start=1)
    ]
    answers = [receiver.send(part) for part in reversed(parts)]
    return answers, _unless_all_taken(answers)


def _large(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample(rows=_many(receiver)))
    if answer.http_status == 413:
        return [answer], (
            "Raise the limit for bodies of the receiver and of each proxy before it, or register "
            "with maxRowsPerDelivery."
        )
    return [answer], _unless_taken(answer)


def _many(receiver: Receiver) -> pa.RecordBatch:
    """Return as many rows as make a large body."""
    import numpy as np

    batch = receiver.rows.batch
    bytes_per_row = max(1, len(receiver.sample().body) // max(1, batch.num_rows))
    return batch.take(np.arange(LARGE_BYTES // bytes_per_row) % max(1, batch.num_rows))


def _empty(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample(rows=receiver.rows.batch.slice(0, 0)))
    return [answer], _unless_taken(answer)


def _wrong_signature(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample(), secrets=[new_secret()])
    return [answer], _unless_refused(answer, "another secret signed this")


def _no_signature(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample(), headers={"x-import-signature": None})
    return [answer], _unless_refused(answer, "this has no signature")


def _altered(receiver: Receiver) -> Outcome:
    genuine, other = receiver.sample(), receiver.sample()
    altered = replace(other, body=other.body.replace(b"submit", b"revert", 1))
    t = int(time.time())
    signature = signature_header(receiver.secrets, t=t, body=[genuine.body])
    answer = receiver.send(altered, headers=stamp(t=t, signature=signature))
    return [answer], _unless_refused(answer, "the signature is that of another body")


def _stale(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample(age_s=STALE_S), age_s=STALE_S)
    return [answer], _unless_refused(answer, "an attacker may send an old delivery again")


def _rotation(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample(), secrets=[new_secret(), *receiver.secrets])
    if _is_final(answer):
        return [answer], "Compare every v1 of the signature: during a rotation there are two."
    return [answer], _unless_taken(answer)


def _revert(receiver: Receiver) -> Outcome:
    applied = receiver.sample()
    about = {"changesetId": new_id(PREFIXES["changeset"]), "deliveryId": applied.delivery_id}
    answers = [
        receiver.send(applied),
        receiver.send(receiver.sample(action="revert", reverts=about)),
    ]
    return answers, _unless_all_taken(answers)


def _unknown_member(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample(extra={"rehearsed": [1, {"a": None}]}))
    if _is_final(answer):
        return [answer], "Ignore members that you do not know: new ones may come."
    return [answer], _unless_taken(answer)


def _slow(receiver: Receiver) -> Outcome:
    answer = receiver.send(receiver.sample(), is_slow=True)
    if answer.http_status is None:
        return [answer], "Wait longer for a body, in the receiver and in each proxy before it."
    return [answer], _unless_taken(answer)


def _is_taken(answer: Answer) -> bool:
    return answer.http_status is not None and 200 <= answer.http_status < 300


def _is_final(answer: Answer) -> bool:
    return answer.http_status is not None and 400 <= answer.http_status < 500


def _unless_all_taken(answers: Sequence[Answer]) -> str:
    return next(filter(None, map(_unless_taken, answers)), "")


def _unless_taken(answer: Answer) -> str:
    status = answer.http_status
    if _is_taken(answer):
        return ""
    if answer.error_class == NO_ADDRESS:
        return (
            "The name leads to no address that the engine may call; for a private network, see "
            "IMPORT_WEBHOOK_ALLOW_NETWORKS."
        )
    if status is None:
        return "The receiver did not answer; what it logged says why."
    if _is_final(answer):
        return f"A {status} is final: the engine would not send this again."
    if status < 400:
        return "Register the address to which it redirects; the engine follows no redirect."
    return f"Answer 2xx: after a {status}, the engine sends it again, for five days."


def _unless_refused(answer: Answer, why: str) -> str:
    if _is_taken(answer):
        return f"Verify the signature and its time before you read the body: {why}."
    if not _is_final(answer):
        return "Answer 401: after anything else but a 4xx, the engine sends it again."
    return ""


def _shown(answer: Answer) -> str:
    seconds = f"after {answer.latency_ms / 1000:.1f} s"
    return f"{answer.http_status or answer.error_class} {seconds}"


SCENES = (
    Scene("An ordinary delivery", TAKE, _ordinary),
    Scene("The same delivery twice", "Answer 2xx both times, and store the rows once.", _twice),
    Scene("The same delivery twice at the same time", "Store the rows once.", _at_once),
    Scene("An older delivery after a newer one", TAKE, _out_of_order),
    Scene("The second part of an import before the first", TAKE, _parts),
    Scene(f"A body of {LARGE_BYTES // 10**6} MB", TAKE, _large),
    Scene("A delivery without rows", TAKE, _empty),
    Scene("A signature made with another secret", REFUSE, _wrong_signature),
    Scene("No signature", REFUSE, _no_signature),
    Scene("A body that was altered on its way", REFUSE, _altered),
    Scene("A genuine delivery that was signed an hour ago", REFUSE, _stale),
    Scene("Two signatures, as during a rotation", TAKE, _rotation),
    Scene("A revert of rows that it has", "Answer 2xx, and undo what you can.", _revert),
    Scene("An unknown member", "Answer 2xx, and ignore the member.", _unknown_member),
    Scene("A body that arrives slowly", TAKE, _slow),
)
