"""Wraps d2m threads that no d2m.generic runs in a func.func with a d2m.generic on one core."""

import dataclasses
import re

import evaluator
import ir_text

SHARD = ", #ttcore.shard<0x0, 1>, #ttcore.memory_space<l1>>"


def is_lone_thread(op):
    return "d2m.thread" in op.attrs and not op.regions[0].arguments


def number_of(op):
    return int(op.attrs["operand_index"].split(":")[0])


@dataclasses.dataclass
class Use:
    """How a thread uses one operand number of d2m.get_cb or d2m.get_arg."""

    text: str  # the operand's type
    is_queue: bool
    fills: bool = False
    drains: bool = False
    writes: bool = False

    @property
    def is_semaphore(self):
        return "semaphore" in self.text

    @property
    def is_own(self):
        return self.is_queue and self.fills and self.drains

    @property
    def is_output(self):
        return self.writes or (self.is_queue and self.fills)

    def argument(self):
        """Returns the type of the wrapping function's argument."""
        if not self.is_queue:
            return self.text
        block = evaluator.Type(self.text)
        element = self.text[len("memref<") + sum(len(f"{n}x") for n in block.shape) :]
        element = ir_text.split(element.rstrip()[:-1])[0]
        return "memref<" + "".join(f"{n}x" for n in [1] * len(block.shape) + block.shape) + element + SHARD


def uses_of(body):
    uses, names = {}, {}
    for op in evaluator.walk(body):
        if op.name in ("d2m.get_cb", "d2m.get_arg"):
            names[op.results[0]] = number_of(op)
            is_queue = op.name == "d2m.get_cb"
            text = re.match(r"!d2m.cb<(.*)>$", op.result_types[0])[1] if is_queue else op.result_types[0]
            if number_of(op) not in uses or not is_queue:
                uses[number_of(op)] = Use(text, is_queue)
    for op in evaluator.walk(body):
        first = uses.get(names.get(op.operands[0])) if op.operands else None
        last = uses.get(names.get(op.operands[-1])) if op.operands else None
        if op.name == "d2m.reserve":
            first.fills = True
        elif op.name == "d2m.wait":
            first.drains = True
        elif op.name == "d2m.remote_load":
            for name in op.operands:
                if name in names and uses[names[name]].is_queue:
                    uses[names[name]].fills = True
        elif op.name == "d2m.remote_store":
            first.writes = True
            if "cb<" in op.operand_types[-1]:
                last.drains = True
        elif op.name == "d2m.dma_write" and (second := uses.get(names.get(op.operands[1]))):
            second.writes = True
    return uses


def as_program(op):
    """Returns the func.func that runs the thread: its arguments, and a d2m.generic."""
    body = op.regions[0]
    uses = dict(sorted(uses_of(body).items()))
    plain = {number: use for number, use in uses.items() if not use.is_semaphore and not use.is_own}
    inputs = [number for number, use in plain.items() if not use.is_output]
    outputs = [number for number, use in plain.items() if use.is_output]
    rest = [number for number in uses if number not in plain]
    arguments = [(f"%lone{number}", plain[number].argument()) for number in inputs + outputs]
    before, values = [], dict(zip(inputs + outputs, arguments))
    for number in rest:
        name = "d2m.create_local_semaphore" if uses[number].is_semaphore else "memref.alloc"
        values[number] = (f"%lone{number}", uses[number].text)
        before.append(ir_text.Op(name, [f"%lone{number}"], [], {}, [], [], [uses[number].text]))
    order, count = [*inputs, *outputs, *rest], len(outputs)
    if not outputs:  # a d2m.generic needs an output: add an unused one
        values[None] = ("%lone", "memref<1x1x1x1x!ttcore.tile<32x32, f32>" + SHARD)
        before.append(ir_text.Op("memref.alloc", ["%lone"], [], {}, [], [], [values[None][1]]))
        order, count = [*inputs, None, *rest], 1
    grid = "x".join(["1"] * len(evaluator.Type(values[order[len(inputs)]][1]).grid))
    attrs = {
        "block_factors": "[]", "indexing_maps": "[]", "iterator_types": "[]", "grid": f"#ttcore.grid<{grid}>",
        "threads": "[]", "operandSegmentSizes": f"array<i32: {len(inputs)}, {count}, {len(rest)}>",
    }  # fmt: skip
    generic = ir_text.Op("d2m.generic", [], [values[number][0] for number in order], attrs,
                         [ir_text.Block([], renumbered(body, order).ops[:-1])],
                         [values[number][1] for number in order], [])  # fmt: skip
    made = ir_text.Block(arguments, [*before, generic, body.ops[-1]])
    return dataclasses.replace(op, regions=[made])


def renumbered(block, order):
    ops = []
    for op in block.ops:
        attrs = dict(op.attrs)
        if op.name in ("d2m.get_cb", "d2m.get_arg"):
            attrs["operand_index"] = str(order.index(number_of(op)))
        regions = [renumbered(region, order) for region in op.regions]
        ops.append(dataclasses.replace(op, attrs=attrs, regions=regions))
    return ir_text.Block(block.arguments, ops)
