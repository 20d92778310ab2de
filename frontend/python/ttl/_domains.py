# ===- _domains.py - device domains and selections of devices -----------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A domain is the set of devices that run an operation together. Domains are values: programs may make
# them anywhere, and kernels know them when they are compiled.
# ===--------------------------------------------------------------------------=== #

import itertools
import math

import _ttjit


def integer(value, what):
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{what} must be an integer, found {value!r}")
    return value


def _extent(value, what):
    """Returns the extents of a component as a tuple."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{what} must be a sequence of integers, found {value!r}")
    extents = tuple(integer(each, f"{what} dimension") for each in value)
    if not extents:
        raise ValueError(f"{what} must have at least one dimension")
    for axis, extent in enumerate(extents):
        if extent <= 0:
            raise ValueError(f"{what} axis {axis} must be positive, found {extent}")
    return extents


def coordinate_of(value, what):
    """Returns the coordinate of a component as a tuple."""
    items = value if isinstance(value, (tuple, list)) else (value,)
    coordinate = tuple(integer(each, f"{what} component") for each in items)
    if not coordinate:
        raise ValueError(f"{what} must have at least one component")
    if min(coordinate) < 0:
        raise ValueError(f"{what} must be non-negative, found {value!r}")
    return coordinate


def row_major(extents):
    return itertools.product(*map(range, extents))


# ===--------------------------------------------------------------------------=== #
# Devices


class DomainComponent:
    """One named part of the coordinates of a domain: `name` and `extent`."""

    def __init__(self, name, extent):
        if not isinstance(name, str):
            raise TypeError(f"the name of a domain component must be a string, found {name!r}")
        if not name:
            raise ValueError("the name of a domain component must not be empty")
        self.name, self.extent = name, _extent(extent, f"the extent of component {name!r}")

    def __eq__(self, other):
        return (isinstance(other, DomainComponent) and other.name == self.name
                and other.extent == self.extent)

    def __hash__(self):
        return hash((self.name, self.extent))

    def __repr__(self):
        return f"DomainComponent({self.name!r}, {self.extent})"


@_ttjit.public_methods
class DeviceRef:
    """One device of a domain: ttl.DeviceRef(0, 1) has the coordinate of each component in order, and
    ttl.DeviceRef(host=0, chip=(0, 1)) names the components.

    Raises a TypeError or a ValueError for coordinates that are no integers, or negative.

    Example:

        first = ttl.DeviceRef((0, 1))
    """

    def __init__(self, *coordinates, **named):
        if coordinates and named:
            raise ValueError("DeviceRef takes positional coordinates or named ones, not both")
        if not coordinates and not named:
            raise ValueError("DeviceRef requires at least one coordinate")
        self.component_names = tuple(named)
        self.coordinates = tuple(coordinate_of(each, "a DeviceRef coordinate")
                                 for each in (*coordinates, *named.values()))

    def __eq__(self, other):
        return isinstance(other, DeviceRef) and other.coordinates == self.coordinates

    def __hash__(self):
        return hash(self.coordinates)

    def __repr__(self):
        return f"DeviceRef{self.coordinates}"


@_ttjit.public_methods
class DeviceRange:
    """The devices from `low` on and before `high`, on every axis. Transfers cannot end at a range.

    Raises a TypeError for ends that are no DeviceRef.

    Example:

        pair = ttl.DeviceRange(ttl.DeviceRef((0, 0)), ttl.DeviceRef((1, 2)))
    """

    def __init__(self, low, high):
        if not isinstance(low, DeviceRef) or not isinstance(high, DeviceRef):
            raise TypeError("the ends of a DeviceRange must be DeviceRef values")
        self.low, self.high = low, high

    def __repr__(self):
        return f"DeviceRange({self.low!r}, {self.high!r})"


@_ttjit.public_methods
class DeviceDomain:
    """The devices that run an operation together: @ttl.operation(device_domain=...). Its extents are
    those of the mesh of the tensors. domain[0, 1], domain[0] and domain[:, 1] select devices.

    In kernel functions current_index() returns the number of this device, in row-major order, and
    is_current(device) whether it is a certain one.

    Raises a TypeError or a ValueError for extents that are no positive integers.

    Example:

        devices = ttl.DeviceDomain((2, 4))
        assert devices.index_order((1, 0)) == 4
    """

    def __init__(self, extent, *, name="device"):
        self.components = (DomainComponent(name, extent),)

    @classmethod
    def product(cls, **components):
        """Returns a domain of several named components. Each is given as an extent, or as a domain with
        one component."""
        if not components:
            raise ValueError("DeviceDomain.product requires at least one component")
        parts = []
        for name, component in components.items():
            if isinstance(component, DeviceDomain):
                if component.component_count != 1:
                    raise ValueError("a component of DeviceDomain.product must not be a product itself: "
                                     "name its components one by one")
                component = component.shape
            parts.append(DomainComponent(name, component))
        domain = cls.__new__(cls)
        domain.components = tuple(parts)
        return domain

    @property
    def component_names(self):
        return tuple(component.name for component in self.components)

    @property
    def component_count(self):
        return len(self.components)

    @property
    def shape(self):
        """The extents of the only component."""
        if self.component_count != 1:
            raise ValueError("a product DeviceDomain does not have one rectangular shape: use "
                             "flattened_extent")
        return self.components[0].extent

    @property
    def flattened_extent(self):
        """The extents of all components, one after the other."""
        return tuple(extent for component in self.components for extent in component.extent)

    def __len__(self):
        return math.prod(self.flattened_extent)

    def __eq__(self, other):
        return isinstance(other, DeviceDomain) and other.components == self.components

    def __hash__(self):
        return hash(self.components)

    def __repr__(self):
        if self.component_count == 1:
            return f"DeviceDomain({self.shape})"
        parts = ", ".join(f"{each.name}={each.extent}" for each in self.components)
        return f"DeviceDomain.product({parts})"

    def iter_device_refs(self):
        """Returns all devices, in row-major order."""
        every = [list(row_major(component.extent)) for component in self.components]
        return (DeviceRef(*place) for place in itertools.product(*every))

    def flattened_coordinates(self, device):
        """Returns the coordinates of a device on all axes."""
        return tuple(itertools.chain(*self.device_ref(device).coordinates))

    def component_index(self, name):
        """Returns the number of a component."""
        for index, component in enumerate(self.components):
            if component.name == name:
                return index
        raise ValueError(f"unknown domain component {name!r}: the components are "
                         f"{', '.join(self.component_names)}")

    def index_order(self, device):
        """Returns the row-major number of a device."""
        number = 0
        for coordinate, extent in zip(self.flattened_coordinates(device), self.flattened_extent):
            number = number * extent + coordinate
        return number

    def device_at(self, number):
        """Returns the device of a row-major number."""
        return next(itertools.islice(self.iter_device_refs(), number, None))

    def device_ref(self, value):
        """Returns the DeviceRef of a device. `value` is a coordinate, a DeviceRef or a DevicePoint."""
        if isinstance(value, DevicePoint):
            value = value.reference
        if isinstance(value, DeviceRef):
            return self.resolve_device_ref(value)
        if self.component_count != 1:
            raise ValueError("the devices of a product domain must be DeviceRef values, with a coordinate "
                             f"for each component: {', '.join(self.component_names)}")
        return self.resolve_device_ref(DeviceRef(value))

    def resolve_device_ref(self, device):
        """Returns the DeviceRef with its coordinates in the order of the components."""
        coordinates = self._ordered(device)
        self._check(coordinates, "coord < {}", lambda value, extent: value < extent)
        return DeviceRef(*coordinates)

    def resolve_device_range(self, devices):
        """Returns the DeviceRange with coordinates in the order of the components."""
        low, high = self._ordered(devices.low), self._ordered(devices.high)
        self._check(low, "coord < {}", lambda value, extent: value < extent)
        self._check(high, "coord <= {}", lambda value, extent: value <= extent)
        for component, first, last in zip(self.components, low, high):
            if any(a >= b for a, b in zip(first, last)):
                raise ValueError(f"a DeviceRange requires low < high on every axis of component "
                                 f"{component.name!r}, found {first} and {last}")
        return DeviceRange(DeviceRef(*low), DeviceRef(*high))

    def _ordered(self, device):
        names = device.component_names
        if names and set(names) != set(self.component_names):
            raise ValueError(f"the DeviceRef names {names}, but the components of the domain are "
                             f"{self.component_names}")
        if names:
            named = dict(zip(names, device.coordinates))
            return tuple(named[name] for name in self.component_names)
        if len(device.coordinates) != self.component_count:
            raise ValueError(f"the DeviceRef has {len(device.coordinates)} component coordinates, but "
                             f"the domain has {self.component_count} components")
        return device.coordinates

    def _check(self, coordinates, relation, holds):
        for component, coordinate in zip(self.components, coordinates):
            if len(coordinate) != len(component.extent):
                raise ValueError(f"DeviceRef component {component.name!r} has rank {len(coordinate)}, "
                                 f"expected {len(component.extent)}")
            for axis, (value, extent) in enumerate(zip(coordinate, component.extent)):
                if not holds(value, extent):
                    raise ValueError(f"DeviceRef component {component.name!r} axis {axis} requires "
                                     f"0 <= {relation.format(extent)}, got {value}")

    def is_current(self, device):
        """In a kernel function: whether this device is the given one."""
        self.device_ref(device)
        raise RuntimeError("DeviceDomain.is_current() should only be called inside a TTL kernel")

    def current_index(self):
        """In a kernel function: the row-major number of this device."""
        raise RuntimeError("DeviceDomain.current_index() should only be called inside a TTL kernel")

    # Selections

    def _everything(self):
        return DeviceView(self, tuple(range(extent) for extent in self.flattened_extent))

    def __getitem__(self, index):
        return self._everything()[index]

    def at_node(self, x, y):
        """Returns node (x, y) of all devices."""
        return self._everything().at_node(x, y)

    def select(self, points):
        """Returns a DeviceSet of points of the domain, without duplicates."""
        points = list(points)
        for point in points:
            if not isinstance(point, DevicePoint) or point.domain != self:
                raise ValueError("selected points must belong to the parent domain, found "
                                 f"{point!r}")
        return DeviceSet(self, points)


# ===--------------------------------------------------------------------------=== #
# Selections


@_ttjit.public_methods
class _Selection:
    """A base class of the selections of devices of a domain."""

    def at_node(self, x, y):
        """Returns node (x, y) of each of the devices."""
        node = tuple(integer(each, "a coordinate of the node") for each in (x, y))
        if min(node) < 0:
            raise ValueError(f"at_node{node}: the coordinates of a node must not be negative")
        return NodeSelection(self, node)

    def __or__(self, other):
        if not isinstance(other, _Selection):
            return NotImplemented
        if other.domain != self.domain:
            raise ValueError("device selections must share a parent domain, found "
                             f"{self.domain} and {other.domain}")
        return DeviceSet(self.domain, [*self, *other])


class DevicePoint(_Selection):
    """One device of a domain: domain[0, 1]."""

    def __init__(self, domain, coordinates):
        self.domain, self.coordinates = domain, coordinates

    @property
    def reference(self):
        places, rest = [], list(self.coordinates)
        for component in self.domain.components:
            places.append(tuple(rest[: len(component.extent)]))
            del rest[: len(component.extent)]
        return DeviceRef(*places)

    def __iter__(self):
        return iter([self])

    def __eq__(self, other):
        return (isinstance(other, DevicePoint) and other.domain == self.domain
                and other.coordinates == self.coordinates)

    def __hash__(self):
        return hash((self.domain, self.coordinates))

    def __repr__(self):
        return f"<device {self.coordinates} of {self.domain!r}>"


class DeviceView(_Selection):
    """Devices in rows and columns: domain[0], domain[:, 1], domain[::-1, 0]. `axes` has for each axis
    of the domain either one coordinate, or the range of the view's coordinates."""

    def __init__(self, domain, axes):
        self.domain, self.axes = domain, axes

    @property
    def shape(self):
        return tuple(len(axis) for axis in self.axes if isinstance(axis, range))

    def __getitem__(self, index):
        indices = index if isinstance(index, tuple) else (index,)
        if len(indices) > len(self.shape):
            raise IndexError(f"a device view has rank {len(self.shape)}, got {len(indices)} indices")
        given = iter(indices)
        axes = tuple(self._chosen(axis, next(given, slice(None))) if isinstance(axis, range) else axis
                     for axis in self.axes)
        if any(isinstance(axis, range) for axis in axes):
            return DeviceView(self.domain, axes)
        return DevicePoint(self.domain, axes)

    def _chosen(self, axis, index):
        if isinstance(index, slice):
            chosen = axis[index]
            if not chosen:
                raise ValueError(f"the device selection {index} is empty: the axis has extent "
                                 f"{len(axis)}")
            return chosen
        number = integer(index, "an index of devices")
        if not -len(axis) <= number < len(axis):
            raise IndexError(f"device index {number} is out of range: the axis has extent {len(axis)}")
        return axis[number]

    def __iter__(self):
        columns = [axis if isinstance(axis, range) else (axis,) for axis in self.axes]
        return (DevicePoint(self.domain, place) for place in itertools.product(*columns))

    def __len__(self):
        return math.prod(self.shape)

    def __repr__(self):
        return f"<{len(self)} devices of {self.domain!r}>"


class DeviceSet(_Selection):
    """Devices without duplicates, in row-major order: a | b, or domain.select(points)."""

    def __init__(self, domain, points):
        self.domain = domain
        self.points = tuple(sorted(set(points), key=lambda point: point.coordinates))

    def __iter__(self):
        return iter(self.points)

    def __len__(self):
        return len(self.points)

    def __repr__(self):
        return f"<{len(self)} devices of {self.domain!r}>"


class NodeSelection:
    """One node on each of the selected devices: domain[0].at_node(0, 1)."""

    def __init__(self, devices, node):
        self.devices, self.node = devices, node

    @property
    def domain(self):
        return self.devices.domain

    def key(self):
        return (self.domain, tuple(point.coordinates for point in self.devices), self.node)

    def __repr__(self):
        return f"<node {self.node} of {self.devices!r}>"


def why_not_of(call, domain):
    """Returns what is wrong with the use of a domain in the kernel of a call; None if nothing is."""
    own = call.options.domain
    if own is None:
        return (f"operation {call.name}() has no device domain: write "
                f"@ttl.operation(device_domain=...) with {domain!r}")
    if own != domain:
        return (f"the device domain used here is {domain!r}, but operation {call.name}() has "
                f"device_domain={own!r}: use one domain for both")
    return None
