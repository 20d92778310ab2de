# SPDX-License-Identifier: Apache-2.0
"""inspect.signature() and help() show the parameters of every public function and class of ttl and ttnn."""

import inspect
import pydoc
import re
import types

import pytest
import ttl
import ttnn

# Programs do not construct these classes of the C++ extension: they use only their members and
# functions.
NOT_CONSTRUCTED = {"BufferType", "DataType", "Device", "Layout", "MeshDevice", "ShardDistributionStrategy",
                   "ShardOrientation", "TensorMemoryLayout"}
# C++ implements the constructors of these classes. Their docstrings begin with the call.
OF_THE_EXTENSION = {"CoreCoord", "MemoryConfig", "ShardSpec"}


def public_names(package, without=()):
    for name in sorted({*dir(package), *getattr(package, "__all__", ())} - {*without}):
        value = getattr(package, name)
        if not name.startswith("_") and callable(value) and not isinstance(value, types.ModuleType):
            yield pytest.param(value, id=f"{package.__name__}.{name}")


@pytest.mark.parametrize("value", [*public_names(ttl), *public_names(ttnn, NOT_CONSTRUCTED)])
def test_a_public_name_has_a_signature(value):
    assert isinstance(inspect.signature(value), inspect.Signature)


@pytest.mark.parametrize("value", [*public_names(ttl), *public_names(ttnn)])
def test_a_public_name_has_help(value):
    text = pydoc.render_doc(value, renderer=pydoc.plaintext)
    assert inspect.getdoc(value).splitlines()[0] in text


@pytest.mark.parametrize("name", sorted(OF_THE_EXTENSION))
def test_the_docstring_of_a_class_of_the_extension_shows_the_call(name):
    assert f"ttnn.{name}(" in inspect.getdoc(getattr(ttnn, name))


@pytest.mark.parametrize("name", sorted(OF_THE_EXTENSION))
def test_the_signature_of_a_class_of_the_extension_names_its_parameters(name):
    owner = getattr(ttnn, name)
    calls = [line for line in owner.__init__.__doc__.split("\n") if "__init__(" in line]  # one for each overload
    of_pybind = dict.fromkeys(re.findall(r", (\w+):", "\n".join(calls)))
    assert list(inspect.signature(owner).parameters) == list(of_pybind)


def test_the_signature_of_a_class_is_that_of_its_constructor():
    assert list(inspect.signature(ttl.Pipe).parameters)[:2] == ["src", "dst"]
    assert list(inspect.signature(ttl.DataflowBuffer).parameters)[0] != "self"
    assert "\n |  Pipe(src=None, dst=None" in pydoc.render_doc(ttl.Pipe, renderer=pydoc.plaintext)


def test_a_default_that_is_no_literal_is_shown_by_dots():
    assert str(inspect.signature(ttl.TensorAccessor)) == "(tensor, index_type=Ellipsis)"


def test_instances_have_signatures_of_their_own():
    pipe = ttl.Pipe((0, 0), (1, 0))
    with pytest.raises(TypeError, match="not a callable object"):
        inspect.signature(pipe)
    with pytest.raises(AttributeError, match="__signature__"):
        pipe.__signature__
