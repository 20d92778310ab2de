# SPDX-License-Identifier: Apache-2.0
"""ttl.options(), and which option wins if several places give it."""

import asyncio
import os
import subprocess
import textwrap
import threading

import pytest
import ttl
import ttnn

from copies import copy, scale, tensors


def engine_of(*arguments, **keywords):
    """Returns the engine on which a call with these options runs."""
    return set(scale.compile(*tensors(32), 2.0, *arguments, **keywords).engines.values()).pop()


def test_a_block_changes_options_and_restores_them():
    assert engine_of() == "jit"
    with ttl.options(engine="interp"):
        assert engine_of() == "interp"
        with ttl.options(engine="jit"):
            assert engine_of() == "jit"
        assert engine_of() == "interp"
    assert engine_of() == "jit"


def test_an_exception_ends_the_block():
    with pytest.raises(KeyError):
        with ttl.options(engine="interp"):
            raise KeyError
    assert engine_of() == "jit"


def test_a_function_may_be_decorated():
    assert ttl.options(engine="interp")(engine_of)() == "interp"
    assert engine_of() == "jit"


def test_the_text_of_the_command_line():
    with ttl.options("--engine=interp --seed 3", seed=4):
        assert scale.compile(*tensors(32), 2.0).options == {"engine": "interp", "seed": "4"}


def test_the_call_counts_more_than_the_decorator_and_this_more_than_the_block():
    decorated = ttl.operation(grid=(1, 1), options="--engine=interp")(scale.function)
    with ttl.options(engine="jit"):
        kernel = decorated.compile(*tensors(32), 2.0)
        assert set(kernel.engines.values()) == {"interp"}
        kernel = decorated.compile(*tensors(32), 2.0, options="--engine=jit")
        assert set(kernel.engines.values()) == {"jit"}
    kernel = decorated.compile(*tensors(32), 2.0)
    assert set(kernel.engines.values()) == {"interp"}


PRECEDENCE = """
    import sys
    sys.path.insert(0, sys.argv[1])
    from copies import scale, tensors
    import ttl
    def engine(**keywords):
        return set(scale.compile(*tensors(32), 2.0, **keywords).engines.values()).pop()
    with ttl.options(engine="interp"):
        print(engine(), engine(options="--engine=jit"))
    print(engine())
"""


@pytest.mark.parametrize("flag, last", [([], "interp"), (["--engine=jit"], "jit")])
def test_the_command_line_replaces_the_environment_and_a_block_both(tmp_path, flag, last):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(PRECEDENCE))
    program = os.path.join(os.environ["TTJIT_BUILD"], "bin", "ttl-jit")
    folder = os.path.dirname(__file__)
    result = subprocess.run(
        [program, "run", *flag, str(script), "--", folder],
        env={**os.environ, "TTL_ENGINE": "interp"}, capture_output=True, text=True, check=False,
    )
    assert result.stdout.split() == ["interp", "jit", last], result.stderr


def test_options_of_launches_reach_cached_kernels():
    a, y = tensors()
    copy(a, y)
    with ttl.options(limit=1):
        with pytest.raises(ttl.RuntimeFault, match="limit"):
            copy(a, y)
    copy(a, y)


def test_a_launch_has_the_seed_of_its_block():
    a, y = tensors()
    before = ttl._cache_info().misses
    for seed in range(5):
        with ttl.options(schedule="random", seed=seed):
            copy(a, y)
            assert (a == y).all()
    assert ttl._cache_info().misses - before <= 1


def test_a_new_thread_starts_without_the_options_of_a_block():
    found = []
    with ttl.options(engine="interp"):
        thread = threading.Thread(target=lambda: found.append(engine_of()))
        thread.start()
        thread.join()
    assert found == ["jit"]


def test_tasks_have_options_of_their_own():
    async def task(engine, first, second):
        with ttl.options(engine=engine):
            first.set()
            await second.wait()
            return engine_of()

    async def both():
        events = asyncio.Event(), asyncio.Event()
        return await asyncio.gather(task("interp", *events), task("jit", *events[::-1]))

    assert asyncio.run(both()) == ["interp", "jit"]


def test_another_chip():
    with ttl.options(arch="blackhole"):
        device = ttnn.open_device()
        assert device.arch() == "blackhole"
        assert device is ttnn.open_device()
        a, y = tensors()
        copy(a, y)
        assert (a == y).all()
    assert ttnn.open_device().arch() == "wormhole_b0"


def test_a_tensor_on_another_chip_is_refused():
    a, y = tensors()
    with ttl.options(arch="blackhole"):
        far = ttnn.Tensor(a, device=ttnn.open_device())
    with pytest.raises(Exception, match="'a' must be on the device of the launch, a wormhole_b0; it "
                       "is on another device, a blackhole"):
        copy(far, y)


@pytest.mark.parametrize("given, kind, message", [
    ({"enigne": "jit"}, TypeError, "has no option enigne=; did you mean engine="),
    ({"colour": "red"}, TypeError, "has no option colour=; the options are engine, grid"),
    ({"engine": "fast"}, ValueError, "--engine: expected one of auto, jit, interp, emitted; found 'fast'"),
    ({"seed": -1}, ValueError, "--seed: "),
    ({"seed": 1.5}, TypeError, r"seed=\) must be text, a number"),
    ({"record": "f"}, ValueError, "--record is an option of the whole process.*TTL_RECORD"),
    ({"schedule": "replay:f"}, ValueError, "--schedule=replay is an option of the whole process"),
    ({"pass_plugin": "f"}, ValueError, "--pass-plugin is an option of the whole process"),
])
def test_mistakes(given, kind, message):
    with pytest.raises(kind, match=message):
        ttl.options(**given)


def test_options_that_contradict_those_of_an_outer_block():
    with ttl.options(engine="jit"):
        with pytest.raises(ValueError, match="--engine=jit runs stage ttkernel"):
            with ttl.options(stage="buffers"):
                pass
    assert engine_of() == "jit"


def test_values_of_several_kinds():
    assert repr(ttl.options(strict=True, tile_loops=False, grid=(2, 3))) == (
        "ttl.options(strict='1', tile-loops='off', grid='2,3')"
    )


