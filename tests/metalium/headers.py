"""Headers that declare Metalium's kernel API, one set per generation, made from the tables
hw/facts/MetaliumApi.def and hw/facts/TileOps.def. Emitted files compile against them."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
FACTS = ROOT / "hw" / "facts"
GENERATIONS = ("old", "mid", "new")
COMPUTE_FOLDER = {"old": "compute_kernel_api", "mid": "api/compute", "new": "api/compute"}
DATA_HEADER = {"old": "dataflow_api.h"}
ACCESSOR_HEADER = {"old": "accessor/tensor_accessor.h"}
OTHERS = {
    "old": ["debug/assert.h", "debug/dprint.h", "tools/profiler/kernel_profiler.hpp"],
    "mid": ["api/debug/assert.h", "api/debug/dprint.h", "tools/profiler/kernel_profiler.hpp"],
    "new": ["api/debug/assert.h", "api/debug/dprint.h", "tools/profiler/kernel_profiler.hpp"],
}
FABRIC = ["edm_fabric/routing_plane_connection_manager.hpp", "packet_header_pool.h", "tt_fabric_api.h"]
TARGETS = {"x86-64": [], "riscv32": ["--target=riscv32", "-ffreestanding"]}


def rows_of(text, macros):
    """The macro calls of a .def file: name and arguments, split at commas outside parentheses."""
    for match in re.finditer(rf"^({macros})\(", text, re.MULTILINE):
        depth, start, fields, at = 1, match.end(), [], match.end()
        while depth:
            char = text[at]
            depth += (char == "(") - (char == ")")
            if (char == "," and depth == 1) or depth == 0:
                fields.append(" ".join(text[start:at].split()))
                start = at + 1
            at += 1
        yield match.group(1), fields


def api_rows():
    text = (FACTS / "MetaliumApi.def").read_text()
    return [fields for _, fields in rows_of(text, "METALIUM_FUNCTION")]


def tile_rows():
    text = (FACTS / "TileOps.def").read_text()
    text = text[text.index("#ifndef TILE_MASK") :]
    return [row for row in rows_of(text, "TILE_[A-Z_]+") if row[0] != "TILE_FUNCTION"]


def tile_parameters(kind, fields):
    register = "uint32_t dst"
    if kind == "TILE_UNARY_PARAM":
        return register + ", uint32_t" * int(fields[5])
    return {
        "TILE_UNARY": register,
        "TILE_UNARY_INT": register + ", uint32_t n",
        "TILE_BINARY": "uint32_t a, uint32_t b, " + register,
        "TILE_TERNARY": "uint32_t a, uint32_t b, uint32_t c, " + register,
        "TILE_MASK": register + ", uint32_t mask",
    }[kind]


def declaration(template, result, name, parameters):
    head = f"template <{template[1:-1]}> " if template != "()" else ""
    if result.startswith("constexpr"):
        return f"{result} {name}{parameters} {{ return static_cast<uint32_t>(index); }}"
    return f"{head}{result} {name}{parameters};"


def declarations(generation):
    """The lines of each header, by the header's path."""
    folder, letter = COMPUTE_FOLDER[generation], generation[0].upper()
    lines, known = {}, set()
    compute_path = lambda header: (
        header if generation == "old" and header == "compute_kernel_api.h" else f"{folder}/{header}"
    )
    for generations, processor, header, template, result, name, parameters in api_rows():
        known.add(name)
        if letter not in generations:
            continue
        path = compute_path(header.strip('"'))
        if processor == "Data":
            path = DATA_HEADER.get(generation, "api/dataflow/dataflow_api.h")
        lines.setdefault(path, []).append(declaration(template, result, name, parameters))
    for kind, fields in tile_rows():
        call, init, header = fields[2], fields[3], fields[4].strip('"')
        for name, parameters in ((init, ""), (call, tile_parameters(kind, fields))):
            if name not in known:
                known.add(name)
                lines.setdefault(compute_path(header), []).append(f"void {name}({parameters});")
    return lines


def write_headers(folder, generation):
    """Writes the headers of a generation below `folder` and returns the folder."""
    folder = pathlib.Path(folder) / generation
    contents = declarations(generation)
    common = f"{COMPUTE_FOLDER[generation]}/common.h"
    contents.setdefault(common, []).insert(0, '#include "macros.h"')
    contents[ACCESSOR_HEADER.get(generation, "api/tensor/tensor_accessor.h")] = [
        '#include "accessor.h"'
    ]
    contents.update({path: [] for path in OTHERS[generation]})
    contents.update({f"tt_metal/fabric/hw/inc/{path}": ['#include "fabric.h"'] for path in FABRIC})
    contents["macros.h"] = (
        ["#define NAMESPACE compute", "#define MAIN kernel_main()"] if generation == "old" else []
    )
    contents["cstdint"] = []
    for path, lines in contents.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#pragma once\n#include \"prelude.h\"\n" + "\n".join(lines) + "\n")
    return folder


def compile_errors(text, headers, target, *defines):
    """What Clang says about a file; empty if it compiles."""
    command = ["clang-22", *TARGETS[target], "-x", "c++", "-std=c++17", "-fsyntax-only"]
    command += ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-nostdinc++"]
    # Emitted kernels of data movement run on one processor, those of computation on three.
    command += ["-DCOMPILE_FOR_NCRISC" if "dataflow_api.h" in text else "-DTRISC_UNPACK"]
    command += [f"-D{define}" for define in defines]
    command += ["-isystem", str(headers), "-isystem", str(HERE), "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False).stderr
