# SPDX-License-Identifier: Apache-2.0
"""Every case of tools/bench runs and gives the result of its reference. No test depends on times."""

import json
import os
import pathlib
import re
import subprocess
import xml.etree.ElementTree

import pytest

ROOT = pathlib.Path(__file__).parents[3]
BUILD = os.environ["TTJIT_BUILD"]
FIELDS = {"name", "median", "throughput", "unit", "compile_cold", "compile_warm", "peak_memory"}


def bench(*arguments, build=BUILD):
    command = [ROOT / "tools/bench", "--build", build, *arguments]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def names():
    process = bench("--list")
    assert process.returncode == 0, process.stderr
    return process.stdout.split()


def test_every_case_runs(names, tmp_path):
    file = tmp_path / "numbers.json"
    process = bench("--quick", "--json", file)
    assert process.returncode == 0, process.stdout + process.stderr
    results = json.loads(file.read_text())
    assert [found["name"] for found in results] == names
    for found in results:
        assert FIELDS <= set(found) and found["median"] > 0 and found["name"] in process.stdout
    compared = {found["reference"] for found in results if "ratio" in found}
    assert "native loop" in compared and len(compared) >= 2


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_the_engine_is_chosen(engine):
    process = bench("--quick", "--engine", engine, "chain")
    assert process.returncode == 0 and "native loop" in process.stdout, process.stderr


def test_a_wrong_result_fails():
    """A case checks the result of its first launch before it measures times."""
    process = subprocess.run(
        ["/usr/bin/python3", "-c", "from benchmarks.measure import Case, run\n"
         "def check(): raise SystemExit('bench: wrong')\n"
         "run(Case(launch=lambda: None, check=check), True)"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools")}, capture_output=True, text=True)
    assert process.returncode == 1 and "bench: wrong" in process.stderr


def test_pictures_are_written(tmp_path):
    process = bench("--quick", "--pictures", tmp_path, "chain")
    assert process.returncode == 0, process.stderr
    picture = xml.etree.ElementTree.parse(tmp_path / "roofline.svg").getroot()
    texts = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "chain" in texts and any(text.startswith("copies: ") for text in texts)


@pytest.fixture
def profile(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    from benchmarks import profile

    return profile


REPORT = """
# Overhead  Shared Object   Symbol
    60.00%  [JIT] tid 8612          [.] ttl_tile_loop_0
    25.00%  libttjit-session.so     [.] ttjit::hw::Scheduler::choose
     5.00%  libttjit-session.so     [.] <unknown & rest>
    10.00%  libc.so.6               [.] 0x00000000000064a3
"""


def test_a_report_of_perf_becomes_a_picture(profile):
    found = profile.shares(REPORT)
    assert found["compiled kernels", "ttl_tile_loop_0"] == 0.6
    assert found["copies (libc)", "libc.so.6"] == 0.1
    assert sum(found.values()) == pytest.approx(1.0)
    picture = profile.picture("a <title>", found)
    drawn = [each.text for each in xml.etree.ElementTree.fromstring(picture).iter()]
    assert "compiled kernels 60 %" in drawn and "<unknown & rest> 5 %" in drawn


@pytest.mark.parametrize("function, shown", [
    ("ttjit::hw::Scheduler::choose", "Scheduler::choose"),
    ("ttjit::hw::checkWord[abi:cxx11]", "checkWord"),
    ("ttjit::hw::(anonymous namespace)::FairDecisions::pickThread", "FairDecisions::pickThread"),
    ("ttjit::hw::Guarded<&ttl_hw_noc_barrier, ttjit::hw::Status (*)(ttjit::hw::KernelThread*)>::call",
     "ttl_hw_noc_barrier"),
    ("__memmove_avx512_unaligned_erms", "__memmove_avx512_unaligned_erms"),
])
def test_functions_are_shown_by_their_short_names(profile, function, shown):
    assert profile.short(function) == shown


def test_usage(tmp_path):
    process = bench("no_such_case")
    assert process.returncode == 2 and "no case is called 'no_such_case'" in process.stderr
    process = bench(build=tmp_path)
    assert process.returncode == 1 and "cannot be used" in process.stderr


def test_the_case_of_the_simulator():
    pytest.importorskip("torch")
    file = ROOT / "tools/benchmarks/simulator_case.py"
    run = subprocess.run([f"{BUILD}/bin/ttl-jit", "run", file, "--", "2"], capture_output=True, text=True)
    assert run.returncode == 0 and "largest error 0.0039" in run.stdout, run.stderr


def test_the_table_of_meshes():
    process = bench("--quick", "mesh")
    assert process.returncode == 0, process.stdout + process.stderr
    lines = process.stdout.splitlines()
    kernels = ["kernel", "local", "shift", "all_gather", "gather_slices", "all_reduce"]
    assert [line.split()[0] for line in lines[:6]] == kernels
    together = [line for line in lines if line.startswith("shift ")][1:]
    assert [" ".join(line.split()[3:5]) for line in together] == ["1 thread", "2 threads", "2 ranks", "4 ranks"]
    assert lines[-2].startswith("an untouched chip") and lines[-1].startswith("point_to_point")


def test_the_time_model_is_compared_with_measured_rows():
    process = bench("timing", "--quick", "s3", "s4", "s14")
    assert process.returncode == 0, process.stderr
    found = [line.split() for line in process.stdout.splitlines() if line.startswith(("s3 ", "s4 ", "s14 "))]
    medians = {words[1]: float(words[5].rstrip("%")) for words in found if "modelled" not in words}
    assert set(medians) == {"twocb_half", "per_transfer", "dram_interleaved_read"}
    assert max(medians.values()) < 50, medians


def test_collectives_are_compared_with_measured_rows():
    process = bench("timing", "--quick", "s9")
    assert process.returncode == 0, process.stderr
    found = re.findall(r"^s9 +(\w+), (\d) chips +(WH|BH) +\d+ +[1-9]\d* +([\d.]+)%", process.stdout, re.MULTILINE)
    assert {(name, chips) for name, chips, *_ in found} >= {("all_reduce_ring_DRAM", "8")}, process.stdout
    assert all(0 < float(median) < 400 for *_, median in found), process.stdout


def test_a_table_of_times_that_does_not_exist():
    process = bench("timing", "s99")
    assert process.returncode == 2 and "timing has no table 's99'" in process.stderr
