"""The cache of compiled code: other processes use it, and nothing else changes."""

import concurrent.futures

from running import EXAMPLES, RUNTIME_FAULT, SUCCESS, USAGE, hashes, run

EXAMPLE = EXAMPLES / "eltwise_add.py"
FAULT = """
import numpy as np, ttl, ttnn

@ttl.operation(grid=(1, 1))
def shift(a, y):
    buffer = ttl.make_dataflow_buffer_like(a, shape=(1, 1), block_count=2)

    @ttl.datamovement()
    def reader():
        for i in range(3):
            with buffer.reserve() as block:
                ttl.copy(a[0, ttl.node(dims=2)[0] + i], block).wait()

    @ttl.datamovement()
    def writer():
        for i in range(3):
            with buffer.wait() as block:
                ttl.copy(block, y[0, i]).wait()

device = ttnn.open_device(device_id=0)
a, y = (ttnn.from_numpy(np.zeros((32, 64), np.float32), dtype=ttnn.float32,
                        layout=ttnn.TILE_LAYOUT, device=device) for _ in range(2))
shift(a, y)
"""


def is_compiled(process):
    assert "jit-load" in process.stderr, process.stderr
    return "jit-generate" in process.stderr


def test_the_next_process_uses_the_code(tmp_path):
    folder = tmp_path / "new" / "folder"
    runs = [run(EXAMPLE, "--stats", f"--cache={folder}", "--", "--hash") for _ in range(2)]
    assert [is_compiled(process) for process in runs] == [True, False]
    off = run(EXAMPLE, "--stats", "--cache=off", "--", "--hash")
    assert is_compiled(off)
    assert hashes(runs[0]) == hashes(runs[1]) == hashes(off)


def test_the_default_folder_is_the_users(tmp_path):
    assert is_compiled(run(EXAMPLE, "--stats", XDG_CACHE_HOME=str(tmp_path)))
    assert list((tmp_path / "ttl-jit").iterdir())
    assert not is_compiled(run(EXAMPLE, "--stats", XDG_CACHE_HOME=str(tmp_path)))
    assert is_compiled(run(EXAMPLE, "--stats", XDG_CACHE_HOME=str(tmp_path), TTL_CACHE="off"))


def test_deleted_and_damaged_files_are_compiled_again(tmp_path):
    first = run(EXAMPLE, "--stats", f"--cache={tmp_path}", "--", "--hash")
    for damage in (lambda file: file.unlink(), lambda file: file.write_bytes(b""),
                   lambda file: file.write_bytes(file.read_bytes()[:-9] + b"?" * 9)):
        for file in tmp_path.iterdir():
            damage(file)
        again = run(EXAMPLE, "--stats", f"--cache={tmp_path}", "--", "--hash")
        assert is_compiled(again) and hashes(again) == hashes(first)
        assert not is_compiled(run(EXAMPLE, "--stats", f"--cache={tmp_path}"))


def test_processes_share_the_folder(tmp_path):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        arguments = [EXAMPLE, f"--cache={tmp_path}", "--", "--hash"]
        runs = list(pool.map(lambda _: run(*arguments), range(8)))
    assert len({tuple(hashes(process)) for process in runs}) == 1
    assert not is_compiled(run(EXAMPLE, "--stats", f"--cache={tmp_path}"))


def test_faults_name_the_same_lines(tmp_path):
    script = tmp_path / "fault.py"
    script.write_text(FAULT)
    runs = [run(script, f"--cache={tmp_path / 'cache'}") for _ in range(2)]
    assert [process.returncode for process in runs] == [RUNTIME_FAULT] * 2
    assert runs[0].stderr == runs[1].stderr
    assert "fault.py:12:" in runs[0].stderr
    # The same kernel, two lines further down, is another program.
    script.write_text("\n\n" + FAULT)
    assert "fault.py:14:" in run(script, f"--cache={tmp_path / 'cache'}").stderr


def test_a_folder_that_cannot_be_made_is_a_usage_error(tmp_path):
    (tmp_path / "file").write_text("")
    process = run(EXAMPLE, f"--cache={tmp_path / 'file' / 'folder'}")
    assert process.returncode == USAGE
    assert "--cache: " in process.stderr


def test_a_default_folder_that_cannot_be_made_changes_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    assert run(EXAMPLE, XDG_CACHE_HOME=str(tmp_path / "file")).returncode == SUCCESS
