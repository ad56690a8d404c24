"""The trusted base stays small and leans on nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

COMMAND = Path(__file__).parent.parent / "tools" / "trusted_lines.py"


def test_the_trusted_base() -> None:
    done = subprocess.run([sys.executable, str(COMMAND)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = [line.split()[0] for line in done.stdout.splitlines()[1:]]
    assert names == ["kernel", "sums", "term", "dims", "errors", "together"]
