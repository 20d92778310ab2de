# SPDX-License-Identifier: Apache-2.0
"""ttl.require() raises an error if this version does not model the card's bits for an operation."""

import os
import pathlib
import re
import subprocess

import _ttjit
import pytest
import ttl

BUILD = pathlib.Path(os.environ.get("TTJIT_BUILD", pathlib.Path(__file__).resolve().parents[3] / "build"))
TTL_JIT = BUILD / "bin" / "ttl-jit"
PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "device-numerics.md"
UNKNOWN = sorted(name for name, claim in _ttjit.device_claims().items() if claim == "not modelled")


@pytest.mark.parametrize(
    "name", ["exp", "add", "where", "matmul", "reduce_sum", "reduce_max", "broadcast", "transpose"])
def test_what_is_known_passes(name):
    assert ttl.require(f"device-numerics.{name}.modelled") is None


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_known_is_an_error(name):
    with pytest.raises(RuntimeError) as caught:
        ttl.require(f"device-numerics.{name}.modelled")
    assert str(caught.value) == (
        f"ttl.require('device-numerics.{name}.modelled'): the bits that the card computes for '{name}' are not known "
        "here; --numerics=device computes it as --numerics=host does")


def test_the_page_has_the_claims():
    """docs/device-numerics.md lists the claims that ttl.require() reads; its list for C++ is not compared."""
    lists = PAGE.read_text().partition("<!-- claims")[2].partition("<!-- end of claims")[0]
    lists = lists.partition("\nModelled functions that only kernels in C++ have")[0]
    known, _, unknown = lists.partition("\nNot modelled:\n")
    claims = _ttjit.device_claims()
    for name in re.findall(r"`(\w+)`", unknown):
        assert claims[name] == "not modelled", name
    for name in re.findall(r"`(\w+)`", known.partition("Modelled, compared over")[2]):
        assert claims[name] == "modelled", name


@pytest.mark.parametrize("claim, message", [
    ("device-numerics.expp.modelled", "there is no tile operation 'expp'; did you mean 'exp"),
    ("device-numerics.zzz.modelled", "there is no tile operation 'zzz'"),
    ("device-numerics.exp.exact", "expected a claim such as 'device-numerics.NAME.modelled'"),
    ("exp", "expected a claim such as"),
    (3, r"ttl.require\(3\): expected a claim such as"),
])
def test_other_claims_are_mistakes(claim, message):
    with pytest.raises(ValueError, match=message):
        ttl.require(claim)


def test_a_script_ends_at_its_line(tmp_path):
    name = UNKNOWN[0] if UNKNOWN else "no_such_operation"
    (tmp_path / "kernel.py").write_text(
        f"import ttl\n\nttl.require('device-numerics.{name}.modelled')\nprint('on')\n")
    process = subprocess.run([TTL_JIT, "run", "kernel.py"], cwd=tmp_path, capture_output=True, text=True)
    assert process.returncode == 1 and not process.stdout
    assert 'kernel.py", line 3' in process.stderr and name in process.stderr


def test_a_line_of_the_repl():
    claims = ("expp", "exp")
    text = "".join(f"ttl.require('device-numerics.{name}.modelled')\n" for name in claims) + "print('on')\n"
    process = subprocess.run([TTL_JIT], input=text, capture_output=True, text=True)
    assert "did you mean 'exp" in process.stdout + process.stderr and "on" in process.stdout
