# ===- _mesh_models.py - functions of a module on the chips of a mesh ---------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A function with distributed tensors runs on all chips of its mesh. A value on the host is an array of
# numpy whose first dimension counts the chips. A kernel runs on all chips at once. A function of the host
# is called for each chip. The steps of a redistribution are collectives of ttl.ccl.
# ===--------------------------------------------------------------------------=== #

import contextlib
import math

import numpy as np

from ttl import dist
from ttl._model_calls import ModelFunction, array_of, only, result_maker
from ttl._model_values import ON_DEVICE, Type, Values, from_device, on_device, type_text
from ttl._ttnn import fabric, package


class _Whole:
    """The whole tensor of an argument or result: its shape, and its distribution over the chips."""

    def __init__(self, shape, dims, mesh):
        self.shape, self.placement = tuple(shape), dist.Placement(mesh, dist.dims_of(dims))

    def text(self, element):
        extents = "".join(f"{extent}x" for extent in self.shape)
        return f"!ttl.dist_tensor<{extents}{element}, {self.placement}>"

    def parts(self, array):
        """Returns the part of each chip, in one array. Along an axis with partial sums, the first chip gets
        the elements and the others get zeros."""
        return np.stack([part if self._has_elements(number) else np.zeros_like(part)
                         for number, part in enumerate(self._slices_of(array))])

    def joined(self, parts):
        """Returns the whole tensor."""
        whole = np.empty(self.shape, parts.dtype)
        for part, into in zip(parts, self._slices_of(whole)):
            into[...] = part
        return whole

    def _slices_of(self, array):
        return [array[self.placement.slices(self.shape, number)] for number in range(math.prod(self.placement.mesh))]

    def _has_elements(self, number):
        place = np.unravel_index(number, self.placement.mesh)
        return all(at == 0 for at, dim in zip(place, self.placement.dims) if dim == dist.PARTIAL)


class _MeshValues(Values):
    """The tensors of one call on a mesh. `on` is the mesh."""

    def _zeros(self, kind):
        return np.stack([super(_MeshValues, self)._zeros(kind)] * self._on.get_num_devices())

    def _moved(self, array, kind):
        tensor = self._storage(kind)
        for part, elements in zip(package.get_device_tensors(tensor), array):
            part.write_bits(np.ascontiguousarray(on_device(elements, kind, None).bits()))
        return tensor

    def _read(self, tensor, kind):
        return np.stack([from_device(part, kind) for part in package.get_device_tensors(tensor)])

    def compute(self, step):
        if "axis" not in step.attributes:
            super().compute(step)
            return
        (operand,), (result,) = step.operands, step.results
        self._device[result] = dist.run_step(self.device(operand), _step_of(step))

    def _computed(self, step, arrays):
        parts = [super(_MeshValues, self)._computed(step, [array[chip] for array in arrays])
                 for chip in range(self._on.get_num_devices())]
        return [np.stack(each) for each in zip(*parts)]

    def part_tensors(self, number, kind):
        """Returns a new tensor on the mesh with the elements of a value. Later calls do not reuse it."""
        return self._moved(self.array(number), kind)


def _step_of(step):
    """Converts a step of a function, part of a redistribution, to a step of ttl.dist."""
    numbers = (step.attributes[name] for name in ("axis", "before", "after", "bytes"))
    return dist.step_of(step.name, *numbers)


@contextlib.contextmanager
def _opened(extents, name):
    """Yields the open mesh, or opens one with these extents."""
    known, shape = fabric.open_mesh(), "x".join(map(str, extents))
    if known is not None:
        if tuple(known.shape) != extents:
            raise ValueError(f"{name}() runs on a mesh of {shape}, and the open mesh is one of "
                             f"{'x'.join(map(str, known.shape))}: close it, or open one of {shape}")
        yield known
        return
    lacks_fabric = fabric.current() is fabric.FabricConfig.DISABLED
    if lacks_fabric:
        package.set_fabric_config(fabric.FabricConfig.FABRIC_2D)
    try:
        mesh = package.open_mesh_device(package.MeshShape(*extents))
        try:
            yield mesh
        finally:
            package.close_mesh_device(mesh)
    finally:
        if lacks_fabric:
            package.set_fabric_config(fabric.FabricConfig.DISABLED)


class MeshFunction(ModelFunction):
    """A function of a module with distributed tensors. Its arguments may be ttl.dist.DistTensor objects;
    its results then are DistTensors, too. Other arguments are whole tensors, as in a ttl.ModelFunction."""

    def __init__(self, record, kernels, device):
        super().__init__(record, kernels, device)
        self._mesh = tuple(record["mesh"])
        self._whole_arguments, self._whole_results = (
            [_Whole(*each, self._mesh) if each else None for each in record[name]]
            for name in ("whole_arguments", "whole_results"))

    @property
    def arguments(self):
        return [self._text(number, whole) for number, whole in zip(self._arguments, self._whole_arguments)]

    @property
    def results(self):
        return [self._text(number, whole) for number, whole in zip(self._results, self._whole_results)]

    def _text(self, number, whole):
        kind = self._types[number]
        return whole.text(kind.element) if whole else type_text(kind)

    def _argument_type(self, number):
        kind, whole = super()._argument_type(number), self._whole_arguments[number]
        return Type(whole.shape, kind.element, ()) if whole else kind

    def _step_text(self, step):
        if step.is_kernel:
            columns, rows = self._kernels[step.name].grid
            return f"kernel {step.name}, grid {columns // math.prod(self._mesh)}x{rows} on each chip"
        return f"mesh   {_step_of(step)}" if "axis" in step.attributes else super()._step_text(step)

    def _results_of(self, tensors, notes):
        with _opened(self._mesh, self.name) as mesh:
            values = _MeshValues(self._types, {}, mesh)
            for number, tensor in enumerate(tensors):
                values.set_host(self._arguments[number], self._parts_of(number, tensor))
            self._run_steps(values, notes)
            if any(isinstance(each, dist.DistTensor) for each in tensors):
                found = tuple(map(self._dist_tensor, [values] * len(self._results), self._results, self._whole_results))
            else:
                make = result_maker(tensors, self._device)
                found = tuple(make(self._joined(values, place), self._types[number].element)
                              for place, number in enumerate(self._results))
        return only(found)

    def _parts_of(self, number, tensor):
        """Returns the parts of an argument: an array whose first dimension counts the chips."""
        what, kind, whole = f"argument {number} of {self.name}()", self._argument_type(number), \
            self._whole_arguments[number]
        if isinstance(tensor, dist.DistTensor):
            if not whole or (tensor.shape, tensor.placement) != (whole.shape, whole.placement):
                raise TypeError(f"{what} is a {self.arguments[number]}, found {tensor!r}")
            local = self._types[self._arguments[number]]
            return np.stack([array_of(part, local, what, False)
                             for part in package.get_device_tensors(tensor.local)])
        array = array_of(tensor, kind, what, False)
        return whole.parts(array) if whole else np.stack([array] * math.prod(self._mesh))

    def _dist_tensor(self, values, number, whole):
        kind = self._types[number]
        if kind.element not in ON_DEVICE:
            raise TypeError(f"ttnn has no tensors of {kind.element}: call {self.name}() with numpy arrays")
        stored = kind._replace(storage=("DRAM", "interleaved", (), ()))
        return dist.DistTensor(values.part_tensors(number, stored), whole.shape, whole.placement)

    def _joined(self, values, place):
        whole = self._whole_results[place]
        if dist.PARTIAL in whole.placement.dims:
            raise ValueError(f"result {place} of {self.name}() has partial sums: redistribute it in the module, or "
                             "call the function with a ttl.dist.DistTensor")
        return whole.joined(values.array(self._results[place]))
