"""The notebook of the examples runs without a window, and its page is right in a browser."""
# SPDX-License-Identifier: Apache-2.0

import importlib.util
import json
import os
import re
import shutil
import subprocess
import time

import pytest

import installing

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [installing.needs_plain_build] + [
    pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"needs {name}")
    for name in ("nbconvert", "ipykernel")]


def convert(kind, folder, environment):
    """Executes the wheel's notebook with the Python of the wheel's environment."""
    installing.call(environment.python, "-m", "ipykernel", "install", "--prefix", folder, "--name",
                    "clean", environment={"HOME": folder})
    installing.call(
        environment.python, "-m", "nbconvert", "--execute", "--to", kind, "--output-dir", folder,
        "--ExecutePreprocessor.kernel_name=clean", environment.package / "examples" / "notebook.ipynb",
        environment={"HOME": folder, "JUPYTER_PATH": folder / "share" / "jupyter"}, timeout=300)


def outputs(cell):
    """Returns the text of a cell's outputs, and their HTML."""
    plain, html = [], []
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        plain += output.get("text", []) + data.get("text/plain", [])
        html += data.get("text/html", [])
    return "".join(plain), "".join(html)


def test_the_cells(tmp_path, environment):
    convert("notebook", tmp_path, environment)
    cells = json.loads((tmp_path / "notebook.ipynb").read_text())["cells"]
    shown = {"".join(cell["source"]): outputs(cell) for cell in cells if cell["cell_type"] == "code"}

    def of(start):
        (found,) = [result for source, result in shown.items() if start in source]
        return found

    assert of("np.array_equal")[0] == "True"
    assert "ttl.tile_mul_unary" in of("%ttl ir dst")[0]
    text, html = of("scale.compile")
    assert text.startswith("<kernel scale(a: (64, 128) float32")
    assert html.count("<svg") == 2 and html.count("<details>") == 10
    assert of("kernel(a, y)")[0] == "(1, 16)"
    assert "warning: this copy is never waited for" in of("careless(a)")[0]
    assert "ttl.copy(a[0, 0], block)" in of("careless(a)")[0], "the warning must quote the cell's line"


@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
def test_the_page_in_a_browser(tmp_path, environment):
    convert("html", tmp_path, environment)
    process = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
         f"--user-data-dir={tmp_path / 'browser'}", (tmp_path / "notebook.html").as_uri()],
        capture_output=True, text=True, timeout=120)
    page = process.stdout
    bars = re.findall(r'<rect x="[0-9.]+" y="0" width="([0-9.]+)"', page)
    assert [float(width) for width in bars] == [320, 320], "both buffers have the same size"
    assert page.count("<circle") >= 2 and "L1 from 0x" in page


ENDLESS = """
import numpy as np, ttl

@ttl.operation(grid=(1, 1))
def endless(a):
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))
    flag = ttl.Semaphore()

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(a[0, 0], block).wait()
        if ends:
            return
        while True:
            flag.set(1)

    @ttl.datamovement()
    def writer():
        dfb.wait().pop()

ends = True
endless(np.zeros((32, 32), np.float32))
ends = False
print("begins", flush=True)
endless(np.zeros((32, 32), np.float32))
"""


def test_ctrl_c_ends_a_launch_and_keeps_the_kernel(tmp_path, environment, monkeypatch):
    manager = pytest.importorskip("jupyter_client.manager")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith(("TTL_", "PYTHONPATH"))]:
        monkeypatch.delenv(name)
    kernel = manager.KernelManager()
    kernel.kernel_spec.argv[0] = str(environment.python)
    kernel.start_kernel(cwd=tmp_path)
    client = kernel.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)

        def interrupt(message):
            if message["content"].get("text") == "begins\n":
                time.sleep(0.3)  # until the launch has begun
                kernel.interrupt_kernel()

        reply = client.execute_interactive(ENDLESS, timeout=60, stop_on_error=False, output_hook=interrupt)
        assert reply["content"]["ename"] == "KeyboardInterrupt", reply["content"]
        lines = []
        again = "ends = True; endless(np.zeros((32, 32), np.float32)); print('goes on')"
        reply = client.execute_interactive(
            again, timeout=60, output_hook=lambda message: lines.append(message["content"].get("text")))
        assert reply["content"]["status"] == "ok" and "goes on\n" in lines
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
