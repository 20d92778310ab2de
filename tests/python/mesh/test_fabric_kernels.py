# SPDX-License-Identifier: Apache-2.0
"""Kernels in Metalium C++ that use the emulated fabric, and programs that run on several devices."""

import numpy as np
import pytest
import ttl
import ttnn
from meshes import joined, opened, put

INCLUDES = """
#include "tt_metal/fabric/hw/inc/edm_fabric/routing_plane_connection_manager.hpp"
#include "tt_metal/fabric/hw/inc/packet_header_pool.h"
#include "tt_metal/fabric/hw/inc/tt_fabric_api.h"

using Links = tt::tt_fabric::RoutingPlaneConnectionManager;

inline void flush(Links::Sender &sender, volatile PACKET_HEADER_TYPE *header) {
  sender.wait_for_empty_write_slot();
  sender.send_payload_flush_blocking_from_address(
      static_cast<uint32_t>(reinterpret_cast<uintptr_t>(header)), sizeof(PACKET_HEADER_TYPE));
}
"""

# Increments semaphore 0 of core (0, 0) on the device two places further. Tests replace the words in capitals.
SEND = INCLUDES + """
void kernel_main() {
  size_t place = 0;
  Links links = Links::build_from_args<Links::BUILD_AND_OPEN_CONNECTION>(place, 1);
  volatile PACKET_HEADER_TYPE *header = PacketHeaderPool::allocate_header();
#ifdef FABRIC_2D
  tt::tt_fabric::fabric_set_unicast_route(header, CHIP, 0);
#else
  header->to_chip_unicast(CHIP);
#endif
  const uint64_t word = get_noc_addr(my_x[0], my_y[0], get_semaphore(0));
  COMMAND
  flush(links.get(0).sender, header);
  CLOSE
}
"""
WAIT = """
void kernel_main() {
  noc_semaphore_wait(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(0)), 5);
}
"""
INCREMENT = "header->to_noc_unicast_atomic_inc({word, 5, true});"


def program_of(text, runtime_args=()):
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))])
    arguments = ttnn.RuntimeArgs()
    arguments[0][0] = list(runtime_args)
    kernel = ttnn.KernelDescriptor(
        kernel_source=text, source_type=ttnn.KernelDescriptor.SourceType.SOURCE_CODE, core_ranges=cores,
        runtime_args=arguments, config=ttnn.ReaderConfigDescriptor())
    semaphore = ttnn.SemaphoreDescriptor(id=0, core_ranges=cores, initial_value=0)
    return ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[semaphore])


def connected(mesh, program, source, *destinations, links=()):
    """Adds connections from device `source` to the destinations to the arguments of the program's kernel."""
    nodes = [mesh.get_fabric_node_id(ttnn.MeshCoordinate(each, 0)) for each in (source, *destinations)]
    words = ttnn.setup_routing_plane_connection(nodes[0], nodes[1:], list(links), program, 0, ttnn.CoreCoord(0, 0))
    program.kernels[0].runtime_args[0][0] = words
    return program


def run(mesh, programs):
    descriptor = ttnn.MeshProgramDescriptor()
    for number, program in enumerate(programs):
        place = ttnn.MeshCoordinate(number, 0)
        descriptor[ttnn.MeshCoordinateRange(place, place)] = program
    x = put(np.ones((32 * len(programs), 32)), mesh)
    assert ttnn.generic_op([x], descriptor) is x
    assert np.array_equal(joined(x), np.ones((32 * len(programs), 32)))


def send_text(chip=2, command=INCREMENT, close="links.close();"):
    return SEND.replace("CHIP", str(chip)).replace("COMMAND", command).replace("CLOSE", close)


@pytest.mark.parametrize("fabric", [ttnn.FabricConfig.FABRIC_1D, ttnn.FabricConfig.FABRIC_2D])
def test_an_increment_over_two_hops(fabric):
    with opened(3, 1, fabric=fabric) as mesh:
        send = connected(mesh, program_of(send_text()), 0, 1)
        run(mesh, [send, program_of("void kernel_main() {}"), program_of(WAIT)])


def test_a_word():
    with opened(3, 1, fabric=ttnn.FabricConfig.FABRIC_1D) as mesh:
        text = send_text(command="header->to_noc_unicast_inline_write({word, 5});")
        send = connected(mesh, program_of(text), 0, 1)
        run(mesh, [send, program_of("void kernel_main() {}"), program_of(WAIT)])


@pytest.mark.parametrize("text, message", [
    (send_text(close=""), "ends with an open connection to the fabric"),
    (send_text(close="links.close(); links.close();"), "that is not open"),
    (send_text(chip=3), "more hops than there are devices"),
    (send_text(chip=0), "more hops than there are devices"),
    (send_text(command=""), "has no command"),
    (send_text(command="header->to_noc_unicast_write({word}, 64);"), "another size than the payload"),
    (send_text(command="links.get(1);" + INCREMENT), "no connection with this number"),
    (send_text(command="PacketHeaderPool::allocate_header(8);" + INCREMENT), "a kernel has 8 packet headers"),
    (send_text(command="links.close();" + INCREMENT), "over a connection that is not open"),
])
def test_mistakes_of_kernels(text, message):
    with opened(3, 1, fabric=ttnn.FabricConfig.FABRIC_1D) as mesh:
        send = connected(mesh, program_of(text), 0, 1)
        with pytest.raises(ttl.RuntimeFault, match=message):
            run(mesh, [send, program_of("void kernel_main() {}"), program_of(WAIT)])


def test_a_chip_that_the_connection_does_not_reach():
    with opened(3, 1) as mesh:
        send = connected(mesh, program_of(send_text(chip=0)), 1, 2)
        with pytest.raises(ttl.RuntimeFault, match="do not reach the chip of the header"):
            run(mesh, [program_of(WAIT), send, program_of("void kernel_main() {}")])


def test_mistakes_of_descriptors():
    with opened(2, 2, fabric=ttnn.FabricConfig.FABRIC_1D) as mesh:
        node = mesh.get_fabric_node_id
        first, right, below, across = (node(ttnn.MeshCoordinate(*place)) for place in ((0, 0), (0, 1), (1, 0), (1, 1)))
        assert ttnn.get_eth_forwarding_direction(first, right) != ttnn.get_eth_forwarding_direction(first, below)
        assert ttnn.get_eth_forwarding_direction(first, across) is None
        assert ttnn.get_forwarding_link_indices(first, right) == [0, 1, 2, 3]
        program, core = program_of(WAIT), ttnn.CoreCoord(0, 0)
        with pytest.raises(ValueError, match="FABRIC_1D has no route from"):
            ttnn.setup_routing_plane_connection(first, [across], [0], program, 0, core)
        with pytest.raises(ValueError, match="link 4 does not exist: .* links 0 to 3"):
            ttnn.setup_routing_plane_connection(first, [right], [4], program, 0, core)
        with pytest.raises(ValueError, match="two connections have direction"):
            ttnn.setup_routing_plane_connection(first, [right, right], [0, 1], program, 0, core)
        ttnn.setup_routing_plane_connection(first, [right, below], [0, 0], program, 0, core)
        with pytest.raises(ValueError, match="link 0 in direction 0 already belongs to kernels\\[0\\]"):
            ttnn.setup_routing_plane_connection(first, [right], [0], program, 0, ttnn.CoreCoord(1, 0))
        with pytest.raises(TypeError, match="expected a ttnn.FabricNodeId"):
            ttnn.setup_routing_plane_connection(0, [right], [0], program, 0, core)
        descriptor = ttnn.MeshProgramDescriptor()
        with pytest.raises(TypeError, match="expected a ttnn.MeshCoordinateRange"):
            descriptor[0] = program
        with pytest.raises(TypeError, match="expected a ttnn.ProgramDescriptor"):
            descriptor[ttnn.MeshCoordinateRange(ttnn.MeshCoordinate(0, 0))] = None
        descriptor[ttnn.MeshCoordinateRange(ttnn.MeshCoordinate(0, 0))] = program
        x = put(np.ones((128, 32)), mesh)
        with pytest.raises(ValueError, match="has programs for 1 devices: expected one for each of the 4"):
            ttnn.generic_op([x], descriptor)
        descriptor[ttnn.MeshCoordinateRange((0, 0), (1, 1))] = program_of(WAIT)
        with pytest.raises(ValueError, match="has two programs for device"):
            ttnn.generic_op([x], descriptor)
    with pytest.raises(RuntimeError, match="no mesh is open"):
        ttnn.setup_routing_plane_connection(first, [right], [0], program, 0, core)
