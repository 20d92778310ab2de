# SPDX-License-Identifier: Apache-2.0
"""Returns the .mlir programs that the fuzzers change, by dialect."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/python/models"))
OPT = pathlib.Path(os.environ.get("TTJIT_BUILD", ROOT / "build")) / "bin" / "ttl-opt"
FOLDERS = ("tests/corpus", "tests/lit/programs")
D2M = ("tests/python/d2m/programs/*.mlir", "examples/d2m/*.mlir", "tests/lit/passes/d2m/d2m-to-ttl.mlir",
       "tests/lit/passes/d2m/lone-threads.mlir", "tests/lit/ir/d2m.mlir")
DIALECTS = ("ttl", "microcores", "ttir", "d2m")
MODELS = 60
SPLIT = "// -----"


def texts(dialect):
    """Returns the texts of a dialect's programs, in the form in which they are written."""
    makers = {"ttl": _kernels, "microcores": _kernels_with_roles, "ttir": _models, "d2m": _d2m_modules}
    return makers[dialect]()


def printed(texts, *options):
    """Returns what ttl-opt prints for those texts that MLIR accepts."""
    found = subprocess.run([OPT, "-", "--split-input-file", *options], text=True,
                           input=f"\n{SPLIT}\n".join(texts), capture_output=True)
    return [text for text in found.stdout.split(SPLIT) if "func.func" in text]


def generic(texts):
    """Returns the generic form of those texts that MLIR accepts."""
    return printed(texts, "--mlir-print-op-generic")


def _without_comments(text):
    return "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith("//"))


def _kernels():
    """Returns the programs that define @main."""
    files = sorted(each for folder in FOLDERS for each in (ROOT / folder).glob("*.mlir"))
    found = [_without_comments(file.read_text()) for file in files]
    return [text for text in found if "func.func @main" in text and SPLIT not in text]


def _kernels_with_roles():
    return printed(_kernels(), "--ttl-threads-to-microcores")


def _models():
    """Returns random modules of ttir."""
    from cases import random_module

    modules = [random_module(seed)[0] for seed in range(MODELS)]
    return [module.text(module.ops[-1].results) for module in modules if module.ops]


def _d2m_modules():
    files = sorted(file for pattern in D2M for file in ROOT.glob(pattern))
    modules = [module for file in files for module in file.read_text().split(SPLIT)]
    return [_without_comments(module) for module in modules if "d2m." in module]
