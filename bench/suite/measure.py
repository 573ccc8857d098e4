"""Runs programs and measures them: processor time, wall-clock time, peak memory.

Ratios use processor time, because it is reliable on a busy machine; the wall clock is recorded too.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """The measurements of one run of a program."""

    processor: float
    clock: float
    peak: float


def finish(command: list, environment: dict[str, str] | None = None, watch: bool = False, patience: int | None = None) -> Usage | None:
    """Runs a program to its end and discards its output unless it fails; measures the peak memory on request.

    With `patience`, a program that takes more processor seconds is stopped, and there is no result.
    """
    def limit() -> None:
        if patience:
            resource.setrlimit(resource.RLIMIT_CPU, (patience, patience))

    words = [str(word) for word in command]
    with tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=environment,
                                   preexec_fn=limit if patience else None)
        peak = [0.0]
        if watch:
            watcher = threading.Thread(target=keep_peak, args=(process.pid, peak))
            watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        clock = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if watch:
            watcher.join()
        if patience and process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return None
        if process.returncode != 0:
            errors.seek(0)
            sys.exit(f"bench: {' '.join(words)} failed:\n{errors.read().decode(errors='replace')}")
    return Usage(usage.ru_utime + usage.ru_stime, clock, peak[0])


def keep_peak(pid: int, peak: list[float]) -> None:
    """Reads the peak memory of a process every millisecond. The value that the kernel reports at its end is at least the size
    of the parent process, which is larger here."""
    ours = os.readlink("/proc/self/exe")
    with contextlib.suppress(OSError, StopIteration):
        while True:
            if os.readlink(f"/proc/{pid}/exe") != ours:
                peak[0] = max(peak[0], resident(pid))
            time.sleep(0.001)


def resident(pid: int) -> float:
    """Peak resident memory in MB, mapped tables included."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


class Server:
    """A program that answers every line with one line."""

    def __init__(self, command: list, environment: dict[str, str] | None = None) -> None:
        self.words = [str(word) for word in command]
        self.started = time.perf_counter()
        self.process = subprocess.Popen(self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=environment)

    def ask(self, *fields: object) -> list[str]:
        """One request and the fields of its answer."""
        self.write("\t".join(map(str, fields)).encode() + b"\n")
        return self.answer().split("\t")

    def answer(self) -> str:
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench: {' '.join(self.words)} ended without an answer; run it by hand to see why")
        return line.decode().rstrip("\n")

    def ask_all(self, requests: bytes, n: int) -> tuple[Usage, list[bytes]]:
        """Many requests at once, as a batch client sends them, and their answers."""
        started, used = time.perf_counter(), self.processor()
        # The answers are read while the requests are written, or both pipes fill up.
        writer = threading.Thread(target=self.write, args=(requests,))
        writer.start()
        answers = [self.process.stdout.readline() for _ in range(n)]
        usage = Usage(self.processor() - used, time.perf_counter() - started, self.peak())
        writer.join()
        return usage, answers

    def write(self, requests: bytes) -> None:
        self.process.stdin.write(requests)
        self.process.stdin.flush()

    def processor(self) -> float:
        """Processor seconds so far, all threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self) -> float:
        return resident(self.process.pid)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def spread(values: list[float]) -> dict[str, float]:
    """Median, least and largest."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}
