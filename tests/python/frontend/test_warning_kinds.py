"""Warnings of the compiler are Python warnings: with a class, a file and a line, for Python's filters."""
# feature: Warnings

import pathlib
import re
import warnings

import numpy as np
import pytest
import ttl
from ttl import _warnings

ROOT = pathlib.Path(__file__).parents[3]


@ttl.operation(grid=(1, 1))
def careless(a):
    dfb = ttl.make_dataflow_buffer_like(a, shape=(1, 1))

    @ttl.datamovement()
    def reader():
        with dfb.reserve() as block:
            ttl.copy(a[0, 0], block)

    @ttl.compute()
    def compute():
        pass


def line(number):
    return careless.function.__code__.co_firstlineno + number


def launch(filters=(), options="--max-l1=1024"):
    """Returns the warnings of a compilation, as (class, line). A filter is (action, class)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for action, category in filters:
            warnings.simplefilter(action, category)
        careless.compile(np.zeros((32, 32), np.float32), options=options)
    assert {each.filename for each in caught} <= {__file__}
    return {(each.category, each.lineno) for each in caught}


def test_each_warning_has_its_class_and_line():
    found = launch()
    assert {(kind.__name__, at) for kind, at in found} == {
        ("LimitWarning", line(0)), ("UnusedBlockWarning", line(6)), ("TransferWarning", line(7))}


def test_a_filter_silences_one_kind():
    kinds = {kind for kind, _ in launch([("ignore", ttl.UnusedBlockWarning)])}
    assert kinds == {ttl.LimitWarning, ttl.TransferWarning}
    assert launch([("ignore", ttl.KernelWarning)]) == set()


def test_a_filter_makes_a_kind_an_error():
    for _ in range(2):  # a refused kernel is compiled again
        with pytest.raises(ttl.TransferWarning, match="this copy is never waited for") as caught:
            launch([("error", ttl.TransferWarning)])
        error = caught.value
        assert (error.file, error.line, error.column) == (__file__, line(7), 13)
        assert error.render().startswith("warning: this copy")
    assert launch(), "without the filter, the kernel must compile with warnings"


def test_errors_come_before_warnings_that_are_errors():
    with pytest.raises(ttl.CompileError, match="--max-l1 allows only 1024"):
        launch([("error", ttl.KernelWarning)], options="--max-l1=1024 --strict")


def test_every_kind_of_the_compiler_is_a_class():
    text = (ROOT / "ir" / "Messages" / "Warnings.cpp").read_text()
    names = set(re.findall(r'return "(\w+Warning)"', text))
    assert names | {"OptionWarning"} == set(_warnings.KINDS)
    assert all(getattr(ttl, name) is _warnings.KINDS[name] for name in _warnings.KINDS)


def test_other_warnings_keep_their_format():
    text = warnings.formatwarning(UserWarning("old"), UserWarning, "f.py", 3, "x = 1")
    assert text == "f.py:3: UserWarning: old\n  x = 1\n"
    own = warnings.formatwarning(ttl.OptionWarning("no effect"), ttl.OptionWarning, "f.py", 3)
    assert own == "warning: no effect\n"
