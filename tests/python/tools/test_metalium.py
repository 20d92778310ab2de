"""--emit: the C++ of every example, for every generation of tt-metal's API, equals its golden file,
compiles for the card's processors, and comes with a program that runs it under ttnn.

`pytest --update-golden tests/python/tools/test_metalium.py` rewrites the golden files."""

import importlib.util
import json
import pathlib
import re
import sys
import types

import pytest
from running import EXAMPLES, run

ROOT = pathlib.Path(__file__).resolve().parents[3]
METALIUM = ROOT / "tests" / "metalium"
sys.path.insert(0, str(METALIUM))
import headers  # noqa: E402

NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem != "check")


@pytest.fixture(scope="session")
def emitted(tmp_path_factory):
    """Returns a function that returns the folder of an emitted example; each example is emitted once."""
    folders = {}

    def emit(name, generation):
        if (name, generation) not in folders:
            folder = tmp_path_factory.mktemp(f"{name}-{generation}")
            process = run(EXAMPLES / f"{name}.py", f"--emit={folder}", f"--metalium={generation}")
            assert process.returncode == 0, process.stderr
            folders[name, generation] = folder
        return folders[name, generation]

    return emit


@pytest.fixture(scope="session")
def declared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("headers")
    return {name: headers.write_headers(folder, name) for name in headers.GENERATIONS}


def text_of(folder):
    files = sorted([*folder.glob("*.cpp"), *folder.glob("*.json")])
    text = "".join(f"//--- {path.name}\n{path.read_text()}" for path in files)
    # test_emit_report.py tests these counts.
    return re.sub(r'\n( *)"counts": \{\n.*?\n\1\},', "", text, flags=re.DOTALL)


@pytest.mark.parametrize("generation", headers.GENERATIONS)
@pytest.mark.parametrize("name", NAMES)
def test_examples_match_their_golden_files(name, generation, emitted, request):
    golden = METALIUM / "golden" / generation / f"{name}.txt"
    text = text_of(emitted(name, generation))
    if request.config.getoption("--update-golden"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text)
    assert text == golden.read_text(), f"run pytest --update-golden to accept: {golden}"


@pytest.mark.parametrize("generation", headers.GENERATIONS)
@pytest.mark.parametrize("name", NAMES)
def test_examples_compile(name, generation, emitted, declared):
    for path in sorted(emitted(name, generation).glob("*.cpp")):
        for target in headers.TARGETS:
            errors = headers.compile_errors(path.read_text(), declared[generation], target)
            assert not errors, f"{path.name} for {target}:\n{errors}"


@pytest.mark.parametrize("generation", headers.GENERATIONS)
def test_declarations_find_wrong_calls(generation, declared):
    include = {"old": "compute_kernel_api"}.get(generation, "api/compute")
    text = (
        f'#include "{include}/matmul.h"\n'
        "void kernel() { matmul_tiles(0, 1, 2, 3, 4, 5, 6); }\n"
    )
    for target in headers.TARGETS:
        assert "matmul_tiles" in headers.compile_errors(text, declared[generation], target)


# ----- the program that runs the kernels under ttnn -----


class Recorded:
    """An object of the stub that records calls: its class, and the arguments with which it was made."""

    def __init__(self, kind, args, fields):
        self.kind, self.args, self.fields = kind, args, dict(fields)
        self.__dict__.update(fields)

    def num_cores(self):
        return sum(
            (end[0] - start[0] + 1) * (end[1] - start[1] + 1)
            for start, end in [(r.args[0].args, r.args[1].args) for r in self.args[0]]
        )


class Tensor:
    def __init__(self, number):
        self.number = number

    def buffer_address(self):
        return 0x1000 * (self.number + 1)

    def device(self):
        return "device"


class AccessorArgs:
    def __init__(self, tensor):
        self.tensor = tensor

    def get_compile_time_args(self):
        return [("accessor", self.tensor.number), 0]


def recording_ttnn(calls):
    """Makes a module that stands for ttnn and records descriptors and the calls of generic_op."""
    ttnn = types.ModuleType("ttnn")

    def maker(kind):
        return lambda *args, **fields: Recorded(kind, args, fields)

    for kind in (
        "CoreCoord CoreRange CoreRangeSet CBFormatDescriptor CBDescriptor KernelDescriptor "
        "SemaphoreDescriptor ProgramDescriptor ReaderConfigDescriptor WriterConfigDescriptor "
        "ComputeConfigDescriptor ShardSpec MemoryConfig from_torch"
    ).split():
        setattr(ttnn, kind, maker(kind))
    ttnn.cb_descriptor_from_sharded_tensor = maker("sharded")
    ttnn.TensorAccessorArgs = AccessorArgs
    for enum in "MathFidelity UnpackToDestMode ShardOrientation TensorMemoryLayout BufferType".split():
        setattr(ttnn, enum, Names(enum))
    for dtype in "float32 bfloat16 bfloat8_b bfloat4_b int32 uint32 uint16 uint8".split():
        setattr(ttnn, dtype, dtype)
    ttnn.ROW_MAJOR_LAYOUT = "row_major"
    ttnn.generic_op = lambda tensors, program: calls.append((tensors, program))
    return ttnn


class Names:
    def __init__(self, enum):
        self.enum = enum

    def __getattr__(self, name):
        return f"{self.enum}.{name}"


def load_script(folder, calls, monkeypatch):
    monkeypatch.setitem(sys.modules, "ttnn", recording_ttnn(calls))
    spec = importlib.util.spec_from_file_location("run_on_device", folder / "run_on_device.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def built(name, generation, emitted, monkeypatch):
    """Returns the first program of an example as program.json describes it, and its descriptor."""
    folder, calls = emitted(name, generation), []
    module = load_script(folder, calls, monkeypatch)
    program = json.loads((folder / "program.json").read_text())["programs"][0]
    module.run(program["name"], [Tensor(i) for i in range(len(program["tensors"]))])
    (_, descriptor), *_ = calls
    return folder, program, descriptor.fields


@pytest.mark.parametrize("name", NAMES)
def test_script_builds_what_the_json_says(name, emitted, monkeypatch):
    folder, program, descriptor = built(name, "mid", emitted, monkeypatch)
    assert len(descriptor["kernels"]) == len(program["kernels"])
    for entry, kernel in zip(program["kernels"], descriptor["kernels"]):
        assert kernel.kernel_source == str(folder / entry["file"])
        ids = len(entry["compile_time_args"])
        assert kernel.compile_time_args[:ids] == entry["compile_time_args"]
        accessors = [arg[1] for arg in kernel.compile_time_args[ids::2]]
        assert accessors == entry["tensor_accessors"]
        assert [args for _, args in kernel.runtime_args] == [
            core["values"] for core in entry["runtime_args"]
        ]
    assert [s.id for s in descriptor["semaphores"]] == [s["id"] for s in program["semaphores"]]
    assert len(descriptor["cbs"]) == len(program["buffers"])


@pytest.mark.parametrize("generation", headers.GENERATIONS)
@pytest.mark.parametrize("name", NAMES)
def test_code_asks_for_what_the_json_has(name, generation, emitted):
    folder = emitted(name, generation)
    for program in json.loads((folder / "program.json").read_text())["programs"]:
        ids = {f["buffer_index"] for b in program["buffers"] for f in b["formats"]}
        for kernel in program["kernels"]:
            text = (folder / kernel["file"]).read_text()
            used = {int(n) for n in re.findall(r"get_compile_time_arg_val\((\d+)\)", text)}
            assert used <= ids and used <= set(kernel["compile_time_args"])
            first = re.search(r"TensorAccessorArgs<(\d+)", text)
            assert bool(first) == bool(kernel["tensor_accessors"])
            if first:
                assert int(first.group(1)) == len(kernel["compile_time_args"])
            words = [len(core["values"]) for core in kernel["runtime_args"]] or [0]
            assert len(kernel["runtime_arg_names"]) == max(words)
            assert not re.search(r"\b1\d{5}\b", text), "C++ must not have absolute addresses of L1"


def test_mover_gets_its_row_of_tables(emitted, monkeypatch):
    _, program, descriptor = built("matmul_multicast", "mid", emitted, monkeypatch)
    mover = next(k for k in program["kernels"] if k["name"] == "a_mover")
    assert mover["runtime_arg_names"][0] == "along_rows.sources"
    by_core = {tuple(c["core"]): c["values"] for c in mover["runtime_args"]}
    assert len(by_core) == 6 and by_core[0, 0][0] == 1 and by_core[1, 0][0] == 0
    names = [buffer["name"] for buffer in program["buffers"]]
    assert not [name for name in names if name.endswith("_slots")], "data must arrive in the receives' own blocks"
    assert len(descriptor["semaphores"]) == 8


def test_float32_is_unpacked_to_dst(emitted, monkeypatch):
    _, program, descriptor = built("softmax", "mid", emitted, monkeypatch)
    compute = next(k for k in descriptor["kernels"] if k.config.kind == "ComputeConfigDescriptor")
    modes = compute.config.unpack_to_dest_mode
    doubled = [b for b in program["buffers"] if len(b["formats"]) == 2]
    assert [b["name"] for b in doubled], "a buffer that reductions and copies read needs two ids"
    for buffer in doubled:
        first, second = (f["buffer_index"] for f in buffer["formats"])
        assert modes[first].endswith("Default") and modes[second].endswith("UnpackToDestFp32")
