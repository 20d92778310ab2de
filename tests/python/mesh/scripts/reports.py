# SPDX-License-Identifier: Apache-2.0
"""Runs the scripts that the arguments name; each must fail, and the report of its error is printed."""

import runpy
import sys

import ttl
import ttnn

sys.path.insert(0, "")
opened, open_mesh_device = [], ttnn.open_mesh_device


def open_and_note(*arguments, **keywords):
    opened.append(open_mesh_device(*arguments, **keywords))
    return opened[-1]


ttnn.open_mesh_device = open_and_note
for script in sys.argv[1:]:
    try:
        runpy.run_path(script)
    except ttl.RuntimeFault as error:
        print(error.render("error").rstrip("\n"))
    ttnn.close_mesh_device(opened.pop())
    ttnn.set_fabric_config(ttnn.FabricConfig.DISABLED)
