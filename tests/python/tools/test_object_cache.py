"""The cache of compiled code: other processes use its entries, and results stay the same."""

import concurrent.futures
import os
import stat

import pytest

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
    # A kernel two lines further down is another program, because its errors name other lines.
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


# ===--- Other users ----------------------------------------------------------=== #

NOT_USED = "warning: the folder of compiled code {} is not used: "


def test_a_folder_that_others_write_to_is_not_used(tmp_path):
    assert is_compiled(run(EXAMPLE, "--stats", f"--cache={tmp_path}"))
    tmp_path.chmod(0o777)
    process = run(EXAMPLE, "--stats", f"--cache={tmp_path}", "--", "--hash")
    assert is_compiled(process) and process.returncode == SUCCESS
    assert process.stderr.count(NOT_USED.format(tmp_path) + "other users may write to it; run chmod go-w ") == 1
    tmp_path.chmod(0o700)
    process = run(EXAMPLE, "--stats", f"--cache={tmp_path}", "--", "--hash")
    assert not is_compiled(process) and "not used" not in process.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_folder_of_another_user_is_not_used(tmp_path):
    folder = tmp_path / "ttl-jit"
    assert is_compiled(run(EXAMPLE, "--stats", XDG_CACHE_HOME=str(tmp_path)))
    for file in (folder, *folder.iterdir()):
        os.chown(file, 1234, 1234)
    before = sorted(folder.iterdir())
    process = run(EXAMPLE, "--stats", XDG_CACHE_HOME=str(tmp_path))
    assert is_compiled(process) and process.returncode == SUCCESS
    assert process.stderr.count(NOT_USED.format(folder) + "it belongs to another user (number 1234)") == 1
    assert sorted(folder.iterdir()) == before
    # The interpreter needs no compiled code, so it does not warn about the folder.
    assert "not used" not in run(EXAMPLE, "--engine=interp", XDG_CACHE_HOME=str(tmp_path)).stderr


def test_only_the_user_can_read_and_write_the_files(tmp_path):
    folder = tmp_path / "made"
    run(EXAMPLE, f"--cache={folder}")
    modes = {file.name.partition("-")[0]: stat.S_IMODE(file.stat().st_mode) for file in (folder, *folder.iterdir())}
    assert modes["made"] == 0o700 and modes["key"] == modes["llvmcache"] == 0o600


def test_exchanged_entries_are_compiled_again(tmp_path):
    """Entries with exchanged names are whole and have right checksums, but not for their names."""
    first = run(EXAMPLE, f"--cache={tmp_path}", "--", "--hash")
    other = EXAMPLES / "softmax.py"
    run(other, f"--cache={tmp_path}")
    entries = [file for file in tmp_path.iterdir() if file.name.startswith("llvmcache-")]
    contents = [file.read_bytes() for file in entries]
    assert len(entries) > 1
    for file, content in zip(entries, contents[1:] + contents[:1]):
        file.write_bytes(content)
    again = run(EXAMPLE, "--stats", f"--cache={tmp_path}", "--", "--hash")
    assert is_compiled(again) and hashes(again) == hashes(first)
