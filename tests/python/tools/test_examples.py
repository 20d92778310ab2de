"""Every example gives the same bits on both engines, under every schedule."""

import re

import pytest
from running import EXAMPLES, SUCCESS, hashes, run

# Hashes of each example's results. They are the same on every machine and from every build.
HASHES = {
    "eltwise_add": "143b03c3276c2aaa",
    "eltwise_add_unified": "143b03c3276c2aaa",
    "fused_mul_add": "4e93a7bdf62eb618",
    "fused_mul_add_unified": "4e93a7bdf62eb618",
    "matmul_single_core": "256ace8e66ea2dc2",
    "matmul_single_core_unified": "256ace8e66ea2dc2",
    "matmul_multicore": "58d88928f7ab0884",
    "matmul_multicore --store-acc": "f02d985227d49921",
    "matmul_multicore --dtype=float32": "0996112f50752b64",
    "matmul_multicore --dtype=float32 --store-acc": "181bd00ad0232d57",
    "exp_chain": "7ffa295856e75f5b",
    "softmax": "88f316cfaf67e646",
    "ring_all_reduce": "af5db08ede63d0e5",
    "stream_scale": "1f54d91a40f48944",
    "broadcast": "15d3fdaf2678b14a",
    "reductions": "8c2f12a7e7d6d93b 8a8d984c9c0e3d24",
    "composition": "be7bd04986cde70d",
    "batched_matmul_bias": "b2a6c2831abd012e",
    "rms_norm": "bd33940d7da1eb36",
    "layer_norm": "d7b83a8880149e4f",
    "bias_gelu": "9430f40cca71ecc3",
    "flash_attention": "d38e28aa7a2548bc",
    "flash_attention_pykernel": "7a3f17c3c0941673",
    "matmul_multicast": "6b12b8cedd4ac3d7",
    "ring_all_gather": "637ba8ff2e8dce1d",
    "tree_reduction": "7f16c6f2eb75561d",
    "upsample_nearest": "9f295d5e33cec15d",
    "eltwise_1d": "c8a81cc4e27e84ca",
    "eltwise_3d": "bc74a9402709c1cd",
    "transpose": "1e8853449cd16ef8",
    "sharded_add": "e7afc92ae1ca9d12",
    "sharded_in_place": "e364f8a101c470ad",
}
NAMES = sorted({example.split()[0] for example in HASHES})
SCHEDULES = [["--schedule=fair"], ["--schedule=random", "--seed=1"], ["--schedule=parallel(2)"]]


def test_every_example_has_its_hashes():
    assert NAMES == sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem != "check")


@pytest.mark.parametrize("example", HASHES)
def test_same_bits_on_both_engines_under_every_schedule(example):
    name, *arguments = example.split()
    for engine in ("jit", "interp"):
        for schedule in SCHEDULES:
            process = run(EXAMPLES / f"{name}.py", f"--engine={engine}", *schedule, "--", "--hash",
                          *arguments)
            assert hashes(process) == HASHES[example].split(), (engine, schedule)
            assert process.stderr == "", "expected no warnings"
    # One process runs both engines: schedules fair, greedy and 6 random ones, and 2 and 3 host threads.
    process = run(EXAMPLES / f"{name}.py", "--compare=schedules:6", "--", "--hash", *arguments)
    assert hashes(process) == HASHES[example].split() and process.stderr == ""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("engine", ("jit", "interp"))
def test_stats_say_which_engine_ran(name, engine):
    process = run(EXAMPLES / f"{name}.py", f"--engine={engine}", "--stats")
    assert process.returncode == SUCCESS, process.stderr
    lines = re.findall(r"^  engines: (.*)$", process.stderr, re.MULTILINE)
    assert lines
    for thread in " ".join(lines).split():
        assert thread.endswith(f"={engine}")
    # Only the JIT generates machine code or takes it from the cache.
    assert bool(re.search("jit-(load|cache)", process.stderr)) == (engine == "jit")
    assert re.search(r"blocks: [1-9]\d* pushed, [1-9]\d* popped", process.stderr)
    assert re.search(r"context switches: [1-9]", process.stderr)
    assert not re.search(r"moved: 0 B read", process.stderr)
