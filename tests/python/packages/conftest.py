"""Makes one wheel, and one virtual environment with it, for all tests of packages."""
# SPDX-License-Identifier: Apache-2.0

import installing
import pytest


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    (path,) = installing.make("wheel", "--out", tmp_path_factory.mktemp("wheel"))
    return path


@pytest.fixture(scope="session")
def environment(wheel, tmp_path_factory):
    return installing.Environment(tmp_path_factory.mktemp("environment") / "venv", wheel)
