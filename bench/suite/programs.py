"""Locates the programs; builds and installs them if necessary."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

from suite.corpora import ROOT, peers


class Programs:
    """bolide, its Rust peers, the Python peers and the jar."""

    def __init__(self, bolide: str | None) -> None:
        target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
        if bolide is None:
            build("Cargo.toml", "dist", target)
        self.bolide = Path(bolide).resolve() if bolide else target / "dist" / "bolide"
        self.target = target
        self.python = peers.python("bench")
        version = [self.python, "-c", "import sys; print('py312' if sys.version_info >= (3, 12) else 'py311')"]
        self.sum_of_python = subprocess.run(version, check=True, capture_output=True, text=True).stdout.strip()
        # The live comparison with METEOR 1.5 installs the jar and imports its table.
        import meteor15

        jar = meteor15.Programs(str(self.bolide))
        self.jar = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", jar.jar]
        self.environment = dict(
            jar.environment,
            NLTK_DATA=str(peers.nltk_data()),
            # One thread each, and no network access except the attempt of evaluate.
            RAYON_NUM_THREADS="1", OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HUB_DISABLE_TELEMETRY="1",
        )

    @functools.cached_property
    def bench(self) -> Path:
        """The folder of the bench crate's programs. Not all parts need them."""
        build("bench/engine/Cargo.toml", "release", self.target / "bench")
        return self.target / "bench" / "release"

    @property
    def engine(self) -> Path:
        return self.bench / "engine"

    @property
    def floor(self) -> Path:
        return self.bench / "floor"

    def score(self, metric: str, corpus, threads: int = 1) -> list:
        """The command that scores a corpus."""
        return [self.bolide, "score", "--quiet", "--threads", threads, "-m", metric,
                "-r", corpus.references, "-i", corpus.hypotheses]


def build(manifest: str, profile: str, target: Path) -> None:
    command = ["cargo", "build", "--profile", profile, "--manifest-path", str(ROOT / manifest), "--target-dir", str(target)]
    print(f"building {manifest}", file=sys.stderr)
    if subprocess.run([*command, "--quiet"], check=False).returncode != 0:
        sys.exit(f"bench: {' '.join(command)} failed")
