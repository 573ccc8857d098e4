"""METEOR 1.5 in one run: bolide beside meteor-1.5.jar, English, -norm, paraphrases, one thread.

    python3 bench/meteor15.py                  # 8,000 pairs of verses
    python3 bench/meteor15.py --wmt17          # one system of ../shared/data/wmt17 de-en instead
    python3 bench/meteor15.py --pairs 2000 --starts 3

Both are asked over their line protocol (-stdio), which is how pycocoevalcap uses the jar: the jar answers all pairs once
to warm up, then both answer them again and again in turn, and the quickest round of each counts. A cold start is the time
from starting the process to its first score. Processor time (all threads of a program) is told beside the time on the clock,
because it holds on a busy machine too. Memory is the peak of the resident pages, mapped tables included.
The jar and its table are installed by tests/live; the answers of both are compared.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "live"))
import peers  # noqa: E402
from meteor15 import Programs  # noqa: E402

FLAGS = ["-", "-", "-stdio", "-l", "en", "-norm"]


class Server:
    """One of the programs, waiting for requests."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen([*command, *FLAGS], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env=environment)

    def ask(self, requests: bytes, n: int) -> tuple[float, float, list[bytes]]:
        """The time for all answers, the processor time, and the answers."""
        started, used = time.perf_counter(), self.used()
        # The answers must be read while the requests are written, or both pipes fill up.
        writer = threading.Thread(target=self.write, args=(requests,))
        writer.start()
        answers = [self.process.stdout.readline() for _ in range(n)]
        taken, used = time.perf_counter() - started, self.used() - used
        writer.join()
        return taken, used, answers

    def write(self, requests: bytes) -> None:
        self.process.stdin.write(requests)
        self.process.stdin.flush()

    def used(self) -> float:
        """Processor time so far, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self) -> float:
        """Peak resident memory in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        return 0.0

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def pairs(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Hypotheses and references."""
    if options.wmt17:
        folder = peers.ROOT.parent / "shared" / "data" / "wmt17" / "systems" / "de-en"
        if not folder.is_dir():
            sys.exit("bench: ../shared/data/wmt17 is absent")
        system = sorted(folder.glob("newstest2017.*"))[0]
        sides = [(folder / name).read_text(encoding="utf-8").split("\n")[:-1] for name in (system, "reference")]
        found = list(zip(*sides))
    else:
        lines = peers.verses().read_text(encoding="utf-8").splitlines()
        found = [(columns[3], columns[1]) for columns in (line.split("\t") for line in lines)]
        found = found[:: max(1, len(found) // options.pairs)]
    return [(h.replace("|||", " "), r.replace("|||", " ")) for h, r in found[: options.pairs]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=8_000)
    parser.add_argument("--rounds", type=int, default=3, help="rounds after the jar's warm-up")
    parser.add_argument("--starts", type=int, default=5, help="cold starts of each")
    parser.add_argument("--wmt17", action="store_true")
    parser.add_argument("--bolide", default=os.environ.get("BOLIDE") or str(peers.ROOT / "target" / "release" / "bolide"))
    options = parser.parse_args()
    programs = Programs(options.bolide)
    jar = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(programs.jar)]
    commands = {"jar": jar, "bolide": [programs.bolide, "meteor15"]}
    data = pairs(options)
    requests = "".join(f"SCORE ||| {reference} ||| {hypothesis}\n" for hypothesis, reference in data).encode()

    starts: dict[str, list[float]] = {name: [] for name in commands}
    first = requests[: requests.index(b"\n") + 1]
    for _ in range(options.starts):
        for name, command in commands.items():
            server = Server(command, programs.environment)
            server.ask(first, 1)
            starts[name].append(time.perf_counter() - server.started)
            server.close()

    servers = {name: Server(command, programs.environment) for name, command in commands.items()}
    rounds: dict[str, list[float]] = {name: [] for name in commands}
    used: dict[str, list[float]] = {name: [] for name in commands}
    answers = {}
    servers["jar"].ask(requests, len(data))
    for _ in range(options.rounds):
        for name, server in servers.items():
            taken, processor, answers[name] = server.ask(requests, len(data))
            rounds[name].append(taken)
            used[name].append(processor)
    peaks = {name: server.peak() for name, server in servers.items()}
    for server in servers.values():
        server.close()
    differing = sum(a != b for a, b in zip(answers["jar"], answers["bolide"]))

    print(f"{len(data)} pairs, {differing} statistics differ")
    head = ("segments/s", "µs/segment", "processor µs", "cold start", "peak memory")
    print(" " * 8 + "".join(f"{word:>15}" for word in head))
    best = {name: min(times) / len(data) * 1e6 for name, times in rounds.items()}
    work = {name: min(times) / len(data) * 1e6 for name, times in used.items()}
    cold = {name: statistics.median(times) * 1e3 for name, times in starts.items()}
    for name in commands:
        print(f"{name:8}{1e6 / best[name]:15,.0f}{best[name]:15.1f}{work[name]:15.1f}"
              f"{cold[name]:12.1f} ms{peaks[name]:12.1f} MB")
    ratios = (table["jar"] / table["bolide"] for table in (best, work, cold, peaks))
    print(f"{'ratio':8}{'':15}" + "".join(f"{ratio:15.1f}" for ratio in ratios))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
