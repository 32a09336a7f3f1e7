"""
Text recognition next to a job: a process that runs tesseract and never sees the file.

The job forks it before it confines itself, and sends it pixels through a pipe; words come back
through another. So a reader that is taken over still starts no program, and tesseract, which gets
nothing but bytes of a known shape, is confined on its own: it reads its libraries and its language
data, writes nothing, has no network, and can execute nothing but itself. Decision: docs/adr/0202.
"""

import ctypes
import os
import resource
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NoReturn

from tabular.job import landlock, seccomp
from tabular.job.isolation import begin_confinement, libraries, limit
from tabular.model.problem import Limits
from tabular.model.recognition import Picture, Recognition, RecognitionFailed

HEADER = struct.Struct("<III?")  # width, height, dots per inch, whether its text is sparse
ANSWER = struct.Struct("<cI")  # what it is, bytes of the text that follows
WORDS, FAILURE = b"w", b"f"
MOST_ANSWER_BYTES = 64 * 1024**2
PR_SET_PDEATHSIG = 1
LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
SPARSE_TEXT, BLOCK_OF_LINES = "11", "6"  # tesseract's page segmentation modes


class RecognitionProcess:
    """The job's end of the process next to it."""

    def __init__(self, recognition: Recognition, limits: Limits, *, strict: bool) -> None:
        self.named = recognition.named
        request_end, asking = os.pipe()
        answering, answered = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(asking)
            os.close(answering)
            _serve(request_end, answered, recognition, limits, strict)
        os.close(request_end)
        os.close(answered)
        self._known: dict[bytes, str] = {}
        self._asking: BinaryIO = os.fdopen(asking, "wb")
        self._answering: BinaryIO = os.fdopen(answering, "rb")

    def words(self, picture: Picture) -> str:
        """Return the words of a picture as TSV, once for each. Raise RecognitionFailed."""
        about = sha256(_header(picture) + picture.pixels).digest()
        if about not in self._known:  # a file may be read twice, for another choice
            self._known[about] = self._answer_to(picture)
        return self._known[about]

    def _answer_to(self, picture: Picture) -> str:
        try:
            self._asking.write(_header(picture))
            self._asking.write(picture.pixels)
            self._asking.flush()
            kind, size = ANSWER.unpack(_exactly(self._answering, ANSWER.size))
            content = _exactly(self._answering, min(size, MOST_ANSWER_BYTES))
        except (OSError, EOFError) as error:
            raise RecognitionFailed("its process has ended") from error
        text = content.decode("utf-8", "replace")
        if kind != WORDS:
            raise RecognitionFailed(text)
        return text

    def end(self) -> None:
        """End the process and wait for it; a confined job cannot, and leaves it to its parent."""
        with suppress(OSError):
            self._asking.close()
        self._answering.close()
        os.waitpid(self.pid, 0)


def _header(picture: Picture) -> bytes:
    return HEADER.pack(picture.width, picture.height, picture.dots_per_inch, picture.is_sparse)


def _exactly(stream: BinaryIO, size: int) -> bytes:
    chunk = stream.read(size)
    if len(chunk) < size:
        raise EOFError
    return chunk


def _serve(
    request_end: int, answered: int, recognition: Recognition, limits: Limits, strict: bool
) -> NoReturn:
    """Be the process next to the job: confine it, then answer until the job ends."""
    status = 1
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for place in (0, 1, 2):  # the job's parent waits for the end of what it prints
            os.dup2(nothing, place)
        _confine(recognition, limits, strict=strict)
        with os.fdopen(request_end, "rb") as requests, os.fdopen(answered, "wb") as answers:
            serve(requests, answers, recognition, strict=strict)
        status = 0
    finally:
        os._exit(status)


def _confine(recognition: Recognition, limits: Limits, *, strict: bool) -> None:
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, 0)
    limit(resource.RLIMIT_DATA, _held_bytes() + limits.memory_bytes)
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    begin_confinement()
    programs = [Path(recognition.program).resolve(), *map(Path, LOADERS)]
    reading = (*libraries(), Path(recognition.folder))
    done = landlock.restrict(readable=reading, writable=(), executable=programs)
    if strict and not done:
        raise PermissionError("Landlock is missing")


def _held_bytes() -> int:
    """Return the data that the process got from the one it was forked from."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[5])
    except OSError:  # not Linux
        return 0
    return pages * resource.getpagesize()


def serve(requests: BinaryIO, answers: BinaryIO, recognition: Recognition, *, strict: bool) -> None:
    """Answer requests until there are no more."""
    while len(header := requests.read(HEADER.size)) == HEADER.size:
        width, height, dots_per_inch, is_sparse = HEADER.unpack(header)
        pixels = requests.read(width * height)
        if len(pixels) < width * height:
            return
        picture = Picture(width, height, pixels, dots_per_inch, is_sparse=is_sparse)
        try:
            kind, content = WORDS, _recognised(recognition, picture, strict=strict)
        except RecognitionFailed as failure:
            kind, content = FAILURE, str(failure).encode()
        answers.write(ANSWER.pack(kind, len(content)) + content)
        answers.flush()


def _recognised(recognition: Recognition, picture: Picture, *, strict: bool) -> bytes:
    """Run the program on one picture. Raise RecognitionFailed."""
    try:
        done = subprocess.run(
            _command(recognition, picture),
            input=b"P5 %d %d 255\n" % (picture.width, picture.height) + picture.pixels,
            stdout=subprocess.PIPE,
            timeout=recognition.page_seconds,
            env={"LC_ALL": "C.UTF-8", "OMP_THREAD_LIMIT": "1"},
            close_fds=False,  # ours are not inherited, and no folder lists them here
            preexec_fn=lambda: _give_up_calls(strict),
            check=False,
        )
    except subprocess.TimeoutExpired:
        seconds = recognition.page_seconds
        raise RecognitionFailed(f"it took longer than {seconds} s and was stopped") from None
    except (OSError, subprocess.SubprocessError):
        raise RecognitionFailed("it could not be started") from None
    if done.returncode < 0:
        raise RecognitionFailed(f"it was ended by signal {-done.returncode}")
    if done.returncode:
        raise RecognitionFailed(f"it ended with status {done.returncode}")
    return done.stdout


def _command(recognition: Recognition, picture: Picture) -> list[str]:
    return [
        *(recognition.program, "stdin", "stdout", "--tessdata-dir", recognition.folder),
        *("-l", "+".join(recognition.languages)),
        *("--psm", SPARSE_TEXT if picture.is_sparse else BLOCK_OF_LINES),
        *("--dpi", str(picture.dots_per_inch), "-c", "tessedit_create_tsv=1"),
    ]


def _give_up_calls(strict: bool) -> None:
    if sys.platform == "linux" and not seccomp.restrict(executes=True) and strict:
        raise PermissionError("seccomp is missing")
