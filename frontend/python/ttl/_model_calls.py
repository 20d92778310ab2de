# ===- _model_calls.py - functions of a module as Python objects --------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A function of a module that ttl.load_mlir() has read is a callable object: it moves its arguments to the
# device, launches kernels, and runs its other steps as functions of numpy (_model_functions.py).
# ===--------------------------------------------------------------------------=== #

import contextlib
import importlib
import math
import time

import numpy as np

import _ttjit
from ttl import _capture, _errors, _long_runs, _model_functions
from ttl._location import Location
from ttl._model_values import ON_DEVICE, Type, Values, on_device, storage_text, type_text
from ttl._ttnn import package, words

is_torch = importlib.import_module(f"{package.__name__}.storage").is_torch


class _Step:
    """A launch of a kernel, a move of a tensor, or a function of the host."""

    def __init__(self, name, is_kernel, operands, results, attributes, place):
        self.name, self.is_kernel = name, is_kernel
        self.operands, self.results = operands, results
        self.attributes, self.place = attributes, Location(*place)
        self.calls, self.seconds = 0, 0.0

    @property
    def is_move(self):
        return self.name == "to_layout" and not self.is_kernel

    @property
    def is_storage(self):
        return self.name == "empty" and not self.is_kernel


@_ttjit.public_methods
class ModelFunction:
    """A function of a module that ttl.load_mlir() has read. Calling it with its tensors runs it and
    returns a tensor for each of its results: a tuple if there are several.

    Arguments are numpy arrays, torch tensors or tensors of ttnn; results are of the same kind. A
    bf16 result is a float32 array of numpy.

    Raises a TypeError for an argument of another shape or type, a ttl.RuntimeFault for a fault of a
    kernel, and a ttl.ResourceError if the memory of the process is too small.

    Example:

        text = '''func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
          %0 = "ttir.exp"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
          return %0 : tensor<4x8xf32>
        }'''
        model = ttl.load_mlir(text)
        y = model.main(np.zeros((4, 8), np.float32))
        print(model.main.report())
    """

    def __init__(self, record, kernels, device):
        self._device = device  # the device for which the kernels are compiled
        self.name, self._place = record["name"], Location(*record["place"])
        self._types = [Type(*each) for each in record["types"]]
        self._arguments, self._results = record["arguments"], record["results"]
        self._written = [number for number, written in zip(self._arguments, record["written"]) if written]
        self._direct = [number for number, direct in zip(self._arguments, record["direct"]) if direct]
        self._steps = [_Step(*each) for each in record["steps"]]
        self._kernels = {step.name: kernels[step.name] for step in self._steps if step.is_kernel}
        self._last_uses = self._find_last_uses()
        self._only_moved = self._find_only_moved()
        self._free = {}  # type -> tensors on the device that no call uses
        self._is_large = _long_runs.is_large(kind.shape for kind in self._types)

    @property
    def kernels(self):
        """The kernels that the function launches, in order: ttl.MlirKernel objects."""
        return list(self._kernels.values())

    @property
    def arguments(self):
        """The types of the arguments, as text."""
        return [type_text(self._types[number]) for number in self._arguments]

    @property
    def results(self):
        """The types of the results, as text."""
        return [type_text(self._types[number]) for number in self._results]

    @property
    def layouts(self):
        """The layout of each tensor on the device: a list of (type, text about its pages)."""
        found = {}
        for kind in self._types:
            if kind.storage:
                found[type_text(kind), storage_text(kind)] = None
        return list(found)

    def random_argument(self, number, seed=0):
        """Returns an array for an argument: floats from -1 to 1, integers from 0 to 9, truth
        values."""
        with _enough_memory(self.name, self._place):
            return _random_array(self._argument_type(number), np.random.default_rng((seed, number)))

    def _argument_type(self, number):
        return self._types[self._arguments[number]]

    def report(self, *, times=True):
        """Returns what the function does, a line for each kernel and each function of the host, with
        the calls and the time so far unless times=False."""
        lines = [f"{self.name}({', '.join(self.arguments)}) -> ({', '.join(self.results)})"]
        for step in self._steps:
            if step.is_move or step.is_storage:
                continue
            what = self._step_text(step)
            spent = f": {step.calls} {'call' if step.calls == 1 else 'calls'}, {step.seconds * 1e3:.1f} ms"
            lines.append(f"  {what}, line {step.place.line}{spent if times else ''}")
        return "\n".join(lines)

    def _step_text(self, step):
        if not step.is_kernel:
            return f"host   {step.name}"
        return f"kernel {step.name}, grid {'x'.join(map(str, self._kernels[step.name].grid))}"

    def __repr__(self):
        return f"<function {self.name}: {len(self._kernels)} kernels>"

    def __call__(self, *tensors):
        if len(tensors) != len(self._arguments):
            raise TypeError(f"{self.name}() takes {words.plural(len(self._arguments), 'tensor')}, found "
                            f"{len(tensors)}: {', '.join(self.arguments) or 'it has no arguments'}")
        if _capture.is_walking():
            _capture.fail(f"{self.name}() of a module of ttir launches kernels, so a kernel function cannot call it: "
                          "call it before or after this operation")
        with _enough_memory(self.name, self._place), \
                _long_runs.notes(self.name, len(self._steps), self._is_large) as notes:
            return self._results_of(tensors, notes)

    def _results_of(self, tensors, notes):
        values = self._values_of(tensors)
        self._run_steps(values, notes)
        make = result_maker(tensors, self._device)
        for number, tensor in zip(self._arguments, tensors):
            if number in self._written:
                tensor[...] = make(values.array(number), self._types[number].element)
        found = tuple(make(values.array(number), self._types[number].element) for number in self._results)
        values.release_all()
        return only(found)

    def _values_of(self, tensors):
        """Returns the Values of a call, in which the arguments are set."""
        values = Values(self._types, self._free, self._device)
        for place, (number, tensor) in enumerate(zip(self._arguments, tensors)):
            if number in self._written and (isinstance(tensor, package.Tensor) or not hasattr(tensor, "shape")):
                raise TypeError(f"argument {place} of {self.name}() is a memref, which is written in place: give it an "
                                f"array of numpy or a tensor of torch, found {type(tensor).__name__}")
            array = array_of(tensor, self._types[number], f"argument {place} of {self.name}()",
                             is_moved=number in self._only_moved)
            # A `direct` argument is put where the kernels use it. Steps of the function move the others.
            put = values.set if number in self._direct else values.set_host
            put(number, array)
        return values

    def _run_steps(self, values, notes):
        for index, step in enumerate(self._steps):
            begin = time.perf_counter()
            if self._is_large:
                notes.begin(index, step, self._elements(step))
            with _enough_memory(step.name, step.place):
                self._run(step, values)
            step.calls += 1
            step.seconds += time.perf_counter() - begin
            for number in self._last_uses[index]:
                values.release(number)

    def _run(self, step, values):
        if step.is_storage:
            return
        if step.is_kernel:
            self._kernels[step.name](*values.of_launch(step.operands))
        elif step.name == "copy elements":  # only in modules in D2M
            values.copy_elements(step.operands, step.results[0], step.attributes)
        elif step.is_move:
            values.move(step.operands[0], step.results[0])
        else:
            values.compute(step)

    def _elements(self, step):
        """Returns the number of elements of the largest tensor of a step."""
        return max((math.prod(self._types[number].shape) for number in (*step.operands, *step.results)), default=0)

    def _find_last_uses(self):
        """Returns, for each step, the values that are last used in it and can be released after it."""
        last = {}
        for index, step in enumerate(self._steps):
            for number in (*step.operands, *step.results):
                last[number] = index
        found = [[] for _ in self._steps]
        for number, index in last.items():
            if number not in self._results and number not in self._written:
                found[index].append(number)
        return found

    def _find_only_moved(self):
        """Returns the arguments that are moved to the device and not used otherwise."""
        users = {}
        for step in self._steps:
            for number in step.operands:
                users.setdefault(number, []).append(step)
        return {number for number in self._arguments if number not in self._results and
                all(step.is_move for step in users.get(number, ()))}


def only(results):
    """Returns the only result itself, or the sequence of several results, or None if there are none."""
    return results[0] if len(results) == 1 else results or None


@contextlib.contextmanager
def _enough_memory(what, place):
    try:
        yield
    except MemoryError:
        raise _errors.ResourceError(f"the tensors of {what} need more memory than this process may have",
                                    place) from None


def _random_array(kind, generator):
    dtype = _model_functions.DTYPES[kind.element]
    if dtype.kind == "f":
        return _model_functions.to_type(generator.uniform(-1, 1, kind.shape), kind.element)
    return generator.integers(0, 2 if dtype.kind == "b" else 10, kind.shape).astype(dtype)


# ===--------------------------------------------------------------------------=== #
# Arguments and results


def array_of(tensor, kind, what, is_moved):
    """Returns the array of an argument, in the type of the function's parameter. `is_moved` means that
    the argument is only moved to the device; a float32 array for bf16 is then rounded by that move."""
    if is_torch(tensor):
        tensor = tensor.detach().cpu()
        array = (tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor).numpy()
    elif isinstance(tensor, package.Tensor):
        array = package.to_numpy(tensor)
    else:
        array = np.asarray(tensor)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{what} is a {type_text(kind)}: expected an array of numpy, or a tensor of torch or ttnn, "
                        f"found {_kind_of(tensor)}")
    if array.shape != kind.shape:
        raise TypeError(f"{what} is a {type_text(kind)}, found an array of shape {array.shape}")
    wanted = _model_functions.DTYPES[kind.element]
    if kind.element == "i1" and array.dtype.kind in "biu":
        return array != 0
    if not np.can_cast(array.dtype, wanted, "same_kind") and not (
            array.dtype.kind in "iu" and wanted.kind in "iu"):
        raise TypeError(f"{what} is a {type_text(kind)}, found elements of type {array.dtype}")
    if is_moved and kind.element == "bf16" and array.dtype == np.float32:
        return array
    made = _model_functions.to_type(array, kind.element)
    if wanted.kind in "iu" and not np.array_equal(made, array):
        raise TypeError(f"{what} is a {type_text(kind)}, found a number that does not fit in {kind.element}")
    return made


def _kind_of(value):
    """Returns how a message describes a value that is no tensor of numbers."""
    if isinstance(value, np.ndarray):
        return f"elements of type {value.dtype}"
    return "None" if value is None else type(value).__name__


def result_maker(tensors, device):
    """Returns the function that turns a result, a numpy array, into what the arguments are: torch, ttnn or numpy.
    A tensor of ttnn is on `device`."""
    if any(is_torch(each) for each in tensors):
        return _torch_tensor
    if any(isinstance(each, package.Tensor) for each in tensors):
        return lambda array, element: _ttnn_tensor(array, element, device)
    return lambda array, element: array


def _torch_tensor(array, element):
    import torch  # the program has imported it, because it passes torch tensors

    tensor = torch.from_numpy(np.array(array))
    return tensor.to(torch.bfloat16) if element == "bf16" else tensor


def _ttnn_tensor(array, element, device):
    if element not in ON_DEVICE:
        raise TypeError(f"ttnn has no tensors of {element}: call the function with numpy arrays")
    return on_device(array, Type(array.shape, element, ("DRAM", "interleaved", (), ())), device)
