"""The circumstances of a result: machine, versions, revision and command."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

from suite.corpora import ROOT


def describe(python: Path, arguments: list[str]) -> dict[str, object]:
    """Everything that is recorded with the numbers."""
    return {
        "date": now(),
        "command": " ".join(["python3 bench/run.py", *arguments]),
        "cpu": cpu(),
        "cores": os.cpu_count(),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "revision": output(["git", "-C", ROOT, "describe", "--always", "--dirty"]),
        "versions": versions(python),
    }


def now() -> str:
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def load() -> float:
    """The load average of the last minute."""
    return os.getloadavg()[0]


def cpu() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or "unknown"
    found = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else platform.machine()


def versions(python: Path) -> dict[str, str]:
    """The versions of bolide, compilers, runtimes and the installed peers."""
    names = ["nltk", "evaluate", "sacrebleu", "rouge-score", "pycocoevalcap", "numpy"]
    script = "import sys\nfrom importlib import metadata\nfor name in sys.argv[1:]: print(metadata.version(name))"
    found = output([python, "-c", script, *names]).split("\n")
    locked = (ROOT / "bench" / "engine" / "Cargo.lock").read_text()
    crates = {
        name: re.search(rf'name = "{name}"\nversion = "(.*?)"', locked).group(1)
        for name in ("bolide", "bleuscore", "sacrebleu-rs")
    }
    java = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
    runtimes = {
        "Rust": output(["rustc", "--version"]).split()[1],
        "Python": platform.python_version(),
        "Java": (re.search(r'version "(.*?)"', java) or ["", "none"])[1],
    }
    return {**crates, **dict(zip(names, found)), "METEOR": "1.5", **runtimes}


def output(command: list) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "unknown"
