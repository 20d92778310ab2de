# ===- _tokens.py - kernels of collectives that move tokens to experts --------=== #
# SPDX-License-Identifier: Apache-2.0
#
# dispatch() and combine() make operations, like the functions of _moves.py. A token is a row of a row-major
# tensor. A token has a number on its device and another one in its group, where tokens are counted in the
# order in which dispatch() joins them.
#
# `chosen` has for each token of the group the numbers of its experts. `homes` has a row for each expert and a
# column for each device: 0 if the expert is not there, or else 1 + its place among the experts of the device.
# Sender and receiver read the same rows, so that both know which tokens travel.
# ===--------------------------------------------------------------------------=== #

import functools

import ttl
from ttl.ccl._blocks import place
from ttl.ccl._groups import position
from ttl.ccl._steps import read, write


def _home(homes, chosen, slot, device):
    """Returns the place of a chosen expert on a device, counted from 1; 0 if it is not there."""
    return ttl.read_index(homes, ttl.read_index(chosen, 0, slot), device)


def _is_wanted(homes, chosen, slots, device):
    """Returns whether a device has an expert of a token."""
    found = 0
    for slot in range(slots):
        if _home(homes, chosen, slot, device) > 0:
            found = 1
    return found == 1


def _first_slot(homes, chosen, slots, device):
    """Returns the slot of the first expert of a device; `slots` if it has no expert of the token."""
    found, least = slots, 0
    for slot in range(slots):
        home = _home(homes, chosen, slot, device)
        if home > 0 and (found == slots or home < least):
            found, least = slot, home
    return found


def _result(homes, chosen, slot, slots, device, is_reduced):
    """Returns which part of a device's results, counted from 1, belongs to a slot; 0 if none does."""
    if is_reduced:
        return 1 if slot == _first_slot(homes, chosen, slots, device) else 0
    return _home(homes, chosen, slot, device)


class Tokens:
    """The tokens of a group. Each device has `count` tokens, and each token has `strips` blocks. dispatch()
    joins runs of `inner` tokens of each device."""

    def __init__(self, size, count, inner, strips):
        self.size, self.count, self.inner, self.strips = size, count, inner, strips
        self.blocks = count * strips


@functools.lru_cache(maxsize=256)
def tokens_of(size, count, inner, strips):
    return Tokens(size, count, inner, strips)


def _row(tokens, token, place):
    """Returns the number in the group of the token that has number `token` on the device at position
    `place`."""
    return (token // tokens.inner * tokens.size + place) * tokens.inner + token % tokens.inner


def _result_block(tokens, part, row, number):
    """Returns the number of a block among the blocks of a device's results. `part`, from 1, is the place of
    the expert on the device, `row` the number of the token in the group, `number` selects the strip."""
    return ((part - 1) * tokens.size * tokens.count + row) * tokens.strips + number % tokens.strips


def _two_buffers(like, shape, block_count):
    """Returns a buffer for the thread that sends, and one for the thread that receives."""
    return (ttl.make_dataflow_buffer_like(like, shape=shape, block_count=block_count),
            ttl.make_dataflow_buffer_like(like, shape=shape, block_count=block_count))


@functools.lru_cache(maxsize=128)
def dispatch(group, tokens, sources, results, lanes, slots):
    """Each token goes to the devices that have one of its experts, to its row of `out`."""
    net = ttl.PipeNet(graph=group.all_pairs) if group.size > 1 else None
    strips, blocks = tokens.strips, tokens.blocks

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def all_to_all_dispatch(x, chosen, homes, out):
        experts, devices, width = *homes.shape, chosen.shape[1]
        sent, arrived = _two_buffers(x, sources.shape, 2)
        sent_for, arrived_for = _two_buffers(chosen, (1, width), 2)
        for_sender, for_receiver = _two_buffers(homes, (experts, devices), 1)

        @ttl.datamovement()
        def send():
            device = group.domain.current_index()
            own = position(group, device)
            read(homes[0:experts, 0:devices], for_sender)
            with for_sender.wait() as table:
                for number in range(ttl.node(dims=1), blocks, lanes):
                    row = _row(tokens, number // strips, own)
                    read(chosen[row : row + 1, 0:width], sent_for)
                    read(x[place(sources, number, 0, 0)], sent)
                    with sent_for.wait() as picks, sent.wait() as block:
                        if _is_wanted(table, picks, slots, device):
                            ttl.copy(block, out[place(results, row * strips + number % strips, 0, 0)]).wait()

                        def send_token(pipe):
                            if _is_wanted(table, picks, slots, pipe.destination_device_index):
                                ttl.copy(block, pipe).wait()

                        if net is not None:
                            net.if_src(send_token)

        @ttl.datamovement()
        def receive():
            if net is None:
                return
            device = group.domain.current_index()
            read(homes[0:experts, 0:devices], for_receiver)
            with for_receiver.wait() as table:
                for number in range(ttl.node(dims=1), blocks, lanes):

                    def receive_token(pipe):
                        row = _row(tokens, number // strips, position(group, pipe.source_device_index))
                        read(chosen[row : row + 1, 0:width], arrived_for)
                        with arrived_for.wait() as picks:
                            if _is_wanted(table, picks, slots, device):
                                read(pipe, arrived)
                                write(arrived, out[place(results, row * strips + number % strips, 0, 0)])

                    net.if_dst(receive_token)

    return all_to_all_dispatch


@functools.lru_cache(maxsize=128)
def combine(group, tokens, sources, results, lanes, slots, is_reduced):
    """The result of each expert of a token goes back to the device of the token, to the slot of the expert.
    If a device has one result for all its experts, it goes to the slot of the first of them."""
    net = ttl.PipeNet(graph=group.all_pairs) if group.size > 1 else None
    strips, blocks = tokens.strips, tokens.blocks

    @ttl.operation(grid=(lanes, 1), device_domain=group.domain)
    def all_to_all_combine(x, chosen, homes, out):
        experts, devices, width = *homes.shape, chosen.shape[1]
        sent, arrived = _two_buffers(x, sources.shape, 2)
        sent_for, arrived_for = _two_buffers(chosen, (1, width), 2)
        for_sender, for_receiver = _two_buffers(homes, (experts, devices), 1)

        @ttl.datamovement()
        def send():
            if net is None:
                return
            device = group.domain.current_index()
            read(homes[0:experts, 0:devices], for_sender)
            with for_sender.wait() as table:
                for number in range(ttl.node(dims=1), blocks, lanes):

                    def send_results(pipe):
                        row = _row(tokens, number // strips, position(group, pipe.destination_device_index))
                        read(chosen[row : row + 1, 0:width], sent_for)
                        with sent_for.wait() as picks:
                            for slot in range(slots):
                                part = _result(table, picks, slot, slots, device, is_reduced)
                                if part > 0:
                                    read(x[place(sources, _result_block(tokens, part, row, number), 0, 0)], sent)
                                    write(sent, pipe)

                    net.if_src(send_results)

        @ttl.datamovement()
        def receive():
            device = group.domain.current_index()
            read(homes[0:experts, 0:devices], for_receiver)
            with for_receiver.wait() as table:
                for number in range(ttl.node(dims=1), blocks, lanes):
                    row = _row(tokens, number // strips, position(group, device))
                    read(chosen[row : row + 1, 0:width], arrived_for)
                    with arrived_for.wait() as picks:
                        for slot in range(slots):
                            part = _result(table, picks, slot, slots, device, is_reduced)
                            if part > 0:
                                read(x[place(sources, _result_block(tokens, part, row, number), 0, 0)], arrived)
                                write(arrived, out[place(results, slot * blocks + number, 0, 0)])

                        def receive_results(pipe):
                            for slot in range(slots):
                                part = _result(table, picks, slot, slots, pipe.source_device_index, is_reduced)
                                if part > 0:
                                    read(pipe, arrived)
                                    write(arrived, out[place(results, slot * blocks + number, 0, 0)])

                        if net is not None:
                            net.if_dst(receive_results)

    return all_to_all_combine
