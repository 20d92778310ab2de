# SPDX-License-Identifier: Apache-2.0
"""Operations with a device domain that have no tensors run on the open mesh."""

import re
import subprocess

import pytest
import ttl
import ttnn
from meshes import opened
from running import BUILD

ENGINES = ["--engine=jit", "--engine=interp", "--engine=emitted", "--stage=ttl", "--schedule=parallel(2)",
           "--engine=jit --schedule=random --seed=3", "--check=race,protocol,memory"]


class Float32:
    """Has the element type of a block, which is all that make_dataflow_buffer_like needs."""

    dtype = ttnn.float32


def exchange_of(domain):
    """Returns an operation in which node (1, 0) of each device sends a block to node (0, 0) of each other one."""
    net = ttl.PipeNet(graph=ttl.TransferGraph.all_to_all(domain), pipes=[ttl.Pipe(src=(1, 0), dst=(0, 0))])
    others = len(domain) - 1

    @ttl.operation(grid=(2, 1), device_domain=domain)
    def exchange():
        sent, got = (ttl.make_dataflow_buffer_like(Float32(), shape=(1, 1)) for _ in range(2))

        @ttl.compute()
        def fill():
            column, _ = ttl.node(dims=2)
            if column == 1:
                for _ in range(others):
                    with sent.reserve() as block:
                        block.store(ttl.math.fill(block, 7.5))

        @ttl.datamovement()
        def send():
            def give(pipe):
                with sent.wait() as block:
                    ttl.copy(block, pipe).wait()

            net.if_src(give)

        @ttl.datamovement()
        def receive():
            def take(pipe):
                with got.reserve() as block:
                    ttl.copy(pipe, block).wait()
                with got.wait() as block:
                    print(f"{domain.current_index()} {pipe.source_device_index}")
                    print(block)

            net.if_dst(take)

    return exchange


def pairs(text):
    """Returns the printed pairs of a receiver and its sender, and whether each block had 7.5."""
    found = sorted(tuple(map(int, each)) for each in re.findall(r": (\d) (\d)$", text, re.MULTILINE))
    return found, text.count("7.5") > 0


@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize("shape", [(1, 2), (2, 2), (4,)])
def test_they_run_on_the_open_mesh(options, shape, capsys):
    domain = ttl.DeviceDomain(shape)
    with opened(*shape):
        exchange_of(domain)(options=options)
    count = len(domain)
    assert pairs(capsys.readouterr().out) == ([(a, b) for a in range(count) for b in range(count) if a != b], True)


def test_compiled_kernels_run_on_the_open_mesh(capsys):
    kernel = exchange_of(ttl.DeviceDomain((1, 2))).compile()
    with opened(1, 2):
        kernel()
    assert pairs(capsys.readouterr().out)[0] == [(0, 1), (1, 0)]
    with pytest.raises(ValueError, match="runs on 2 devices and has no tensors, and no mesh is open"):
        kernel()


def test_one_device_needs_no_mesh(capsys):
    domain = ttl.DeviceDomain((1, 1))

    @ttl.operation(grid=(1, 1), device_domain=domain)
    def hello():
        @ttl.datamovement()
        def say():
            print(domain.current_index())

    hello()
    assert capsys.readouterr().out == "(0, 0) say: 0\n"


def test_refusals():
    with pytest.raises(ValueError) as error:
        exchange_of(ttl.DeviceDomain((1, 2)))()
    assert str(error.value) == ("operation exchange() runs on 2 devices and has no tensors, and no mesh is open: open "
                                "one with ttnn.open_mesh_device")
    with opened(1, 2), pytest.raises(ValueError) as error:
        exchange_of(ttl.DeviceDomain((2, 2)))()
    assert str(error.value) == ("operation exchange(): device_domain=DeviceDomain((2, 2)) does not match the open mesh "
                                "(1, 2)")


SCRIPT = '''
import ttl
import ttnn

domain = ttl.DeviceDomain((1, 2))


@ttl.operation(grid=(1, 1), device_domain=domain)
def hello():
    @ttl.datamovement()
    def say():
        print("I am", domain.current_index())


mesh = ttnn.open_mesh_device(ttnn.MeshShape(1, 2))
hello()
'''


def test_emitted_programs_repeat_the_launch(tmp_path):
    script, out = tmp_path / "script.py", tmp_path / "out"
    script.write_text(SCRIPT)
    run = {"capture_output": True, "text": True, "cwd": tmp_path}
    first = subprocess.run([BUILD / "bin/ttl-jit", "run", "--mesh=1x2", f"--emit={out}", script], **run)
    again = subprocess.run(["/usr/bin/python3", "-W", "ignore", out / "run_on_device.py"], **run)
    assert first.returncode == again.returncode == 0, first.stderr + again.stderr
    assert "I am 0" in again.stdout and "I am 1" in again.stdout
    assert again.stdout.endswith("pass: launch 1 of hello: it has no tensors, so nothing is compared\n")
