# SPDX-License-Identifier: Apache-2.0
"""The fabric: the connections between the devices of a mesh, and how they are configured."""

import enum

import _ttjit

from . import settings
from .operands import integer_of
from .storage import kind_of

__all__ = "get_tt_fabric_max_payload_size_bytes set_fabric_config".split()

DEFAULT_PAYLOAD = 4352  # bytes of a packet: two tiles of bfloat16, or four of bfloat8_b
LARGEST_PAYLOADS = {"wormhole_b0": 7616, "blackhole": 15232}


class FabricConfig(enum.Enum):
    """Tells which connections the routers of a fabric use."""

    DISABLED = 0
    FABRIC_1D_NEIGHBOR_EXCHANGE = 1
    FABRIC_1D = 2
    FABRIC_1D_RING = 3
    FABRIC_2D = 4
    FABRIC_2D_TORUS_X = 5
    FABRIC_2D_TORUS_Y = 6
    FABRIC_2D_TORUS_XY = 7


class FabricReliabilityMode(enum.Enum):
    """Tells whether all links must work. All links of the emulated machine do."""

    STRICT_INIT = 0
    RELAXED_INIT = 1


class Topology(enum.Enum):
    """Tells how a collective passes blocks on: round a ring of devices, or along a line."""

    Ring = 1
    Linear = 2


@_ttjit.public_methods
class FabricRouterConfig:
    """Options of the routers: the bytes of a packet."""

    def __init__(self, max_packet_payload_size_bytes=None):
        self.max_packet_payload_size_bytes = max_packet_payload_size_bytes

    def __repr__(self):
        return f"FabricRouterConfig(max_packet_payload_size_bytes={self.max_packet_payload_size_bytes})"


# The values of the option --fabric.
_OPTIONS = {
    "none": FabricConfig.DISABLED,
    "1d": FabricConfig.FABRIC_1D,
    "neighbor": FabricConfig.FABRIC_1D_NEIGHBOR_EXCHANGE,
    "ring": FabricConfig.FABRIC_1D_RING,
    "2d": FabricConfig.FABRIC_2D,
    "torus-x": FabricConfig.FABRIC_2D_TORUS_X,
    "torus-y": FabricConfig.FABRIC_2D_TORUS_Y,
    "torus-xy": FabricConfig.FABRIC_2D_TORUS_XY,
}


class _State:
    config = FabricConfig.DISABLED
    payload = DEFAULT_PAYLOAD
    planes = None  # number of links between two neighbours that the routers use; None: all
    mesh = None  # a weak reference to the open mesh; None if no mesh is open


def current():
    """Returns the configuration in effect: that of the option --fabric, or else that of the program."""
    return _OPTIONS.get(settings.current().fabric, _State.config)


def of_mesh(links):
    """Returns the arguments of set_fabric() of a new mesh: the value of the configuration, the number of
    links between two neighbours that are used (0: unknown), and the bytes of a packet. The machine has
    `links` links between two neighbours (0: unknown)."""
    used = [each for each in (links, _State.planes) if each]
    return current().value, min(used, default=0), _State.payload


def open_mesh():
    """Returns the mesh that is open, or None."""
    return None if _State.mesh is None else _State.mesh()


def note_mesh(reference):
    """Stores a weak reference to the mesh that was opened, or None after the mesh was closed."""
    _State.mesh = reference


def _payload_of(router):
    if router is None or router.max_packet_payload_size_bytes is None:
        return DEFAULT_PAYLOAD
    size = integer_of(router.max_packet_payload_size_bytes, "max_packet_payload_size_bytes")
    chip = settings.current().arch.partition("@")[0]
    if not 0 < size <= LARGEST_PAYLOADS[chip] or size % 16:
        raise ValueError(f"max_packet_payload_size_bytes={size}: expected a multiple of 16 of at most "
                         f"{LARGEST_PAYLOADS[chip]} bytes on {chip}")
    return size


def set_fabric_config(config, reliability_mode=None, num_planes=None, *, router_config=None,
                      **options):
    """Sets the connections between the devices of the next mesh. Call it before
    ttnn.open_mesh_device, and with ttnn.FabricConfig.DISABLED after ttnn.close_mesh_device. The
    option --fabric replaces the configuration. num_planes is how many links between two neighbours
    the routers use; estimates of time depend on it. reliability_mode has no effect on the host.

    Raises a TypeError for an argument that is no configuration, a ValueError for num_planes below 1,
    and a RuntimeError while a mesh is open.

    Example:

        ttnn.set_fabric_config(ttnn.FabricConfig.FABRIC_1D)
        ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)
    """
    if not isinstance(config, FabricConfig):
        raise TypeError(f"set_fabric_config() got {kind_of(config)}, expected a ttnn.FabricConfig")
    if reliability_mode is not None and not isinstance(reliability_mode, FabricReliabilityMode):
        raise TypeError(f"set_fabric_config(): reliability_mode={reliability_mode!r}: expected a "
                        "ttnn.FabricReliabilityMode")
    if router_config is not None and not isinstance(router_config, FabricRouterConfig):
        raise TypeError(f"set_fabric_config(): router_config={router_config!r}: expected a "
                        "ttnn.FabricRouterConfig")
    if num_planes is not None and integer_of(num_planes, "num_planes") < 1:
        raise ValueError(f"set_fabric_config(): num_planes={num_planes}: expected at least 1")
    if open_mesh() is not None:
        raise RuntimeError("set_fabric_config(): a mesh is open: set the fabric before "
                           "ttnn.open_mesh_device, and FabricConfig.DISABLED after "
                           "ttnn.close_mesh_device")
    _State.payload = _payload_of(router_config)
    _State.planes = num_planes
    _State.config = config


def get_tt_fabric_max_payload_size_bytes():
    """Returns the bytes of a packet of the fabric.

    Raises a TypeError for arguments, because it takes none.

    Example:

        size = ttnn.get_tt_fabric_max_payload_size_bytes()
    """
    return _State.payload
