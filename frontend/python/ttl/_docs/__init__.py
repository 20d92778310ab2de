# ===- __init__.py - docstrings of functions that exist only in kernels -------=== #
# SPDX-License-Identifier: Apache-2.0
#
# The compiler implements the functions of kernels. Each has a definition in a module of this package,
# for its signature and docstring only. Functions that are rows of the table of tile operations get both
# from the row (elementwise.py). Python imports the package when somebody asks for a docstring.
# From the same texts tools/reference writes pages of the site, and tools/packages/stubs.py stubs for
# editors.
# ===--------------------------------------------------------------------------=== #

import functools
import importlib
import inspect
import textwrap

_TOPICS = "elementwise shapes movement control".split()


@functools.cache
def _definitions():
    """Returns {name: definition} of all topics."""
    found = {}
    for topic in _TOPICS:
        found |= importlib.import_module(f"ttl._docs.{topic}").DEFINITIONS
    return found


def definition(name):
    """Returns the function with the signature and the docstring of a name."""
    return _definitions()[name]


def signature(name):
    return inspect.signature(definition(name))


def docstring(name):
    """Returns the text for help(): the call, and what the function does."""
    call = textwrap.fill(f"{name}{signature(name)}", 100, subsequent_indent="    ", break_on_hyphens=False)
    return f"{call}\n\n{inspect.getdoc(definition(name))}"


def collect(namespace):
    """Returns {name: function} of the definitions in a module. A definition is called `name_` if the
    module itself uses Python's `name`."""
    return {name.rstrip("_"): value for name, value in namespace.items()
            if inspect.isfunction(value) and not name.startswith("_")
            and value.__module__ == namespace["__name__"]}
