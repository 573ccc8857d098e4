"""Completion in real shells: a terminal in which bash, zsh and fish get `bolide score -m …` and the Tab key.

    python3 tests/shells/run.py             # all three; a shell that is absent is a failure
    python3 tests/shells/run.py fish        # one of them

`scripts/test shells` installs the shells first. It runs target/release/bolide (or $BOLIDE).
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("BOLIDE", ROOT / "target" / "release" / "bolide")).resolve()
PATIENCE = 90

# What is typed before Tab, and what must then stand in the line or be offered (fish cuts off the front of long names).
CASES = [
    ("bolide sco", ["bolide score"]),
    ("bolide score -m meteor:te", ["meteor:textbook"]),
    ("bolide score -m rougeLs", ["rougeLsum"]),
    ("bolide score -m 'chrf|ca", ["case:"]),
    ("bolide score -m 'chrf|case:m", ["case:mixed"]),
    ("bolide score -m 'chrf|case:lc|sp", ["space:"]),
    ("bolide compare -m bleu 'bleu|tok:in", ["tok:intl"]),
    ("bolide score --form", ["--format"]),
    ("bolide score -m meteor:1", [":1.5-nopara", ":1.5-optimal"]),
    ("bolide score -r refer", ["reference-file.txt"]),
]


def begin(shell: str, home: Path) -> list[str]:
    """Installs the script as docs/cli.md says, and returns how to start the shell."""
    folders = {
        "bash": ".local/share/bash-completion/completions/bolide",
        "zsh": ".zfunc/_bolide",
        "fish": ".config/fish/completions/bolide.fish",
    }
    path = home / folders[shell]
    path.parent.mkdir(parents=True)
    path.write_bytes(subprocess.run([PROGRAM, "completions", shell], capture_output=True, check=True).stdout)
    (home / "reference-file.txt").touch()
    if shell == "bash":
        # Without the package bash-completion, its folder is read by hand.
        (home / ".bashrc").write_text(f"PS1='ready> '\nsource {path}\n")
        return ["bash", "--rcfile", str(home / ".bashrc"), "-i"]
    if shell == "zsh":
        (home / ".zshrc").write_text("PS1='ready> '\nfpath=(~/.zfunc $fpath)\nautoload -U compinit && compinit -u\n")
        return ["zsh", "-i"]
    (home / ".config/fish/config.fish").write_text("function fish_prompt; echo 'ready> '; end\nset -U fish_greeting\n")
    return ["fish", "-i"]


class Terminal:
    """A shell in a terminal of 100 columns."""

    def __init__(self, command: list[str], home: Path):
        self.child, self.line = pty.fork()
        if self.child == 0:
            os.chdir(home)
            environment = {
                "HOME": str(home),
                "PATH": f"{PROGRAM.parent}:/usr/bin:/bin",
                "TERM": "xterm",
                "LANG": "C.UTF-8",
                "COLUMNS": "100",
                "LINES": "40",
            }
            os.execvpe(command[0], command, environment)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.line, text.encode())

    def wait_for(self, wanted: list[str]) -> bool:
        """Reads until everything that is wanted has appeared."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if all(text in self.plain() for text in wanted):
                return True
            if not select.select([self.line], [], [], 0.5)[0]:
                continue
            try:
                part = os.read(self.line, 65536).decode("utf-8", "replace")
            except OSError:
                return False
            # fish asks the terminal what it is, and waits for the answer.
            for _ in range(part.count("\x1b[c") + part.count("\x1b[0c")):
                self.type("\x1b[?62;c")
            self.seen += part
        return False

    def plain(self) -> str:
        """What was printed, without colours, movements and the backslashes of quoted characters."""
        return re.sub(r"\x1b(\[[0-9;?=>]*[a-zA-Z]|\][^\x07]*\x07|[=>()][B0]?)", "", self.seen).replace("\\", "")

    def close(self) -> None:
        os.close(self.line)
        # A shell that ignores the end of its terminal (under nohup) would stay.
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)


def check(shell: str) -> list[str]:
    if shutil.which(shell) is None:
        return [f"{shell} is not installed"]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        command = begin(shell, home)
        for typed, wanted in CASES:
            terminal = Terminal(command, home)
            if not terminal.wait_for(["ready> "]):
                problems.append(f"{shell} does not start: {terminal.seen[-300:]!r}")
                terminal.close()
                break
            terminal.type(typed)
            terminal.wait_for([typed.split()[-1].replace("\\", "")])
            # What was typed must not count as an answer.
            terminal.seen = "" if not all(text in typed for text in wanted) else terminal.seen
            terminal.type("\t\t\t")
            tail = [text[len(common(typed, text)) :] if len(wanted) == 1 else text for text in wanted]
            if not terminal.wait_for(tail):
                problems.append(f"{shell}: {typed}<Tab> does not give {wanted}: {terminal.plain()[-300:]!r}")
            terminal.close()
    return problems


def common(typed: str, answer: str) -> str:
    """The longest end of what was typed that the answer begins with: a shell prints only the rest."""
    for at in range(len(typed)):
        if answer.startswith(typed[at:]):
            return typed[at:]
    return ""


def main() -> int:
    shells = sys.argv[1:] or ["bash", "zsh", "fish"]
    failed = 0
    for shell in shells:
        problems = check(shell)
        failed += len(problems)
        for problem in problems:
            print(problem)
        print(f"{shell}: {len(CASES) - len(problems)} of {len(CASES)} completions")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
