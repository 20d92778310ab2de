"""The output, errors and pictures of ttl-jit layout. docs/layouts.md quotes its whole output."""

import re
import xml.etree.ElementTree

import pytest
from running import COMPILE_ERROR, SUCCESS, USAGE, ttl_jit

LAYOUT = ("#ttcore.metal_layout<logical_shape = {}, dim_alignments = {}, collapsed_intervals = "
          "dense<{}> : tensor<{}x2xi64>, {}>")
MATRIX = LAYOUT.format("64x128", "32x32", "[[0, 1], [1, 2]]", 2, "l1, sharded")


def shown(*arguments, **variables):
    """Returns the output of ttl-jit layout; the command must succeed."""
    process = ttl_jit("layout", *arguments, **variables)
    assert (process.returncode, process.stderr) == (SUCCESS, "")
    return process.stdout


def field(text, name):
    return re.search(rf"^ *{name} +(.*)$", text, re.MULTILINE)[1]


@pytest.mark.parametrize("arguments, message", [
    ([], "no layout to show: ttl-jit layout LAYOUT [options]"),
    (["64x64", "32x32"], "one layout can be shown; found also '32x32'"),
    (["64x64", "--gird=2x2"], "unknown option: '--gird'; did you mean --grid?"),
    (["64x64", "-x"], "unknown option -x; see ttl-jit layout --help"),
    (["64x64", "--at"], "--at needs a value"),
    (["64x64", "--at="], "--at needs a value"),
    (["64x64", "--row-major=1"], "--row-major takes no value"),
    (["64x64", "--at=1,a"], "--at: the indices of an element must be numbers of at least 0"),
    (["64x64", "--at=1"], "--at: a tensor of 64x64 has no element (1)"),
    (["64x64", "--at=64,0"], "--at: a tensor of 64x64 has no element (64, 0)"),
    (["64x64", "--grid=2"], "--grid: the grid 2 has rank 1, but the physical shape 2x2 has rank 2"),
    (["64x64", "--grid=3x1"], "--grid: the grid 3x1 does not divide the physical shape 2x2"),
    (["64x64", "--grid=0x1"], "--grid: the extents of a grid must be numbers of at least 1"),
    (["64x64", "--view=3x1"], "--view: the grid 3x1 does not divide"),
    (["64x64", "--dtype=f31"], "--dtype: unknown tile format: 'f31'; did you mean f32?"),
    (["64x64", "--dtype=bfp_bf8", "--row-major"], "--row-major: only tiles have the format bfp_bf8"),
    (["64x64", "--arch=grayskull"], "--arch: unknown device 'grayskull'; expected wormhole_b0"),
    (["64xx64"], "the layout must be a #ttcore.metal_layout<...>, a tensor<...> or a shape"),
    (["#ttl.layout<interleaved, tile = 32x32>"], "the layout must be a #ttcore.metal_layout<...>, a tensor<...> or "
     "a shape; found '#ttl.layout<interleaved, tile = 32x32>'"),
    (["64x0"], "a shape's extents must be numbers of at least 1"),
    (["64x64", "--svg=/no/such/folder/a.svg"], "--svg: /no/such/folder is not a directory"),
    ([LAYOUT.format("64x64", "1x1", "[[0, 2]]", 1, "l1, sharded"), "--row-major"],
     "tt-mlir chooses no grid for the physical shape 4096: give one"),
])
def test_usage_errors(arguments, message):
    process = ttl_jit("layout", *arguments)
    assert (process.returncode, process.stdout) == (USAGE, "")
    assert process.stderr.startswith("ttl-jit layout: ") and message in process.stderr


def tensor(shape, element="!ttcore.tile<32x32, f32>", layout=MATRIX):
    return f"tensor<{shape}x{element}, {layout}>"


@pytest.mark.parametrize("layout, message", [
    ("#ttcore.metal_layout<logical_shap = 64x64>", "did you mean logical_shape?"),
    ("#ttcore.grid<2x2>", "expected a #ttcore.metal_layout"),
    (MATRIX + " more", "found trailing characters"),
    ("#ttcore.metal_layout<" + "<" * 5000, "nested"),
    ("tensor<64x64", "expected"),
    ("tensor<2x2xf99>", "expected the extents of a tensor and the type of its elements, such as 64x64xf32, 64x64xbf16 "
     "or 2x2x!ttcore.tile<32x32, bf16>; found 'f99'\n  at <layout>:1:12"),
    ("tensor<>", "!ttcore.tile<32x32, bf16>; found ''\n  at <layout>:1:8"),
    ("tensor<axf32>", "found 'axf32'"),
    ("tensor<2x2x!card.tile<32x32, f32>>", "unknown type: expected a number, such as f32, bf16 or si32, or a "
     "!ttcore.tile<32x32, bf16>\n  at <layout>:1:18"),
    ("tensor<*xf32>", "expected the type of a tensor of known rank"),
    ("tensor<?x64xf32>", "has a dimension of unknown extent"),
    ("tensor<64x64xf64>", "the device stores no elements of type f64"),
    ('tensor<64x64xf32, "x">', "the encoding of the tensor must be a #ttcore.metal_layout"),
    (tensor("2x4x1x2"), "the tensor has the shape 2x4x1x2, but its layout on a grid of 2x4 gives 2x4x1x1"),
    (tensor("3x4x1x1"), "the grid 3x4 does not divide the physical shape 2x4"),
    (tensor("2x1x1"), "the grid 2 has rank 1, but the physical shape 2x4 has rank 2"),
    (LAYOUT.format("64x64", "1x1", "[[0, 2]]", 1, "l1"), "tiles need two dimensions"),
    (LAYOUT.format("33x64", "1x32", "", 0, "l1"), "is not made of whole tiles of 32x32"),
    ("9" * 15 + "x" + "9" * 15, "has more than 2^56 elements"),
    ("1x" + "9" * 18, "has more than 2^56 elements"),
])
def test_errors_in_the_layout(layout, message):
    process = ttl_jit("layout", layout)
    assert (process.returncode, process.stdout) == (COMPILE_ERROR, "")
    assert message in process.stderr and "\n  at <layout>:1:" in process.stderr


def test_layouts_may_have_several_lines():
    process = ttl_jit("layout", "#ttcore.metal_layout<logical_shape = 64x64,\n  dim_alignment = 32x32>")
    assert process.returncode == COMPILE_ERROR
    assert "\n  at <layout>:2:3\n      dim_alignment = 32x32>\n      ^~" in process.stderr


def test_help_lists_every_option():
    text = shown("--help")
    assert text == shown("64x64", "-h")
    for option in ("--at", "--grid", "--view", "--dtype", "--row-major", "--arch", "--svg", "--help"):
        assert f"\n  {option}" in text
    assert "ttl-jit layout LAYOUT" in ttl_jit("--help").stdout


def test_the_device_is_that_of_the_environment():
    assert field(shown("512x512"), "grid").startswith("8x8 ")
    assert field(shown("512x512", TTL_ARCH="blackhole"), "grid").endswith("10x13 cores of blackhole")
    assert "8x8 cores" in shown("512x512", "--arch=wormhole_b0", TTL_ARCH="blackhole")
    assert field(shown("512x512", "--arch=wormhole_b0@2x4"), "grid").startswith("4x2 ")


def test_types_that_are_printed_are_read():
    for arguments in (["33x128"], ["9x43x7", "--dtype=bf16"], ["40x70", "--row-major"], ["()"], ["100"]):
        text = shown(*arguments)
        again = shown(field(text, "tensor"))
        assert again == text.replace("chosen for", "on")


def test_a_grid_without_cores_is_said():
    text = shown("32x8192", "--grid=1x128")
    assert "no rectangle of its cores has so many" in text
    assert field(text, "core") == "(0, 127)      the device has no such core"


def test_a_shard_that_is_too_large_is_said():
    text = shown("8192x8192", "--grid=2x2")
    assert re.search(r"^device .* 67108864 bytes each: more than the 1395712 bytes of L1$", text, re.MULTILINE)


def test_the_host_has_no_cores():
    text = shown(LAYOUT.format("33x128", "32x32", "", 0, "system, sharded"), "--at=2,5")
    assert field(text, "host +261") == "of the 8192 elements of the buffer of the host"
    assert "core " not in text.split("element ")[1] and "cores of the device" not in text


def test_shards_in_dram_are_said():
    text = shown(LAYOUT.format("64x64", "32x32", "", 0, "dram, sharded"))
    assert field(text, "device").endswith("4096 bytes each, in DRAM")


def test_pages_are_over_the_banks():
    layout = LAYOUT.format("512x512", "32x32", "", 0, "dram, interleaved")
    text = shown(layout, "--at=36,70")
    assert field(text, "page") == "18            bank 6 of 12, page 1 in it"
    assert field(shown(layout, "--at=36,70", "--arch=blackhole"), "page").endswith("bank 2 of 8, page 2 in it")


def test_huge_tensors_are_quick():
    text = shown(f"{2**27}x{2**27}")
    assert "The tiles" not in text and field(text, "device").startswith("8x8x")


def test_every_element_of_a_small_tensor(tmp_path):
    """No two elements have the same byte, and elements of a row of a face follow each other."""
    places = set()
    for column in range(0, 40):
        text = shown("3x40", f"--at=2,{column}", "--dtype=bf16")
        places.add((field(text, "core")[:6], int(field(text, "byte").split()[0])))
    expected = {("(0, 0)", 64 + 2 * i) for i in range(16)} | {("(0, 0)", 512 + 64 + 2 * i) for i in range(16)}
    assert places == expected | {("(0, 1)", 64 + 2 * i) for i in range(8)}


@pytest.mark.parametrize("arguments", [
    ["2x33x128"], ["100"], ["()"], ["9x43x7"], ["31x33x447"], ["40x70", "--row-major"],
    ["32x8192", "--grid=1x128"], ["70000x70000"],
    [LAYOUT.format("3x32x64", "1x32x32", "", 0, "l1, sharded")],
    [LAYOUT.format("64x64", "32x32", "", 0, "dram, interleaved")],
    [LAYOUT.format("64x64", "1x1", "[[0, 2]]", 1, "l1, sharded"), "--row-major", "--grid=2"],
], ids=" ".join)
def test_pictures_are_svg(arguments, tmp_path):
    file = tmp_path / "picture.svg"
    shown(*arguments, f"--svg={file}")
    root = xml.etree.ElementTree.fromstring(file.read_text())
    width, height = float(root.get("width")), float(root.get("height"))
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}text")) >= 12
    for rect in root.findall(f"{space}rect"):
        x, y, wide, high = (float(rect.get(each)) for each in ("x", "y", "width", "height") if rect.get(each)) \
            if rect.get("x") else (0, 0, width, height)
        assert 0 <= x <= x + wide <= width and 0 <= y <= y + high <= height
