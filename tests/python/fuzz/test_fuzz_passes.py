# SPDX-License-Identifier: Apache-2.0
"""Runs a few mutants of fuzz_passes.py, which can run any number of mutants."""

import os
import pathlib
import random
import subprocess
import sys

import fuzz_passes

ROOT = pathlib.Path(__file__).resolve().parents[3]
OPT = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build")) / "bin" / "ttl-opt"


def fuzz(opt, folder, count):
    return subprocess.run([sys.executable, fuzz_passes.__file__, opt, f"--count={count}", "--seed=3",
                           f"--out={folder}"], capture_output=True, text=True, timeout=900)


def test_each_pass_on_mutants(tmp_path):
    process = fuzz(OPT, tmp_path, 300)
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stdout == "300 mutants, 0 failures\n"


def test_passes_of_each_dialect_get_its_modules():
    fuzzer = fuzz_passes.Fuzzer(OPT, seed=3)
    assert {"ttir-decompose", "ttir-to-ttl", "d2m-to-ttl", "ttl-lower-compute"} < set(fuzzer.names)
    assert not {"ttir-to-d2m", "d2m-allocate", "ttkernel-hoist-inits"} & set(fuzzer.names)
    chance = random.Random(1)
    for name in ("ttir", "d2m"):
        texts = fuzzer._texts(name, chance)
        assert sum(f'"{name}.' in text for text in texts) >= 9


def test_most_changes_change_the_text():
    texts = fuzz_passes.sources(OPT, ROOT / "tests" / "corpus" / "compute-region.mlir")
    assert len(texts) > 20 and all('"ttl.' in text or '"ttkernel.' in text for text in texts)
    chance = random.Random(1)
    mutants = [fuzz_passes.mutate(chance.choice(texts), chance) for _ in range(200)]
    assert len(set(mutants) - set(texts)) > 120


def test_a_signal_and_an_internal_error_are_failures(tmp_path):
    for words in ("kill -SEGV $$", "echo internal error >&2"):
        broken = tmp_path / "broken"
        broken.write_text(f"""#!/bin/sh
case "$*" in
  *--split-input-file*) cat >/dev/null; {words} ;;
  *) exec {OPT} "$@" ;;
esac
""")
        broken.chmod(0o755)
        process = fuzz(broken, tmp_path / "found", 100)
        assert process.returncode == 1 and "mutants, 0 failures" not in process.stdout
        assert list((tmp_path / "found").glob("*.mlir"))
