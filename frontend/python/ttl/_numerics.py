# ===- _numerics.py - where the errors of a launch come from ------------------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

import json

import _ttjit
from ttl import _options
from ttl._ttnn import settings


class Numerics:
    """What operation.numerics(...) returns. `text` is the explanation, which print() shows; `data` has
    its figures as a dict, and `html` is a page with pictures."""

    def __init__(self, text, data, html):
        self.text, self.data, self.html = text, json.loads(data), html

    def __str__(self):
        return self.text

    def __repr__(self):
        launches = self.data["launches"]
        kernels = ", ".join(each["kernel"] for each in launches)
        return f"<numerics of {kernels or 'no launch'}>"

    def _repr_html_(self):
        return self.html


@_ttjit.public
def numerics():
    """Returns the numeric mode that is in force here, "host" or "device": that of
    ttl.options(numerics=...), else of --numerics. It raises nothing. A script may choose by it how
    far a result may be off.

    Example:

        limit = 2.0**-9 if ttl.numerics() == "device" else 2.0**-22
    """
    return dict(settings.current().changes).get("numerics", _ttjit.process_numerics())


def explain(run):
    """Calls run() in device numerics and returns the explanation of its launches."""
    first = _ttjit.count_explanations()
    with _options.options(numerics="device", explain_numerics="on"):
        run()
    return Numerics(*_ttjit.take_explanations(first))


@_ttjit.public_methods
class Explained:
    """A base class of Operation: adds the method numerics()."""

    def numerics(self, *args, **kwargs):
        """Runs a call in the card's arithmetic and returns where its errors come from: the error of each
        tensor against fp64, by cause and by line. The call writes its tensors.

        Example:

            print(scale.numerics(x, y, 2.0))
        """
        return explain(lambda: self(*args, **kwargs))
