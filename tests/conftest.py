"""What all tests share: where the public test material is, and hypothesis without deadlines."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("symlin", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("symlin"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "symlin")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public test material beside the project; a loud skip where it is not."""
    folder = ROOT.parent / "shared"
    if not (folder / "seed" / "section-1.4.txt").exists():
        pytest.skip(f"the public test material is not there: expected it in {folder}")
    return folder
