# SPDX-License-Identifier: Apache-2.0
"""Tab completes commands of the REPL, their options and the options' values."""

import types

import _ttjit
import numpy as np
import pytest
from ttl_jit.repl._commands import Commands
from ttl_jit.repl._terminal import candidates


@pytest.fixture
def shell():
    made = types.SimpleNamespace(namespace={"y": np.zeros((32, 32), np.float32), "size": 3})
    made.commands = Commands(made)
    return made


def completed(shell, text):
    return candidates(shell, text)[0]


@pytest.mark.parametrize("text, expected", [
    (":kern", ["kernels"]),
    (":help engi", ["engine"]),
    (":engine i", ["interp"]),
    (":arch w", ["wormhole_b0"]),
    (":schedule r", ["random"]),
    (":schedule random 3", []),
    (":option dm", ["dma"]),
    (":option dma e", ["eager"]),
    (":option nothing e", []),
    (":run j", ["jit"]),
    (":check ", ["on", "off"]),
    (":diff inte", ["interp"]),
    (":diff jit fai", ["fair"]),
    (":ir inp", ["input"]),
    (":tile ", ["y"]),
    (":tile y 0 ", []),
    (":quit x", []),
    (":nothing x", []),
])
def test_the_words_of_commands(shell, text, expected):
    assert completed(shell, text) == expected


def test_every_option_of_kernels_and_its_values(shell):
    assert completed(shell, ":option ") == [name for name, _ in _ttjit.kernel_options()]
    for name, _ in _ttjit.kernel_options():
        assert completed(shell, f":option {name} ") == _ttjit.option_values(name)


def test_stages_and_passes(shell):
    steps = {step for pair in _ttjit.pipeline_steps() for step in pair}
    assert set(completed(shell, ":ir ")) == {"input", *steps}


def test_files(shell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kernel.py").touch()
    (tmp_path / ".hidden").touch()
    assert completed(shell, ":load ") == completed(shell, ":watch k") == ["kernel.py"]
    assert completed(shell, ":load kernel.py ") == []


def test_the_help_of_options_names_their_values(shell, capsys):
    for name in ("engine", "arch", "grid", "schedule"):
        shell.commands.do_help(name)
        assert dict(_ttjit.kernel_options())[name] in capsys.readouterr().out
