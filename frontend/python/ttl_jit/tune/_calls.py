# SPDX-License-Identifier: Apache-2.0
"""Measures calls of an operation in this process, with copies of its tensors."""

from ttl_jit.tune import _bits, _measure
from ttl_jit.tune._tuning import Candidate


class Calls:
    """Measures calls of an operation. A parameter is an argument, a keyword of the decorator, a name that
    the body reads, or an option."""

    def __init__(self, operation, args, kwargs, computes):
        self.operation, self.args, self.kwargs, self.computes = operation, args, kwargs, computes
        self.arrays = {}  # one of the results with the same digests, by these

    def split(self, values):
        """Returns the values of a candidate by what they are."""
        found = _measure.Values()
        for name, value in values.items():
            kind = self.kind(name)
            getattr(found, kind)[name.replace("-", "_") if kind == "options" else name] = value
        return found

    def kind(self, name):
        """Returns which kind of parameter a name is, as a field of Values."""
        operation = self.operation
        if name in operation.signature.parameters:
            return "arguments"
        if name in _measure.KEYWORDS or name in operation.options.constants:
            return "keywords"
        from ttl import _values

        function = operation.function
        if name in function.__code__.co_freevars or (
                name in function.__globals__ and name in _values.names_of(function.__code__)):
            return "names"
        if name.replace("-", "_") in _measure.option_names():
            return "options"
        raise ValueError(self._unknown(name))

    def _unknown(self, name):
        from ttl import _source

        known = [*self.operation.signature.parameters, *_measure.KEYWORDS, *self.operation.options.constants,
                 *_measure.option_names()]
        similar = _source.similar(name, known)
        return (f"ttl.tune(): {self.operation.__name__}() has no parameter '{name}'" +
                (f"; did you mean '{similar}'?" if similar else
                 ": expected an argument, a keyword of the decorator, a global name that the body reads, or an option "
                 "of ttl-jit"))

    def measure(self, combinations):
        return [self._one(values) for values in combinations]

    def _one(self, values):
        candidate, sorted_values = Candidate(values), self.split(values)
        args, kwargs = _bits.copies(self.args, self.kwargs)
        try:
            with _measure.measured(sorted_values, None, self.computes) as launches:
                self.operation(*args, **kwargs)
        except _measure.Refused as refused:
            candidate.refuse(refused.kind, str(refused))
            return candidate
        except Exception as error:  # the body may do anything with its arguments
            candidate.refuse("failed", _text_of(error))
            return candidate
        if not launches:
            raise ValueError(f"ttl.tune(): {self.operation.__name__}() launched nothing")
        candidate.launches = [[each.kernel, each.cycles, each.us, each.bits] for each in launches.values()]
        candidate.used = frozenset(sorted_values.used)
        candidate.l1_bytes = max(each.l1_bytes for each in launches.values())
        if _key(candidate) not in self.arrays:
            self.arrays[_key(candidate)] = {name: each.arrays() for name, each in launches.items()}
        return candidate

    def compare(self, candidates, reference):
        expected = self.arrays[_key(reference)]
        return [max((_measure.largest_difference(array, expected[kernel][name])
                     for kernel, arrays in self.arrays[_key(each)].items() if kernel in expected
                     for name, array in arrays.items() if name in expected[kernel]), default=0.0)
                for each in candidates]


def _text_of(error):
    text = str(error).splitlines()[0] if str(error) else ""
    return text if isinstance(error, (ValueError, TypeError)) and text else f"{type(error).__name__}: {text}"


def _key(candidate):
    return tuple(sorted(candidate.results().items()))
