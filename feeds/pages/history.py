"""The history of a feed: its runs, each with its counts, what went wrong, and its files."""

from collections.abc import Iterable

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common import clock
from common.wording.messages import Message, english
from feeds.connection import Problem
from feeds.models import FeedRun, TakenFile
from licensing.staff_pages import found_in, tag

GOOD = {FeedRun.Outcome.TAKEN, FeedRun.Outcome.NOTHING}
BAD = {FeedRun.Outcome.FAILED, FeedRun.Outcome.REFUSED, FeedRun.Outcome.LOST}
MOST_FILES = 20  # of one run


def runs_listed(runs: Iterable[FeedRun]) -> SafeString | str:
    """Return runs as a list, each with its files."""
    lines = [
        (clock.iso(run.started_at), tag(run.outcome, good=GOOD, bad=BAD), _told(run), _files(run))
        for run in runs
    ]
    listed = format_html_join("", "<li><code>{}</code> {} {}{}</li>", lines)
    return format_html('<ol class="moves">{}</ol>', listed) if lines else "None"


def sentence_of(problem: Problem) -> str:
    """Return a problem in English; a code without words alone."""
    code = problem["code"]
    if code not in english().templates:
        return str(problem.get("detail") or code)
    return Message(code, **problem.get("params", {})).text()


def _told(run: FeedRun) -> str:
    """Return what a run counted, and what went wrong."""
    counts = [
        sentence_of({"code": name, "params": {"count": count}})
        if name in english().templates
        else f"{count:,} {name}"
        for name, count in run.counts.items()
        if count
    ]
    return " ".join([", ".join(counts), sentence_of(run.problem) if run.problem else ""]).strip()


def _files(run: FeedRun) -> SafeString | str:
    """Return the files of a run, each with its import or why it is refused."""
    files = list(run.files.all())
    lines = [(file.path, file.outcome or file.stage, _became(file)) for file in files[:MOST_FILES]]
    listed = format_html_join("", "<li>{}: {} {}</li>", lines)
    more = len(files) - MOST_FILES
    rest = format_html("<li>and {} more</li>", f"{more:,}") if more > 0 else ""
    return format_html("<ul>{}{}</ul>", listed, rest) if files else ""


def _became(file: TakenFile) -> SafeString | str:
    if file.record is not None:
        return found_in("imports_importrecord", file.record.public_id)
    return sentence_of(file.problem) if file.problem else ""
