# lit.cfg.py - how the tests in this folder run: RUN lines of .mlir, .py and
# .test files, with the built tools and FileCheck on the path.
# SPDX-License-Identifier: Apache-2.0

import os

import lit.formats

config.name = "ttl-jit"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".py", ".test"]
config.excludes = ["Inputs", "lit.cfg.py", "lit.site.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.ttjit_tests_build

config.environment["PATH"] = os.pathsep.join(
    [config.ttjit_binaries, config.llvm_binaries, config.environment.get("PATH", "")]
)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["FILECHECK_OPTS"] = "--dump-input-context=20"
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["TTL_CACHE"] = "off"

# %root is the source tree, for tests that run the examples.
config.substitutions.append(("%root", os.path.dirname(os.path.dirname(config.test_source_root))))
# Passes that are wrong on purpose (tests/plugins).
config.substitutions.append(("%test_passes", os.path.join(config.ttjit_libraries, "ttjit-test-passes.so")))
if config.sanitize:
    config.available_features.add("sanitizer")
