# SPDX-License-Identifier: Apache-2.0
"""Campaigns (many jobs in several processes): on this machine, on a Dask cluster, with crashes, resumed."""

import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import time

import pytest
from ttl_jit import campaign
from ttl_jit.campaign import _journal, _places

sys.path.insert(0, os.path.dirname(__file__))
FOLDER = pathlib.Path(__file__).parent


def answers(numbers, place, batch=4, seconds=60.0, function="square"):
    jobs = (campaign.Job(str(number), number) for number in numbers)
    found = campaign.run(f"campaign_jobs:{function}", jobs, place, batch, seconds)
    return {job.arguments: answer for job, answer in found}


def check_answers(place):
    found = answers([1, 2, 13, 3, 19, 4], place)
    assert {number: answer.value for number, answer in found.items()} == {1: 1, 2: 4, 13: None, 3: 9, 19: None, 4: 16}
    assert found[13].failure == "the process ended: signal SIGABRT"
    assert "ValueError: nineteen" in found[19].failure and found[4].failure == ""


def test_a_crash_and_an_exception_are_answers():
    check_answers(_places.Workers(2))


def test_a_hang_is_an_answer_and_the_jobs_after_it_run():
    found = answers([5, 17, 6], _places.Workers(1), seconds=1.0)
    assert found[17].failure == "the process ended: more than 1 s"
    assert (found[5].value, found[6].value) == (25, 36)


def test_jobs_run_in_other_processes_up_to_a_batch_in_each():
    found = answers(range(8), _places.Workers(2), batch=4, function="process")
    processes = [answer.value for answer in found.values()]
    assert os.getpid() not in processes
    assert sorted(map(processes.count, set(processes))) == [4, 4]


def test_batches_of_a_list_are_smaller_at_the_end():
    jobs = [campaign.Job(str(number), number) for number in range(24)]
    processes = [answer.value for _, answer in campaign.run("campaign_jobs:process", jobs, _places.Workers(2), 8)]
    assert sorted(map(processes.count, set(processes))) == [1, 1, 1, 3, 4, 4, 4, 6]


def children():
    """Returns the children of this process that still exist; other tests may have left some."""
    found = set()
    for task in pathlib.Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # a thread of another campaign may have ended
            found.update(map(int, (task / "children").read_text().split()))
    return found


def test_a_campaign_that_is_left_ends_its_children():
    start, before = time.monotonic(), children()
    for job, _ in campaign.run("campaign_jobs:square", (campaign.Job(str(n), n) for n in (1, 17, 17)),
                               _places.Workers(2)):
        assert job.key == "1"
        break
    assert time.monotonic() - start < 30
    assert children() <= before


# ===--------------------------------------------------------------------------=== #
# Journals
# ===--------------------------------------------------------------------------=== #


def noted(tmp_path, journal, numbers):
    jobs = (campaign.Job(f"job {number}", [str(tmp_path / "call"), number]) for number in numbers)
    found = campaign.run("campaign_jobs:noted", jobs, _places.Workers(2), journal=journal)
    return sorted(answer.value for _, answer in found)


def test_a_resumed_campaign_runs_the_missing_jobs(tmp_path):
    path = tmp_path / "journal"
    assert noted(tmp_path, _journal.Journal(path, ["facts"]), [1, 3]) == [1, 3]
    with open(path, "ab") as stream:
        stream.write(b'["job 2", 2')  # the process was killed while it wrote this line
    assert noted(tmp_path, _journal.Journal(path, ["facts"]), range(5)) == [0, 1, 2, 3, 4]
    assert noted(tmp_path, _journal.Journal(path, ["facts"]), range(5)) == [0, 1, 2, 3, 4]
    assert all((tmp_path / f"call{number}").read_text() == "x" for number in range(5))


def test_a_journal_of_something_else_is_refused_and_kept(tmp_path):
    path = tmp_path / "journal"
    _journal.Journal(path, ["facts"])
    with pytest.raises(ValueError, match="is the journal of a campaign with other options"):
        _journal.Journal(path, ["other facts"])
    path.write_text("a text of the user\n")
    with pytest.raises(ValueError, match="is no journal of a campaign"):
        _journal.Journal(path, ["facts"])
    assert path.read_text() == "a text of the user\n"
    for other in (tmp_path, "/dev/full", "/dev/zero"):
        with pytest.raises(ValueError, match="expected a file, found a folder or device"):
            _journal.Journal(other, ["facts"])


# ===--------------------------------------------------------------------------=== #
# Clusters
# ===--------------------------------------------------------------------------=== #


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Starts a Dask scheduler with one worker; returns its address."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli."]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], str(FOLDER)])}
    started = [subprocess.Popen([*dask[:2], dask[2] + name, *words, "--scheduler-file", str(file), "--no-dashboard"],
                                env=environment, cwd=folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
               for name, words in (("dask_scheduler", ["--port=0", "--host=127.0.0.1"]),
                                   ("dask_worker", ["--nthreads=2", "--no-nanny"]))]
    import json

    from distributed import Client

    deadline = time.monotonic() + 120
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    address = json.loads(file.read_text())["address"]
    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=120)
    yield address
    for process in started:
        process.terminate()
        process.wait(timeout=60)


def test_a_cluster_answers_as_this_machine_does(scheduler):
    place = _places.Cluster(scheduler)
    assert place.count == 2
    check_answers(place)


def test_an_address_without_a_scheduler():
    pytest.importorskip("distributed")
    with pytest.raises(ValueError, match="no Dask scheduler answers at nowhere:1"):
        _places.Cluster("nowhere:1")


def test_without_dask_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match="install the Debian package python3-distributed"):
        _places.Cluster("tcp://localhost:8786")


def test_workers_and_a_cluster_exclude_each_other():
    parser = argparse.ArgumentParser()
    campaign.add_options(parser)
    with pytest.raises(ValueError, match="exclude each other"):
        campaign.place_of(parser.parse_args(["--workers=2", "--cluster=tcp://a:1"]))
    assert campaign.place_of(parser.parse_args(["--jobs=3"])).count == 3


def test_the_commands_use_the_cluster(scheduler, tmp_path):
    from running import TTL_JIT

    script = tmp_path / "script.py"
    text = (FOLDER.parents[1] / "tools" / "test_tune.py").read_text().split("'''")[1]
    # ttl-diff compares runs, so the script must use the same numbers in each run.
    script.write_text(text.replace("np.random.rand(32 * ROWS, 32)", "np.full((32 * ROWS, 32), 0.5)"))
    tune = [TTL_JIT, "tune", script, "--param", "WIDTH=1,2", "--json"]
    here = subprocess.run(tune, capture_output=True, text=True, timeout=300)
    there = subprocess.run([*tune, f"--cluster={scheduler}"], capture_output=True, text=True, timeout=300)
    assert here.returncode == there.returncode == 0, there.stderr
    assert here.stdout == there.stdout
    diff = subprocess.run(["/usr/bin/python3", TTL_JIT.parent / "ttl-diff", script, f"--cluster={scheduler}",
                           "--schedules=fair", "--dma=", "--no-reduce", f"--found={tmp_path}"],
                          capture_output=True, text=True, timeout=300)
    assert diff.returncode == 0 and diff.stdout.startswith("1 program, "), diff.stderr
