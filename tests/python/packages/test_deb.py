"""The Debian packages, which dpkg installs into a copy of the system."""
# SPDX-License-Identifier: Apache-2.0

import os
import re
import shutil
import subprocess

import pytest

import installing
from installing import call

pytestmark = [installing.needs_plain_build,
              pytest.mark.skipif(shutil.which("dpkg-shlibdeps") is None, reason="needs dpkg-dev")]

# Installs the packages into an overlay over the real file system. The source tree is hidden in it.
SCRIPT = """
set -e
mount -t tmpfs none {work}
mkdir {work}/upper {work}/work {work}/root
mount -t overlay none -o lowerdir=/,upperdir={work}/upper,workdir={work}/work {work}/root
mount -t proc none {work}/root/proc
mount -t devtmpfs none {work}/root/dev || mount --rbind /dev {work}/root/dev
mkdir {work}/root/packages
cp {files} {work}/root/packages
mount -t tmpfs none {work}/root{tree}
exec chroot {work}/root bash -e /packages/commands
"""

COMMANDS = """
cd /
dpkg --install /packages/*.deb >/dev/null
ttl-jit run /usr/share/ttl-jit/examples/eltwise_add.py
python3 /packages/kernel.py
ttl-opt --version | grep "LLVM version"
python3 -c "import ttl; print(ttl.__file__)"
dpkg --remove ttl-jit python3-ttl-jit >/dev/null
find /usr /etc /var/lib -xdev -name "*ttl*jit*"
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    return installing.make("deb", "--out", tmp_path_factory.mktemp("deb"))


def control(package):
    text = call("dpkg-deb", "--field", package).stdout
    return dict(re.findall(r"^(\S+): (.*)$", text, re.MULTILINE))


def test_dependencies(packages):
    python, tools = map(control, packages)
    assert python["Package"] == "python3-ttl-jit" and tools["Package"] == "ttl-jit"
    needed = {each.split()[0] for each in python["Depends"].split(", ")}
    # libllvm22 is not in the list, because libmlir-22 depends on it.
    assert {"python3", "python3-numpy", "libmlir-22", "libc6"} <= needed
    assert f"python3-ttl-jit (= {python['Version']})" in tools["Depends"]
    for name in needed:
        status = call("dpkg-query", "-W", "-f", "${db:Status-Status}", name).stdout
        assert status == "installed", name


def test_files(packages):
    python, tools = (call("dpkg-deb", "--contents", each).stdout for each in packages)
    assert "./usr/lib/python3/dist-packages/ttl_jit.pth" in python
    for name in ("ttl-jit", "ttlang-sim", "ttl-opt", "ttl-translate", "ttl-lsp-server", "ttl-diff"):
        assert f"./usr/bin/{name}\n" in tools
    assert "./usr/share/ttl-jit/examples/eltwise_add.py" in tools
    both = python + tools
    assert "__pycache__" not in both and str(installing.ROOT) not in both


def overlay(folder, packages):
    """Runs COMMANDS in a copy of the system with the packages; returns the finished process."""
    work = folder / "system"
    work.mkdir()
    files = [folder / "commands", folder / "kernel.py", *packages]
    files[0].write_text(COMMANDS)
    files[1].write_text(installing.readme_kernel())
    script = SCRIPT.format(work=work, files=" ".join(map(str, files)), tree=installing.ROOT)
    return subprocess.run(["unshare", "--mount", "bash", "-c", script], capture_output=True,
                          text=True, env=installing.ENVIRONMENT)


def can_overlay():
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    probe = "mount -t tmpfs none /mnt && mkdir /mnt/a /mnt/b && mount -t overlay none " \
            "-o lowerdir=/,upperdir=/mnt/a,workdir=/mnt/b /mnt"
    return subprocess.run(["unshare", "--mount", "bash", "-c", probe],
                          capture_output=True).returncode == 0


@pytest.mark.skipif(not can_overlay(), reason="needs root and overlay file systems")
def test_installed_by_dpkg(packages, tmp_path):
    process = overlay(tmp_path, packages)
    assert process.returncode == 0, process.stderr
    assert "max error 0 ulp" in process.stdout
    assert "[2. 2. 2. ... 2. 2. 2.]" in process.stdout
    assert "/usr/lib/python3/dist-packages/ttl_jit/packages/ttl/__init__.py" in process.stdout
    assert process.stdout.splitlines()[-1].endswith("__init__.py"), "removing the packages must leave no file"


def test_unpacked(packages, tmp_path):
    for each in packages:
        call("dpkg-deb", "--extract", each, tmp_path)
    folder = tmp_path / "usr" / "lib" / "python3" / "dist-packages"
    site = f"import site; site.addsitedir({str(folder)!r})\n"
    printed = call("/usr/bin/python3", "-c",
                   site + installing.readme_kernel() + installing.NO_TREE).stdout
    assert "[2. 2. 2. ... 2. 2. 2.]" in printed
    example = tmp_path / "usr" / "share" / "ttl-jit" / "examples" / "eltwise_add.py"
    process = call("/usr/bin/python3", tmp_path / "usr" / "bin" / "ttl-jit", "run", example,
                   environment={"PYTHONPATH": str(folder)})
    assert "max error 0 ulp" in process.stdout
    assert "LLVM" in call(tmp_path / "usr" / "bin" / "ttl-opt", "--version").stdout
