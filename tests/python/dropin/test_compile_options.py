"""The keyword options="..." of the decorator of an operation, and of a call."""
# feature: Options of operations

import pytest

import ttl
from adders import adder, run

UPSTREAM = (
    "--no-ttl-maximize-dst --ttl-fpu-binary-ops --ttl-accumulation-strategy dst --ttl-relax-dfb-spsc "
    "--no-ttl-matmul-full-fp32 --ttl-dfb-exact-coloring-search-limit 9"
)


def test_options_of_the_decorator_reach_the_compiler(capfd):
    run(adder(options="--dst=fpu --dump=dst"))
    dumped = capfd.readouterr().err
    assert "// ----- dst: add" in dumped and "fpu_binary" in dumped


def test_options_of_a_call_are_for_that_call_alone(capfd):
    add = adder()
    run(add, options="--dump loops --dst fpu")
    assert "// ----- loops: add" in capfd.readouterr().err
    run(add)
    assert capfd.readouterr().err == ""


def test_a_later_option_replaces_an_earlier_one(capfd):
    add = adder(options="--dst=fpu --dump=dst")
    run(add, options="--dst=schedule")
    assert "fpu_binary" not in capfd.readouterr().err


def test_calls_with_equal_options_share_a_program():
    add = adder()
    run(add, options="--dst=lazy-loads")
    before = ttl._cache_info()
    run(add, options="--dst lazy-loads")
    run(add, options="--dst=expire-at-use")
    after = ttl._cache_info()
    assert (after.hits, after.misses) == (before.hits + 1, before.misses + 1)


def test_a_limit_for_one_kernel():
    message = "'add' uses 2 circular buffers, but --max-dfbs allows only 1"
    with pytest.warns(ttl.LimitWarning, match=message):
        run(adder(options="--max-dfbs=1"))
    with pytest.raises(ttl.CompileError, match="take 16384 bytes of L1.*--max-l1 allows only 4096"):
        run(adder(options="--max-l1=4096 --strict"))


def test_flags_of_another_compiler_have_no_effect(recwarn):
    add = adder(options=UPSTREAM)
    for _ in range(2):
        run(add)
    found = [each.message for each in recwarn if issubclass(each.category, ttl.OptionWarning)]
    for flag in [flag for flag in UPSTREAM.split() if flag.startswith("--")]:
        assert [str(each).startswith(f"{flag} has no effect") for each in found].count(True) == 1
    assert all(each.file.endswith("adders.py") for each in found)


def test_a_call_warns_once_at_its_place(recwarn):
    add = adder()
    for _ in range(3):
        run(add, options="--no-ttl-reduce-full-fp32")
    assert [str(each.message).partition(":")[0] for each in recwarn] == [
        "--no-ttl-reduce-full-fp32 has no effect"]


@pytest.mark.parametrize("options, message", [
    ("--schedule-fil=k", r"no option --schedule-fil; did you mean --schedule-file\?"),
    ("--no-ttl-maximise-dst", r"did you mean --no-ttl-maximize-dst\?"),
    ("--fast", "no option --fast; the options are --engine, --grid, "),
    ("fast", "no option fast; the options are"),
    ("--record=f", "--record is an option of the whole process"),
    ("--dst=quick", "--dst: expected one of schedule, lazy-loads"),
    ("--dst", "--dst must have a value: write --dst=CHOICE"),
    ("--schedule-file=/no/such/file", "--schedule-file: .*/no/such/file"),
    ("--dump='ttl", "No closing quotation"),
])
def test_mistakes(options, message):
    with pytest.raises(ValueError, match=message):
        adder(options=options)
    with pytest.raises(ValueError, match=message):
        run(adder(), options=options)


def test_no_options():
    run(adder(options=None), options="")
    with pytest.raises(TypeError, match="options= must be a string, found int"):
        adder(options=3)
