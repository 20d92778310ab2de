# SPDX-License-Identifier: Apache-2.0
"""ttl.load() of files from somebody else: they cannot run code of the host or set paths, and anything
wrong in them is a ValueError."""

import hashlib
import json
import os
import pathlib
import zlib

import numpy as np
import pytest
import ttl

from copies import copy, scale, tensors

IR = """
ttl.kernel @k(%y: tensor<32x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>)
    attributes {arch = "wormhole_b0", grid = #ttcore.grid<1x1>} {
  ttl.datamovement_thread "reader" {
    %n = arith.constant 7 : i32
    BODY
  }
}
"""
FIELDS = {"name": "k", "grid": [1, 1], "options": [], "parameters": [["y", "(32, 32) float32 tile DRAM", None]],
          "placement": [True, "DRAM"], "numbers": [], "written": [True], "ir": IR.replace("BODY", "")}


def write(path, fields, body=None):
    """Writes a file of a saved kernel, with a right checksum."""
    body = zlib.compress(json.dumps(fields).encode()) if body is None else body
    path.write_bytes(b"ttl-jit kernel 1 %s\n" % hashlib.sha256(body).hexdigest().encode() + body)
    return path


def read(path):
    return json.loads(zlib.decompress(path.read_bytes().partition(b"\n")[2]))


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "scale.ttl"
    scale.compile(*tensors(32), 2.0).save(path)
    return path


def key():
    return scale.compile(*tensors(32), 2.0).parameters[0].key


def foreign(tmp_path, body):
    """Writes a file of a kernel whose thread has this code; returns its path."""
    parameters = [["y", key(), None]]
    return write(tmp_path / "k.ttl", {**FIELDS, "parameters": parameters, "ir": IR.replace("BODY", body)})


# ===--- Functions of the host ------------------------------------------------=== #

EXIT = 'ttl.call_host "exit" in "libc.so.6" (%n) : (i32) -> ()'
NO_LIBRARY = 'ttl.call_host "exit" (%n) : (i32) -> ()'
EMPTY = 'ttl.call_host "exit" in "" (%n) : (i32) -> ()'


@pytest.mark.parametrize("engine", ["jit", "interp"])
@pytest.mark.parametrize("body", [EXIT, NO_LIBRARY, EMPTY])
def test_a_file_calls_no_function_of_the_host(tmp_path, body, engine):
    with ttl.options(engine=engine):
        kernel = ttl.load(foreign(tmp_path, body))
        y = np.zeros((32, 32), np.float32)
        for _ in range(2):  # twice: the process and the kernel must stay usable
            with pytest.raises(ttl.RuntimeFault, match="the file calls the host function 'exit'") as caught:
                kernel(y)
            assert "give it with host_functions={name: function}" in str(caught.value)


LIBRARY = """
#include <stdio.h>
__attribute__((constructor)) static void loaded(void) { fclose(fopen("LOADED", "w")); }
void note(int number) { fclose(fopen("CALLED", "w")); }
"""


@pytest.fixture
def library(tmp_path):
    """Builds a library that creates one file when it is loaded, and another file when it is called."""
    import subprocess

    source = LIBRARY.replace("LOADED", f"{tmp_path}/loaded").replace("CALLED", f"{tmp_path}/called")
    (tmp_path / "note.c").write_text(source)
    made = tmp_path / "libnote.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", made, tmp_path / "note.c"], check=True)
    return made


def test_loading_opens_no_library(tmp_path, library):
    body = f'ttl.call_host "note" in "{library}" (%n) : (i32) -> ()'
    kernel = ttl.load(foreign(tmp_path, body))
    y = np.zeros((32, 32), np.float32)
    with pytest.raises(ttl.RuntimeFault, match="which this program did not give to it"):
        kernel(y)
    for text in (kernel.ir(), kernel.ir("input"), kernel.l1):
        assert text
    with pytest.raises(ValueError, match="cannot be called on the card"):
        kernel.cpp()
    assert not (tmp_path / "loaded").exists() and not (tmp_path / "called").exists()
    ttl.load(tmp_path / "k.ttl", trust=True)(y)
    assert (tmp_path / "loaded").exists() and (tmp_path / "called").exists()


def test_registered_functions_are_called(tmp_path, library):
    y, seen = np.zeros((32, 32), np.float32), []
    path = foreign(tmp_path, f'ttl.call_host "note" in "{library}" (%n) : (i32) -> ()')
    for name in ("note", f"{library}:note"):
        ttl.load(path, host_functions={name: seen.append})(y)
    assert seen == [7, 7] and not (tmp_path / "loaded").exists()
    ttl.load(path, host_functions={"note": ttl.host_function(str(library), "note")})(y)
    assert (tmp_path / "called").exists()


def test_a_kernel_that_calls_python_is_saved_and_gets_its_function_again(tmp_path):
    def half(x) -> float:
        return x / 2

    function = ttl.host_function(half)

    @ttl.operation(grid=(1, 1))
    def fill(y):
        out = ttl.make_dataflow_buffer_like(y, shape=(1, 1), buffer_factor=2)

        @ttl.compute()
        def compute():
            with out.reserve() as block:
                block.store(ttl.math.fill(block, function(7.0)))

        @ttl.datamovement()
        def writer():
            with out.wait() as block:
                ttl.copy(block, y[0, 0]).wait()

    y = np.zeros((32, 32), np.float32)
    fill.compile(y).save(tmp_path / "fill.ttl")
    ttl.load(tmp_path / "fill.ttl", host_functions={"half": lambda x: x * 3})(y)
    assert (y == 21).all()
    with pytest.raises(ttl.RuntimeFault, match="'half'.* did not give to it") as caught:
        ttl.load(tmp_path / "fill.ttl")(y)
    assert caught.value.file.endswith("test_foreign_kernels.py")
    assert "function(7.0)" in pathlib.Path(__file__).read_text().splitlines()[caught.value.line - 1]


@pytest.mark.parametrize("given, error", [
    ({"other": print}, "does not call the function 'other'"),
    ({"exit": 3}, "must get a callable"),
    ({3: print}, "a name in host_functions= must be a string, found 3"),
    ([print], "must be a dict of functions by name, found list"),
])
def test_wrong_host_functions(tmp_path, given, error):
    with pytest.raises(TypeError, match=error):
        ttl.load(foreign(tmp_path, EXIT), host_functions=given)


# ===--- Ops that could become machine code without checks --------------------=== #

NATIVE = {
    "llvm.inline_asm has_side_effects \"ud2\", \"\" : () -> ()": "the file may not contain 'llvm.inline_asm'",
    "%p = llvm.mlir.zero : !llvm.ptr\n    llvm.store %n, %p : i32, !llvm.ptr": "may not contain 'llvm",
    'emitc.verbatim "abort();"': "may not contain 'emitc.verbatim'",
    "%p = builtin.unrealized_conversion_cast %n : i32 to !llvm.ptr": "may not contain 'builtin.unrealized",
    "%p = builtin.unrealized_conversion_cast %n : i32 to memref<4xi32>": "may not contain 'builtin.unrealized",
}


@pytest.mark.parametrize("body", NATIVE)
def test_a_file_has_no_machine_code(tmp_path, body):
    with pytest.raises(ValueError, match=NATIVE[body]):
        ttl.load(foreign(tmp_path, body))


def test_a_file_has_one_kernel_and_nothing_else(tmp_path):
    declared = 'func.func private @memcpy(i64, i64, i64)\n' + IR.replace("BODY", "")
    for ir in (declared, "", IR.replace("BODY", "") * 2, IR.replace("BODY", "").replace("@k", "@j") * 1 + IR):
        with pytest.raises(ValueError, match="the field 'ir'"):
            ttl.load(write(tmp_path / "k.ttl", {**FIELDS, "ir": ir}))


@pytest.mark.parametrize("engine", ["jit", "interp"])
def test_tensors_of_another_type_than_the_code_expects_are_refused(tmp_path, engine):
    larger = IR.replace("BODY", "").replace("32x32xf32", "3200x3200xf32")
    with ttl.options(engine=engine):
        kernel = ttl.load(write(tmp_path / "k.ttl", {**FIELDS, "parameters": [["y", key(), None]], "ir": larger}))
        with pytest.raises(TypeError, match="for another type of tensor than its parameter y"):
            kernel(np.zeros((32, 32), np.float32))


def test_a_tensor_that_the_code_writes_counts_as_written(saved):
    """The file says that the kernel writes no tensor, but its code does: the read-only array is refused."""
    kernel = ttl.load(write(saved, {**read(saved), "written": [False, False]}))
    a, y = tensors(32)
    y.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        kernel(a, y)
    assert (y == 0).all()


# ===--- Options --------------------------------------------------------------=== #


@pytest.mark.parametrize("name, value", [
    ("cache", "/tmp/elsewhere"), ("cache", "off"), ("schedule-file", "/etc/passwd"), ("schedule", "replay:/etc/passwd"),
    ("scheduler", "replay:x"), ("host-cpu", "x86-64-v2"),
])
def test_a_file_sets_no_path(saved, name, value):
    with pytest.raises(ValueError, match=f"the field 'options': sets --{name}={value}, which a file may not"):
        ttl.load(write(saved, {**read(saved), "options": [[name, value]]}))


@pytest.mark.parametrize("name", ["emit", "trace", "record", "pass-plugin", "stats", "explore", "trust"])
def test_a_file_sets_no_option_of_the_process(saved, name):
    with pytest.raises(ValueError, match="the field 'options': .*is an option of the whole process"):
        ttl.load(write(saved, {**read(saved), "options": [[name, "x"]]}))


def test_every_option_that_names_a_file_is_known():
    """Files may not set options that name a path. names_a_path() finds them by FILE or DIR in their help."""
    import _ttjit
    from ttl import _bundle_fields

    paths = {name for name, _ in _ttjit.kernel_options() if _bundle_fields.names_a_path(name, "replay:x")}
    assert paths == {"cache", "schedule-file", "schedule", "scheduler"}


def test_a_kernel_with_a_schedule_file_is_not_saved(tmp_path):
    schedule = tmp_path / "schedule.mlir"
    schedule.write_text("module attributes {transform.with_named_sequence} {\n"
                        "transform.named_sequence @__transform_main(%root: !transform.any_op) {\n"
                        "transform.yield\n}\n}\n")
    kernel = copy.compile(*tensors(), options=f"--schedule-file={schedule}")
    with pytest.raises(ValueError, match="its option --schedule-file names a file"):
        kernel.save(tmp_path / "copy.ttl")


def test_options_of_the_host_are_not_saved(tmp_path):
    copy.compile(*tensors(), options=f"--cache={tmp_path} --host-cpu=x86-64-v2 --limit=9").save(tmp_path / "copy.ttl")
    assert read(tmp_path / "copy.ttl")["options"] == [["limit", "9"]]


# ===--- Damaged files --------------------------------------------------------=== #

DEEP = "[" * 100_000 + "]" * 100_000
WRONG = [
    ("name", 3), ("name", ""), ("name", None), ("grid", []), ("grid", [0, 1]), ("grid", [True]), ("grid", "11"),
    ("grid", [1 << 40]), ("grid", [1, 2.0]), ("options", {}), ("options", [["limit"]]), ("options", [["limit", 3]]),
    ("options", [["nothing", "x"]]), ("options", [["engine", "fast"]]), ("parameters", None), ("parameters", [[]]),
    ("parameters", [["a b", None, 1]]), ("parameters", [["def", None, 1]]), ("parameters", [["a", 3, None]]),
    ("parameters", [["a", None, []]]), ("parameters", [["a", None, 1], ["a", None, 1]]), ("parameters", []),
    ("parameters", [["a", "key", 3]]), ("placement", [1, "L1"]), ("placement", [True, "/tmp"]), ("placement", []),
    ("numbers", 3), ("numbers", [3]), ("numbers", [[1 << 31]]), ("numbers", [["x"]]), ("written", [1, 0]),
    ("written", None), ("written", [True] * 9), ("written", []), ("ir", 3), ("ir", "ttl.kernel"), ("ir", "\0"),
    ("ir", "ML\xefR"), ("ir", DEEP), ("ir", "module { module { } }"), ("name", "other"), ("grid", [2, 2]),
    ("ir", "\ud800"), ("name", "\ud800"), ("options", [["limit", "\ud800"]]), ("options", [["\ud800", "1"]]),
    ("parameters", [["a", "\ud800", None]]),
]


@pytest.mark.parametrize("name, value", WRONG, ids=[f"{name}-{str(value)[:20]!r}" for name, value in WRONG])
def test_a_wrong_field_is_named(saved, name, value):
    with pytest.raises(ValueError, match=f"the field '{name}'|its tensors"):
        ttl.load(write(saved, {**read(saved), name: value}))


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_field_is_named(saved, name):
    fields = read(saved)
    del fields[name]
    with pytest.raises(ValueError, match=f"is damaged: the field '{name}' is not there"):
        ttl.load(write(saved, fields))


@pytest.mark.parametrize("body, message", [
    (b"", "is damaged"),
    (b"no zlib", "is damaged: Error"),
    (zlib.compress(b"{"), "its content is not JSON"),
    (zlib.compress(b"\xff"), "its content is not JSON"),
    (zlib.compress(b"3"), "its content is not a JSON object"),
    (zlib.compress(DEEP.encode()), "its lists are nested too deep|its content is"),
    (zlib.compress(b'{"ir": ' + b"9" * 5000 + b"}"), "its content is not JSON"),
    (zlib.compress(b"{}") + b"more", "its compressed data end too early, or more data follow them"),
    (zlib.compress(b"{}")[:-3], "its compressed data end too early, or more data follow them"),
])
def test_what_is_no_object_is_refused(tmp_path, body, message):
    with pytest.raises(ValueError, match=message):
        ttl.load(write(tmp_path / "k.ttl", None, body))


def test_decompression_is_bounded(tmp_path):
    import resource

    bomb, press = zlib.compressobj(9), b""
    for _ in range(300):  # 300 MiB in 300 KB
        press += bomb.compress(bytes(1 << 20))
    write(tmp_path / "bomb.ttl", None, press + bomb.flush())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match="decompresses to more than a kernel may have"):
        ttl.load(tmp_path / "bomb.ttl")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600 << 10


def test_only_regular_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", tmp_path / "pipe"):
        with pytest.raises(ValueError, match="is not a regular file"):
            ttl.load(path)
    with pytest.raises(OSError):
        ttl.load(tmp_path)
