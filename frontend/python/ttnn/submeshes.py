# SPDX-License-Identifier: Apache-2.0
"""The submeshes of the open mesh, and what closing a mesh ends."""

import weakref

from . import fabric, settings


class Place:
    """The place of a submesh: a weak reference to the mesh of which it is a part, and the numbers that its
    devices have in the mesh that was opened."""

    def __init__(self, parent, ids):
        self.parent, self.ids = weakref.ref(parent), ids


submeshes = weakref.WeakKeyDictionary()  # mesh that create_submesh() made -> its Place


def close_mesh(mesh):
    """Closes the open mesh and its submeshes."""
    end(mesh)
    settings.of_device = ()
    fabric.note_mesh(None)


def end(mesh):
    """Closes a mesh of several devices and its submeshes. A mesh of one device is the device of the process,
    which stays."""
    for submesh in [each for each, place in submeshes.items() if place.parent() is mesh]:
        end(submesh)
    if mesh.get_num_devices() > 1:
        mesh.close()
