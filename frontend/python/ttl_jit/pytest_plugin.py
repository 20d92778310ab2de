"""A plugin of pytest: tests of TT-Lang kernels run on the emulated device.

    python3 -m pytest -p ttl_jit.pytest_plugin tests
"""
# SPDX-License-Identifier: Apache-2.0

import functools
import inspect

import pytest

import ttl_jit

_finder = ttl_jit.activate()

MARKERS = (
    "requires_device: the test runs kernels; the emulated device is always there",
    "multi_device: the test needs several devices",
    "hybrid_allocator: the test needs an allocator of the driver; ignored here",
    "matmul_tutorial_ttnn: the test needs ttnn",
    "matmul_tutorial_no_ttnn: the test needs no ttnn",
)


def pytest_configure(config):
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


def _accept_exc_type():
    """Makes importorskip() accept exc_type=ImportError. pytest before 8.2 does not know this
    argument, but catches ImportError anyway."""
    original = pytest.importorskip
    if "exc_type" in inspect.signature(original).parameters:
        return

    @functools.wraps(original)
    def importorskip(modname, minversion=None, reason=None, *, exc_type=None):
        return original(modname, minversion, reason)

    pytest.importorskip = importorskip


_accept_exc_type()


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path, parent):
    """Tells the finder in which folder the test file is."""
    _finder.folder = str(module_path.parent)


@pytest.fixture
def ttnn_device():
    """Returns the emulated device."""
    from ttl import ttnn

    device = ttnn.open_device(device_id=0)
    yield device
    ttnn.close_device(device)


@pytest.fixture
def device(ttnn_device):
    """Returns the emulated device."""
    return ttnn_device
