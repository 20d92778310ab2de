# SPDX-License-Identifier: Apache-2.0
"""Every function of Metalium's kernel API is in the host's headers, or docs/metalium.md says why not."""

import re
import sys
from pathlib import Path

import pytest
import ttl
import ttnn

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "metalium"))
from headers import tile_rows

LEFT_OUT = ROOT / "hw" / "metalium" / "include" / "ttjit" / "left_out.h"
TABLES = {"data_movement": ttnn.ReaderConfigDescriptor, "compute": ttnn.ComputeConfigDescriptor}
CODE = ttnn.KernelDescriptor.SourceType.SOURCE_CODE
CORE = ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))
KERNEL = """
#include "api/HEADER"
#include "api/debug/dprint.h"
#include <type_traits>
EXTRA

void kernel_main() {
  uint32_t a = get_arg_val<uint32_t>(0);
  uint64_t n = a;
  [[maybe_unused]] auto *word = (volatile tt_l1_ptr uint32_t *)(uintptr_t)a;
  DECLARATIONS
  if (a != 1234)
    return;
CALLS
}
"""
CLASSES = "".join(f'#include "api/dataflow/{name}.h"\n' for name in ("noc", "circular_buffer", "noc_semaphore"))
EXTRA = {"data_movement": CLASSES, "compute": '#include "api/compute/copy_dest_values.h"'}
HEADERS = {"data_movement": "tensor/tensor_accessor.h", "compute": "compute/compute_kernel_api.h"}


def listed(table):
    """Returns {name: call} for the lines of a table in tests/metalium_api."""
    lines = (ROOT / "tests" / "metalium_api" / f"{table}.txt").read_text().splitlines()
    pairs = [[part.strip() for part in line.split("|", 1)] for line in lines if line[0] != "#"]
    return {name: f"{name}_init(), {name}(0)" if call == "*" else call for name, call in pairs}


def of_tile_functions():
    """Returns {name: call} for the functions of hw/facts/TileOps.def."""
    text = (ROOT / "hw" / "facts" / "TileOps.def").read_text()
    functions = set(re.findall(r"^TILE_FUNCTION\((\w+),", text, re.MULTILINE))
    calls = {}
    for macro, fields in tile_rows():
        name, call, init = fields[0], fields[2], fields[3]
        numbers = int(fields[5]) if macro == "TILE_UNARY_PARAM" else 0
        operands = "0, 1, 2" if macro == "TILE_BINARY" else "0" + ", 0x3f800000" * numbers
        if name in functions:
            calls[call] = f"{init}(), {call}({operands})"
    return calls


def rows(table):
    """Returns {name: call} for the functions of an API. The call is "-" for functions of the vector unit
    that the host does not have."""
    if table != "compute":
        return listed(table)
    known, of_tiles = listed(table), of_tile_functions()
    return {**of_tiles, **{name: call for name, call in known.items() if call != "-" or name not in of_tiles}}


def left_out():
    """Returns the functions that the host does not have: those that docs/metalium.md lists, and those of
    the vector unit that are not in TileOps.def."""
    text = (ROOT / "docs" / "metalium.md").read_text()
    section = text.split("### Functions that the host does not have\n")[1].split("\n### ")[0]
    named = {name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
             for name in re.findall(r"`(\w+)`", row)}
    return named | {name for name, call in rows("compute").items() if call == "-"}


def compile_calls(table, calls):
    device = ttnn.open_device()
    x = ttnn.zeros((32, 32), device=device)
    accessor = "constexpr auto args = TensorAccessorArgs<0>(); TensorAccessor x(args, 0x10000, 4096);"
    text = KERNEL.replace("HEADER", HEADERS[table]).replace("EXTRA", EXTRA[table])
    text = text.replace("CALLS", "".join(f"{call};\n" for call in calls))
    text = text.replace("DECLARATIONS", "" if table == "compute" else "if (a != 1234) return;" + accessor)
    kernel = ttnn.KernelDescriptor(
        kernel_source=text, source_type=CODE, core_ranges=CORE, config=TABLES[table](),
        runtime_args=[(ttnn.CoreCoord(0, 0), [0])], named_compile_time_args={"blocks": 2},
        compile_time_args=ttnn.TensorAccessorArgs(x).get_compile_time_args())
    buffers = [ttnn.CBDescriptor(4096, CORE, [ttnn.CBFormatDescriptor(i, ttnn.float32, 4096)])
               for i in range(2)]
    ttnn.generic_op([x, x], ttnn.ProgramDescriptor(kernels=[kernel], cbs=buffers))


@pytest.mark.parametrize("table", TABLES)
def test_every_function_is_there_or_listed(table):
    missing = left_out()
    compile_calls(table, [call for name, call in rows(table).items() if name not in missing])


def test_listed_functions_are_not_there():
    headers = ROOT / "hw" / "metalium" / "include"
    texts = [path.read_text() for path in headers.rglob("*") if path.is_file() and path != LEFT_OUT]
    texts.append((ROOT / "hw" / "facts" / "TileOps.def").read_text())
    called = set(re.findall(r"(\w+)[,(<{]", re.sub(r"//.*", "", "".join(texts))))
    assert not (left_out() - {"pages"}) & called  # `pages` is also the name of a parameter


def test_listed_functions_are_functions_of_the_api():
    names = {name for table in TABLES for name in rows(table)}
    assert left_out() <= names


def refused():
    """Returns {name: reason} for the functions that the host's headers refuse by name."""
    text = LEFT_OUT.read_text().split("//===--- Data movement")[1]
    strings = {name: "".join(re.findall(r'"([^"]*)"', parts))
               for name, parts in re.findall(r'#define (TTJIT_\w+)((?:[\s\\]+"[^"]*")+)', text)}
    functions = {}
    for kind, body in re.findall(r"^TTJIT_LEFT_OUT(_TILE|_\d|)\((.*?)\)$", text, re.MULTILINE | re.DOTALL):
        why = strings.get(*re.findall(r"TTJIT_\w+", body)) if "TTJIT_" in body else "".join(re.findall('"(.*?)"', body))
        names = [name for name in re.findall(r"\w+", re.sub('"[^"]*"', "", body)) if not name.startswith("TTJIT_")]
        for name in names:
            functions[name] = why
            if kind == "_TILE":
                functions[f"{name}_init"] = why
    return functions


# Classes, and members of classes: for these, Clang's own message says that there is no such member.
MEMBERS = {"get_bank_and_offset", "is_local_page", "is_local_shard", "is_local_addr", "is_local_bank", "dspec", "pages",
           "shard_pages", "get_shard_noc_addr", "rt_args", "DataflowBuffer"}


def test_refused_functions_are_listed():
    names = {name for name in refused() if not re.search("_init(_short)?$|_uninit$|_init$", name)}
    assert names - MEMBERS <= left_out()
    plain = {name for name in left_out() - MEMBERS if not re.search("gelu|softcap|cbrt|atan2", name)}
    assert plain <= set(refused())


CALLS_OF = {table: {name: call for name, call in rows(table).items() if name in set(refused()) - MEMBERS}
            for table in TABLES}


@pytest.mark.parametrize("table", TABLES)
def test_a_refused_function_says_why_at_its_line(table):
    for name in CALLS_OF[table]:
        call = CALLS_OF[table][name]
        with pytest.raises(ttl.CompileError) as caught:
            compile_calls(table, [f"{name}(0, 1)" if call == "-" else call])
        error = caught.value
        assert any(why in error.message for why in refused().values()) and "is unavailable" in error.message


def test_a_function_that_is_not_there_is_an_error():
    with pytest.raises(ttl.CompileError, match="dropout_tile"):
        compile_calls("compute", ["dropout_tile(0, 5, 5)"])
