"""Runs the command in a separate process, returns what it prints and raises its errors.

In a separate process the command cannot print to the caller's streams, several threads can call it, and Ctrl-C ends it at
once. Texts are passed through its standard input in pieces, so there are no temporary files and no second copy of the corpus.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING

from . import _bolide

if TYPE_CHECKING:
    from subprocess import Popen

# Loads the extension by its path, so that no other module named `bolide` can be found instead.
_PROGRAM = """\
import signal, sys
from importlib.util import module_from_spec, spec_from_file_location
signal.signal(signal.SIGINT, signal.SIG_DFL)
spec = spec_from_file_location("bolide._bolide", sys.argv[1])
module = module_from_spec(spec)
spec.loader.exec_module(module)
sys.exit(module.command(sys.argv[2:]))
"""

# So many bytes are handed over at once.
_PIECE = 1 << 16


def run(arguments: Sequence[str], lines: Iterable[bytes]) -> str:
    """What the command prints, given these arguments and lines. Its remarks become warnings."""
    import subprocess
    from threading import Thread

    process = subprocess.Popen(
        [_python(), "-I", "-S", "-c", _PROGRAM, str(_bolide.__file__), *arguments],
        # Without a buffer: closing one after Ctrl-C would write to a process that has ended.
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    assert process.stdin and process.stdout and process.stderr
    outputs: tuple[list[bytes], list[bytes]] = ([], [])
    readers = [
        Thread(target=_drain, args=(stream, into), daemon=True)
        for stream, into in zip((process.stdout, process.stderr), outputs)
    ]
    with process:
        try:
            for reader in readers:
                reader.start()
            _feed(process.stdin, lines)
            for reader in readers:
                reader.join()
            code = process.wait()
        except BaseException:
            # Ctrl-C, or an invalid row.
            _end(process)
            for reader in readers:
                if reader.is_alive():
                    reader.join()
            raise
    output, complaints = (b"".join(parts).decode("utf-8", "replace") for parts in outputs)
    if code < 0:
        raise _bolide.BolideError(f"the command was ended by signal {-code}")
    said = [line.removeprefix("bolide: ") for line in complaints.splitlines() if line]
    if code:
        raise _bolide.BolideError("\n".join(said) or f"the command ended with code {code}")
    for remark in said:
        # Points at the caller of `bolide.compare`, say.
        warnings.warn(remark, stacklevel=4)
    return output


def _end(process: Popen[bytes]) -> None:
    """Ends the process. It has a moment to remove an unfinished file."""
    from contextlib import suppress
    from subprocess import TimeoutExpired

    try:
        process.terminate()
        with suppress(TimeoutExpired):
            process.wait(2)
    finally:
        process.kill()


def _python() -> str:
    """The interpreter to run, as ``multiprocessing`` finds it (and may be told, by ``set_executable``)."""
    from multiprocessing.spawn import get_executable

    path = get_executable()
    if not path or (getattr(sys, "frozen", False) and path == sys.executable):
        raise _bolide.UnavailableError(
            "this needs a Python interpreter to run the command with, and the program is none: "
            "name one with multiprocessing.set_executable"
        )
    return path.decode() if isinstance(path, bytes) else path


def _drain(stream: IO[bytes], into: list[bytes]) -> None:
    while piece := stream.read(_PIECE):
        into.append(piece)


def _feed(stream: IO[bytes], lines: Iterable[bytes]) -> None:
    for piece in _pieces(lines):
        rest = memoryview(piece)
        while rest:
            try:
                rest = rest[stream.write(rest) :]
            except OSError:
                # The command has ended early; its error is raised below.
                return
    stream.close()


def _pieces(lines: Iterable[bytes]) -> Iterable[bytes]:
    piece = bytearray()
    for line in lines:
        piece += line
        if len(piece) >= _PIECE:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)
