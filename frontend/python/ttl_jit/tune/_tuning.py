# SPDX-License-Identifier: Apache-2.0
"""Searches the fastest candidate whose results are right. The first candidate that runs is the reference: it
stays until the end, so that the others are compared with it."""

import math
from dataclasses import dataclass, field

from ttl_jit.tune import _space


@dataclass
class Candidate:
    """A combination of values. `kind` and `reason` say why it is no solution; both are empty if it is
    one. `launches` are (kernel, cycles, microseconds, bits of tensors)."""

    values: dict
    launches: list = field(default_factory=list)
    kind: str = ""
    reason: str = ""
    difference: float = 0.0  # of its results from those of the reference, as a part of the largest value
    used: frozenset = frozenset()  # names of parameters that a launch used
    l1_bytes: int = 0  # of the buffers of a core

    @property
    def cycles(self):
        return sum(launch[1] for launch in self.launches)

    @property
    def us(self):
        return sum(launch[2] for launch in self.launches)

    def refuse(self, kind, reason):
        self.kind, self.reason = kind, reason

    def results(self):
        """Returns the digests of the tensors after the run, to be compared with others."""
        return {(kernel, name): digest for kernel, _, _, bits in self.launches for name, (_, digest) in bits.items()}

    def inputs(self):
        """Returns the digests of the tensors that the run does not change."""
        return {(kernel, name): digest for kernel, _, _, bits in self.launches
                for name, (is_changed, digest) in bits.items() if not is_changed}


@dataclass
class Tuning:
    """The outcome of a search."""

    candidates: list  # those of the last rung
    reference: Candidate  # the first candidate that ran; others must have its results
    dropped: int = 0  # candidates of earlier rungs that were too slow
    rungs: int = 1
    is_checked: bool = True

    @property
    def ranked(self):
        """Returns the solutions, the fastest first."""
        return sorted((each for each in self.candidates if not each.kind), key=lambda each: each.cycles)

    @property
    def skipped(self):
        return [each for each in self.candidates if each.kind]

    @property
    def best(self):
        return next(iter(self.ranked), None)


class Tuner:
    """`measure` takes dicts of values and returns Candidates; `compare` takes Candidates and the reference
    and returns how far the results of each are from those of the reference, or a text that says why that
    is not known. `tolerance` is the largest difference that is allowed, None: no other bits. `first` are
    words for the reference."""

    def __init__(self, measure, compare, tolerance=None, is_checked=True, first="the first candidate"):
        self.measure, self.compare, self.first = measure, compare, first
        self.tolerance, self.is_checked = tolerance, is_checked

    def run(self, space, search):
        alive, skipped, dropped = search.candidates(space), [], 0
        rungs = search.rungs()
        for number, budget in enumerate(rungs):
            found = self.measure([{**values, **budget} for values in alive])
            self._require_used(found, space, search)
            tuning = Tuning([*skipped, *found], next((each for each in found if not each.kind), None),
                            dropped, len(rungs), self.is_checked)
            if number < len(rungs) - 1 and tuning.reference:
                kept = _space.survivors(tuning.ranked)
                kept = [each for each in found if each in kept or each is tuning.reference]
                dropped += len(tuning.ranked) - len(kept)
                skipped = tuning.skipped
                alive = [{name: value for name, value in each.values.items() if name not in budget} for each in kept]
        if tuning.reference and self.is_checked:
            self._check(tuning)
        return tuning

    def _require_used(self, found, space, search):
        """Fails if no launch of any candidate used a parameter: all candidates would be equal."""
        ran = [each for each in found if not each.kind]
        names = [each.name for each in space.parameters] + ([search.budget.name] if search.budget else [])
        for name in names:
            if ran and not any(name in each.used or name.replace("-", "_") in each.used for each in ran):
                raise ValueError(f"no launch has a parameter '{name}': no operation that ran takes it")

    def _check(self, tuning):
        """Refuses candidates with other results than the reference."""
        expected, inputs = tuning.reference.results(), tuning.reference.inputs()
        others = {}
        for each in tuning.ranked:
            if any(expected[key] != bits for key, bits in each.inputs().items() if key in inputs):
                each.refuse("inputs", f"its inputs are others than those of {self.first}, so that times and "
                            "results cannot be compared")
            elif not each.results().keys() & expected.keys():
                each.refuse("launches", f"it launches other kernels than {self.first}")
            elif any(bits != expected[key] for key, bits in each.results().items() if key in expected):
                others.setdefault(tuple(sorted(each.results().items())), []).append(each)
        self._compare(list(others.values()), tuning.reference)

    def _compare(self, groups, reference):
        """Refuses candidates whose results differ too much. Those of one group have the same results."""
        answers = self.compare([group[0] for group in groups], reference)
        for group, answer in zip(groups, answers):
            for each in group:
                if isinstance(answer, str):
                    each.refuse("results", f"its results have other bits than those of {self.first}: {answer}")
                    continue
                each.difference = answer
                if self.tolerance is None or answer > self.tolerance:
                    each.refuse("results", self._difference(answer))

    def _difference(self, size):
        """Returns what a user is told of results that are `size` of the largest value apart."""
        if not math.isfinite(size):
            return (f"its results have no finite difference from those of {self.first}: the shapes differ, a value is "
                    "infinite or NaN, or those are all zeros. Tiles that no kernel writes may hold such values: "
                    "look whether the candidate leaves tiles unwritten")
        allowed = "; a tolerance allows that" if self.tolerance is None else ""
        return f"its results differ from those of {self.first} by up to {size:.2g} of the largest value{allowed}"
