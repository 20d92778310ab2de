# SPDX-License-Identifier: Apache-2.0
"""Operands, options and results of the functions of ttnn.

A result has the type, the layout and the device of the first tensor, unless an option says
otherwise.
"""

import inspect
import math
import numbers
import operator

import numpy as np

import _ttjit

from .storage import is_torch, kind_of, numbers_of, to_storage
from .types import INTEGERS, Shape, as_dtype

# Options that change the result of a function.
_RESULT_OPTIONS = ("dtype", "memory_config", "output_tensor", "layout")
# Other names of the option output_tensor.
_OUTPUT_NAMES = ("output_tensor", "optional_output_tensor", "output")
# Options that select how a device computes. They do not change results on the host.
_DEVICE_OPTIONS = frozenset(
    "queue_id cq_id sub_core_grids sub_core_grid compute_kernel_config program_config core_grid "
    "fast_and_approximate_mode vector_mode use_legacy numeric_stable sub_device_id "
    "use_1d_systolic_array global_cb math_approx_mode".split()
)


def is_tensor(value):
    return isinstance(value, _ttjit.Tensor)


def is_number(value):
    return isinstance(value, numbers.Real)


def check_tensor(value, name):
    if is_tensor(value):
        return value
    hint = ""
    if is_torch(value) or isinstance(value, np.ndarray):
        hint = "; convert it with ttnn.from_torch or ttnn.from_numpy first"
    raise TypeError(f"{name}: expected a ttnn.Tensor, found {kind_of(value)}{hint}")


def integer_of(value, name):
    """Returns the value as an integer, which must fit in 63 bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: expected an integer") from None
    if abs(number) >= 2**62:
        raise ValueError(f"{name}={number}: the number is too large")
    return number


def check_size(name, shape):
    """Fails for a shape that no memory can hold, before numpy tries to allocate it."""
    if math.prod(max(int(extent), 1) for extent in shape) > 2**44:
        raise ValueError(f"ttnn.{name}(): the result has shape {tuple(shape)}, more than 2^44 "
                         "elements")


def axis_of(dim, rank, name="dim"):
    """Returns the number of a dimension, counted from 0."""
    if isinstance(dim, (bool, float)) or not is_number(dim):
        raise TypeError(f"{name}={dim!r}: expected an integer")
    if not -max(rank, 1) <= dim < max(rank, 1):
        raise ValueError(f"{name}={dim}: the tensor has {rank} dimensions")
    return int(dim) % max(rank, 1)


def axes_of(dims, rank, name="dim"):
    """Returns the numbers of dimensions, counted from 0, as a tuple. None means all dimensions."""
    if dims is None:
        return tuple(range(rank))
    found = [axis_of(each, rank, name) for each in (dims if np.iterable(dims) else [dims])]
    if len(set(found)) != len(found):
        raise ValueError(f"{name}={dims!r}: a dimension is named twice")
    return tuple(found) if rank else ()


def check_options(name, options):
    for option in options:
        if option not in _DEVICE_OPTIONS and option not in _RESULT_OPTIONS + _OUTPUT_NAMES:
            known = ", ".join(_RESULT_OPTIONS)
            raise TypeError(f"ttnn.{name}() has no option '{option}'; its options are: {known}")


def _memory_for(like, shape):
    """Returns the memory of `like`, unless its shards do not fit the shape."""
    memory = like.memory_config()
    return None if memory.is_sharded() and tuple(like.shape) != tuple(shape) else memory


def finish(name, like, array, options, dtype=None, is_storage=False):
    """Returns the result of a function as a tensor, or writes it to the tensor that the options
    name. The array holds numbers; with is_storage it holds elements in the host format of the type
    of `like`."""
    check_options(name, options)
    output = next((options[each] for each in _OUTPUT_NAMES if options.get(each) is not None), None)
    if output is not None:
        return write(output, array, "output_tensor")
    chosen = options.get("dtype")
    dtype = as_dtype(chosen) if chosen is not None else dtype or like.dtype
    memory = options.get("memory_config")
    memory = _memory_for(like, np.shape(array)) if memory is None else memory
    layout = options.get("layout")
    layout = like.layout if layout is None else layout
    array = array if is_storage else to_storage(np.asarray(array), dtype)
    return like.similar(array, dtype, layout, memory)


def write(tensor, array, name):
    """Replaces the elements of a tensor and returns the tensor."""
    check_tensor(tensor, name)
    if tuple(tensor.shape) != np.shape(array):
        raise ValueError(f"{name} has shape {tuple(tensor.shape)}, but the result has shape "
                         f"{np.shape(array)}")
    tensor.write_bits(to_storage(np.asarray(array), tensor.dtype))
    return tensor


def result_shape(name, shapes):
    """Returns the shape to which operands of these shapes are broadcast."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        found = " and ".join(str(tuple(shape)) for shape in shapes)
        raise ValueError(f"ttnn.{name}(): shapes {found} cannot be broadcast: from the right, "
                         "extents must be equal or 1") from None


def _operand(name, value, argument, integral):
    """Returns a tensor's elements as an array, or a number, rounded to float32 unless `integral`."""
    if is_tensor(value):
        return numbers_of(value)
    if not is_number(value):
        check_tensor(value, f"ttnn.{name}(): {argument}")
    if not integral:
        return np.float64(np.float32(value))
    if int(value) != value:
        raise TypeError(f"ttnn.{name}(): {argument}={value!r} with tensors of integers: expected "
                        "an integer; convert the tensor with ttnn.typecast")
    return np.int64(int(value))


def compute(name, function, operands, integers):
    """Applies `function` to operands; these are a dictionary from argument names to tensors and
    numbers. `integers` says whether the function accepts tensors of integers."""
    tensors = [value for value in operands.values() if is_tensor(value)]
    if not tensors:
        argument, value = next(iter(operands.items()))
        check_tensor(value, f"ttnn.{name}(): {argument}")
    integral = all(tensor.dtype in INTEGERS for tensor in tensors)
    if integral and not integers:
        raise TypeError(f"ttnn.{name}() of {tensors[0].dtype.name.lower()}: only floats are "
                        "supported; convert the tensor with ttnn.typecast")
    values = [_operand(name, value, key, integral) for key, value in operands.items()]
    result_shape(name, [np.shape(value) for value in values])
    with np.errstate(all="ignore"):
        return function(*values)


def signature_of(parameters, summary_options=True):
    """Returns a signature with positional parameters, which are a dictionary from names to
    defaults, and options."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    found = [inspect.Parameter(key, kind, default=value) for key, value in parameters.items()]
    if summary_options:
        found.append(inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD))
    return inspect.Signature(found)


_ONE = """\
The operand is a tensor of any shape. The result has its shape, type, layout and device unless an
option says otherwise. Raises a TypeError for an argument that is no tensor, or whose type the
function does not take.
"""
_SEVERAL = """\
The operands are tensors or numbers, at least one of them a tensor; their shapes are broadcast. The
result has the type, layout and device of the first tensor unless an option says otherwise. Raises a
TypeError for other arguments, and a ValueError for shapes that cannot be broadcast.
"""


def _is_operand(name):
    return name.startswith("input_tensor")


def _example(name, signature):
    """Returns an example of a call. The operands are the tensor `x`, or `i` if the function takes only
    integers; other parameters without defaults are 0.5."""
    tensor = "i" if name.startswith("bitwise_") else "x"
    required = [each.name for each in signature.parameters.values()
                if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD]
    arguments = ", ".join(tensor if _is_operand(each) else "0.5" for each in required)
    made = "i = ttnn.ones((32, 64), dtype=ttnn.int32)\n    " if tensor == "i" else ""
    return f"{made}y = ttnn.{name}({arguments})"


def docstring(name, signature, summary, example=None):
    """Returns the docstring of a function of the elements of tensors."""
    count = sum(map(_is_operand, signature.parameters))
    call = example or _example(name, signature)
    return f"{summary}\n\n{_ONE if count == 1 else _SEVERAL}\nExample:\n\n    {call}\n"


def define(namespace, name, signature, body, summary, example=None):
    """Defines a function in a module. `body` gets the arguments as a dictionary by name."""

    def function(*args, **kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"ttnn.{name}(): {error}") from None
        bound.apply_defaults()
        return body(bound.arguments)

    function.__name__ = function.__qualname__ = name
    function.__module__ = namespace["__name__"]
    function.__doc__ = docstring(name, signature, summary, example)
    function.__signature__ = signature
    namespace[name] = function
    namespace["__all__"].append(name)


REQUIRED = inspect.Parameter.empty


def check_shape(shape, name="shape"):
    try:
        return Shape(shape)
    except TypeError:
        raise TypeError(f"{name}={shape!r}: expected a sequence of integers") from None
