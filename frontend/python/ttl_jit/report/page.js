// SPDX-License-Identifier: Apache-2.0
// Draws the page of `ttl-jit report`. The data is the JSON that _page.py put into the page.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const kinds = ["compute", "wait", "issue", "call"];
const unit = { host: "ns", cycles: "cycles" }[data.time] || "ticks";
const number = (value) => Math.round(value).toLocaleString("en");
const percent = (share) => `${(100 * share).toFixed(0)} %`;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

function make(tag, parent, text = "", attributes = {}) {
  const isShape = ["svg", "rect", "text", "path", "g", "defs", "marker"].includes(tag);
  const element = isShape || attributes.shape ? document.createElementNS("http://www.w3.org/2000/svg", tag)
                                              : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name !== "shape") element.setAttribute(name, value);
  if (text !== "") element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function tip(event, text) {
  const box = byId("tip");
  box.style.display = text ? "block" : "none";
  box.textContent = text;
  box.style.left = `${Math.min(event.clientX + 14, innerWidth - box.offsetWidth - 8)}px`;
  box.style.top = `${event.clientY + 14}px`;
}

const numDevices = data.mesh.reduce((product, extent) => product * extent, 1);
const columns = data.grid[0] / numDevices; // of one device

// A node with its device. `x` counts the columns of all devices.
const nodeText = (x, y) => numDevices === 1 ? `node (${x}, ${y})` :
  `device ${Math.floor(x / columns)} node (${x % columns}, ${y})`;

// A line `FILE:LINE` without the folders.
const shortPlace = (at) => at.slice(at.lastIndexOf("/") + 1);

function drawSummary() {
  byId("title").textContent = `${data.kernel}, launch ${data.launch}`;
  byId("summary").textContent = `grid ${data.grid[0]}x${data.grid[1]}, ${data.nodes} nodes, ${number(data.duration)} ${unit}` +
    ({ host: " of this host", cycles: " of the card, as --time estimates them, without the launch" }[data.time] ||
     " of logical time: the same on every engine and host, but not the time of a device");
  if (data.fault) make("p", byId("summary"), `ended with: ${data.fault}`, { class: "fault" });
  for (const stall of data.stalls.slice(0, 8)) make("li", byId("stalls"), stall.advice);
  if (!data.stalls.length) make("li", byId("stalls"), "no thread waited");
}

function drawKeys() {
  for (const kind of [...kinds, "copy"]) {
    const key = make("span", byId("keys"), "", { class: "key" });
    make("i", key, "", { style: `background: var(--${kind})` });
    key.append({ call: "buffer call", issue: "issue of a copy", copy: "copy on the NoC" }[kind] || kind);
  }
}

// ---------------------------------------------------------------------------------------
// Timeline

const rowHeight = 20, labels = 190;
const view = { begin: 0, end: data.duration, rows: [] };

function chooseNode(value) {
  const wanted = ({ node }) => value === "all" || `${node[0]},${node[1]}` === value;
  const rank = (row) => row.node[1] * data.grid[0] + row.node[0];
  const rows = data.timeline.rows.filter(wanted).map((row) => ({ ...row, isCounter: false }));
  const counters = data.timeline.counters.filter(wanted).map((row) => ({ ...row, isCounter: true }));
  view.rows = [...rows, ...counters].sort((a, b) => rank(a) - rank(b) || a.isCounter - b.isCounter)
    .slice(0, 400);
  drawTimeline();
}

const toX = (time, width) => labels + ((time - view.begin) / (view.end - view.begin)) * (width - labels);

function drawSpans(context, row, y, width) {
  let count = 0, drawnTo = -1, before = 0;
  for (const [start, length, kind] of row.spans) {
    if (start < before) drawnTo = -1; // the spans inside sections follow them
    before = start;
    const x = Math.max(toX(start, width), labels), right = toX(start + length, width);
    if (right < labels || x > width || right < drawnTo) continue;
    context.fillStyle = view.colours[kind];
    context.fillRect(x, y + 3, Math.max(right - x, 0.6), rowHeight - 6);
    drawnTo = Math.max(right, x + 0.3);
    count += 1;
  }
  return count;
}

function drawPages(context, row, y, width) {
  const capacity = (data.buffers.find(({ name }) => name === row.name) || { pages: 1 }).pages;
  const height = (pages) => (rowHeight - 5) * Math.min(pages / capacity, 1);
  context.fillStyle = view.colours.fill;
  let last = 0, pages = 0;
  for (const [time, after] of [...row.changes, [data.duration, 0]]) {
    const x = Math.max(toX(last, width), labels), right = Math.min(toX(time, width), width);
    if (right > x) context.fillRect(x, y + rowHeight - 2 - height(pages), right - x, height(pages));
    [last, pages] = [time, after];
  }
  return row.changes.length;
}

function drawTimeline() {
  const canvas = byId("timeline"), width = canvas.clientWidth, height = view.rows.length * rowHeight + 24;
  const scale = devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = `${height}px`;
  view.colours = Object.fromEntries([...kinds, "copy", "fill"].map((kind) => [kind, colour(kind)]));
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.font = "12px system-ui, sans-serif";
  let count = drawScale(context, width, height);
  view.rows.forEach((row, i) => {
    const y = i * rowHeight + 20;
    count += row.isCounter ? drawPages(context, row, y, width) : drawSpans(context, row, y, width);
    context.fillStyle = colour(row.isCounter ? "soft" : "text");
    context.fillText(`(${row.node}) ${row.isCounter ? "pages in " : ""}${row.name}`, 6, y + 14, labels - 12);
  });
  document.body.dataset.spans = count;
}

function drawScale(context, width, height) {
  const step = 10 ** Math.floor(Math.log10(Math.max(view.end - view.begin, 1)) - 0.3);
  context.strokeStyle = colour("rule");
  context.fillStyle = colour("soft");
  let last = -Infinity;
  for (let time = Math.ceil(view.begin / step) * step; time <= view.end; time += step) {
    const x = toX(time, width);
    context.beginPath();
    context.moveTo(x, 16);
    context.lineTo(x, height);
    context.stroke();
    if (x - last > 90 && x < width - 60) {
      context.fillText(number(time), x + 2, 12);
      last = x;
    }
  }
  return 0;
}

function spanAt(event) {
  const box = byId("timeline").getBoundingClientRect();
  const row = view.rows[Math.floor((event.clientY - box.top - 20) / rowHeight)];
  const time = view.begin + ((event.clientX - box.left - labels) / (box.width - labels)) * (view.end - view.begin);
  if (!row || event.clientX - box.left < labels) return "";
  if (row.isCounter) {
    const before = row.changes.filter(([when]) => when <= time).pop();
    return `${before ? before[1] : 0} pages in ${row.name}`;
  }
  const reach = (2 * (view.end - view.begin)) / (box.width - labels);
  const found = row.spans.filter(([start, length]) => start - reach <= time && time <= start + length + reach)
    .sort((a, b) => a[1] - b[1])[0];
  if (!found) return "";
  return `${data.timeline.names[found[3]]}\n${number(found[0])} to ${number(found[0] + found[1])} ${unit}` +
    ` (${number(found[1])})\n${shortPlace(data.timeline.places[found[4]])}`;
}

function show(begin, end) {
  const length = Math.min(Math.max(end - begin, 10), data.duration);
  view.begin = Math.min(Math.max(begin, 0), data.duration - length);
  view.end = view.begin + length;
  drawTimeline();
}

function listen() {
  const canvas = byId("timeline");
  canvas.addEventListener("wheel", (event) => {
    if (event.shiftKey) return;
    event.preventDefault();
    const box = canvas.getBoundingClientRect(), length = view.end - view.begin;
    const share = Math.min(Math.max((event.clientX - box.left - labels) / (box.width - labels), 0), 1);
    const next = length * 1.2 ** Math.sign(event.deltaY);
    show(view.begin + share * (length - next), view.begin + share * (length - next) + next);
  }, { passive: false });
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) {
      const moved = (event.movementX / (canvas.clientWidth - labels)) * (view.end - view.begin);
      show(view.begin - moved, view.end - moved);
    }
    tip(event, event.buttons ? "" : spanAt(event));
  });
  canvas.addEventListener("pointerleave", (event) => tip(event, ""));
  byId("whole").addEventListener("click", () => show(0, data.duration));
  byId("node").addEventListener("change", (event) => chooseNode(event.target.value));
  byId("kind").addEventListener("change", drawTraffic);
  addEventListener("resize", drawTimeline);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { drawTimeline(); drawTraffic(); });
}

function fillNodes() {
  const nodes = [...new Set(data.timeline.rows.map(({ node }) => `${node[0]},${node[1]}`))];
  for (const node of nodes) make("option", byId("node"), nodeText(...node.split(",").map(Number)), { value: node });
  make("option", byId("node"), "all nodes", { value: "all" });
  if (data.timeline.shown < data.timeline.spans)
    byId("shown").textContent = `The timeline shows ${nodes.length} of ${data.nodes} nodes; the figures are those of all.`;
  chooseNode(nodes[0] || "all");
}

// ---------------------------------------------------------------------------------------
// Graph, buffers, traffic

const boxWidth = 136, boxHeight = 34, layerWidth = 200, rowStep = 48;

// A compute thread, which has three rows in cycles of the card, is one box.
const threadOf = (row) => row.replace(/ (unpacker|math|packer)$/, "");

// Threads, buffers, and an edge for each push and pop. An edge that would close a circle is turned
// round, so that all edges lead from a layer to a later one; isTurned: its arrow is at the start.
function graph() {
  const nodes = new Map();
  for (const name of new Set(data.threads.map((row) => threadOf(row.name))))
    nodes.set(`t ${name}`, { key: `t ${name}`, out: [], layer: 0 });
  for (const { name } of data.buffers) nodes.set(`b ${name}`, { key: `b ${name}`, out: [], layer: 0 });
  for (const edge of data.edges) {
    const thread = nodes.get(`t ${threadOf(edge.thread)}`), buffer = nodes.get(`b ${edge.buffer}`);
    if (!thread || !buffer) continue;
    const [from, to] = edge.verb === "push" ? [thread, buffer] : [buffer, thread];
    from.out.push({ from, to, edge, isTurned: false });
  }
  return turnCircles([...nodes.values()]);
}

function turnCircles(nodes) {
  const open = new Set(), done = new Set(), edges = [];
  const visit = (node) => {
    open.add(node);
    for (const link of node.out) {
      if (open.has(link.to)) Object.assign(link, { from: link.to, to: node, isTurned: true });
      else if (!done.has(link.to)) visit(link.to);
      edges.push(link);
    }
    open.delete(node);
    done.add(node);
  };
  // Threads that pop nothing come first: the data begin there. Buffers come last.
  const pops = new Set(data.edges.filter(({ verb }) => verb === "pop").map(({ thread }) => `t ${threadOf(thread)}`));
  const rank = ({ key }) => key[0] === "b" ? 2 : Number(pops.has(key));
  for (const node of [...nodes].sort((a, b) => rank(a) - rank(b)))
    if (!done.has(node)) visit(node);
  for (let round = 0; round < nodes.length; ++round)
    for (const { from, to } of edges) to.layer = Math.max(to.layer, from.layer + 1);
  return { nodes, edges };
}

// Puts each node into the column of its layer. An edge that passes a layer has a bend in it, which
// takes a row like a node. Rows are sorted so that neighbours are near each other.
function layOut({ nodes, edges }) {
  const columns = [];
  const put = (item) => (columns[item.layer] = columns[item.layer] || []).push(item);
  nodes.forEach((node) => put(Object.assign(node, { near: [] })));
  for (const link of edges) {
    link.stops = [link.from];
    for (let layer = link.from.layer + 1; layer < link.to.layer; ++layer) {
      const bend = { layer, near: [], isBend: true };
      put(bend);
      link.stops.push(bend);
    }
    link.stops.push(link.to);
    link.stops.slice(1).forEach((stop, i) => { stop.near.push(link.stops[i]); link.stops[i].near.push(stop); });
  }
  const mean = (item) => item.near.length ? item.near.reduce((sum, { row }) => sum + row, 0) / item.near.length : item.row;
  const most = Math.max(1, ...columns.map(({ length }) => length));
  const number = (column) => column.forEach((item, i) => { item.row = i + (most - column.length) / 2; });
  columns.forEach(number);
  for (let round = 0; round < 12; ++round)
    for (const column of round % 2 ? [...columns].reverse() : columns) {
      column.forEach((item) => { item.wanted = mean(item); });
      number(column.sort((a, b) => a.wanted - b.wanted));
    }
  return { columns, most };
}

const graphX = ({ layer }) => 4 + layer * layerWidth, graphY = ({ row }) => 10 + row * rowStep + boxHeight / 2;

function graphBox(svg, item) {
  const x = graphX(item), y = graphY(item), isThread = item.key[0] === "t";
  make("rect", svg, "", { x, y: y - boxHeight / 2, width: boxWidth, height: boxHeight, rx: isThread ? 0 : 17,
    fill: "var(--panel)", stroke: "var(--soft)" });
  make("text", svg, item.key.slice(2), { x: x + boxWidth / 2, y: y + 4, "text-anchor": "middle" });
}

// Spreads the ends of edges over the sides of the boxes, in the order of the rows to which they lead.
function spreadEnds({ nodes, edges }) {
  for (const node of nodes)
    for (const [end, other] of [["start", (stops) => stops[1]], ["end", (stops) => stops[stops.length - 2]]]) {
      const links = edges.filter((link) => (end === "start" ? link.from : link.to) === node)
        .sort((a, b) => other(a.stops).row - other(b.stops).row);
      links.forEach((link, i) => { link[end] = ((i + 1) / (links.length + 1) - 0.5) * boxHeight; });
    }
}

function graphEdge(svg, { stops, edge, isTurned, start: startShift, end: endShift }) {
  const first = stops[0], start = [graphX(first) + boxWidth + (isTurned ? 7 : 0), graphY(first) + startShift];
  let path = `M${start}`, [x, y] = start;
  stops.slice(1).forEach((stop, i) => {
    const isLast = i === stops.length - 2;
    const left = graphX(stop) - (isLast && !isTurned ? 7 : 0), to = graphY(stop) + (isLast ? endShift : 0);
    path += ` C${x + 30},${y} ${left - 30},${to} ${left},${to}`;
    [x, y] = [left, to];
    if (!isLast) path += ` L${x += boxWidth},${y}`;
  });
  const line = make("path", svg, "", { d: path, fill: "none", stroke: "var(--issue)", "stroke-width": 2,
    [isTurned ? "marker-start" : "marker-end"]: "url(#arrow)" });
  make("title", line, `${edge.thread}: ${edge.verb} of ${number(edge.pages)} pages`, { shape: true });
}

function drawGraph() {
  const found = graph(), { columns, most } = layOut(found);
  const width = layerWidth * columns.length, height = rowStep * most + 10;
  const svg = make("svg", byId("graph"), "", { width, height, viewBox: `0 0 ${width} ${height}`,
    style: `max-width: 100%; min-width: ${0.7 * width}px; height: auto` });
  const marker = make("marker", make("defs", svg), "", { id: "arrow", viewBox: "0 0 8 8", refX: 1, refY: 4,
    markerWidth: 4, markerHeight: 4, orient: "auto-start-reverse" });
  make("path", marker, "", { d: "M0,0 L8,4 L0,8 z", fill: "var(--issue)" });
  spreadEnds(found);
  for (const link of found.edges) graphEdge(svg, link);
  for (const node of found.nodes) graphBox(svg, node);
}

function row(table, cells, tag = "td") {
  const line = make("tr", table);
  cells.forEach((cell, i) => make(tag, line, cell, i ? {} : { class: "left" }));
  return line;
}

function drawBuffers() {
  const table = byId("buffers");
  row(table, ["buffer", "pages", "on average", "at most", "empty", "full", "made at"], "th");
  for (const buffer of data.buffers)
    row(table, [buffer.name, buffer.pages, buffer.mean.toFixed(1), buffer.most, percent(buffer.empty), percent(buffer.full),
      shortPlace(buffer.at)]);
}

function drawTraffic() {
  const kind = byId("kind").value, size = data.grid[0] > 16 ? 22 : 46;
  const bytes = (node) => kind === "all" ? node.read + node.written + node.sent + node.received : node[kind];
  const most = Math.max(1, ...data.traffic.map(bytes));
  byId("traffic").textContent = "";
  const width = data.grid[0] * size + 40, height = data.grid[1] * size + 24;
  const svg = make("svg", byId("traffic"), "", { width, height });
  for (let x = 0; x < data.grid[0]; ++x) make("text", svg, x % columns, { x: 30 + x * size + size / 2, y: 14, "text-anchor": "middle" });
  for (let y = 0; y < data.grid[1]; ++y) make("text", svg, y, { x: 22, y: 26 + y * size + size / 2, "text-anchor": "end" });
  for (const node of data.traffic) {
    const box = make("rect", svg, "", { x: 30 + node.x * size, y: 20 + node.y * size, width: size - 2, height: size - 2,
      fill: "var(--fill)", "fill-opacity": 0.06 + 0.94 * bytes(node) / most, stroke: "var(--rule)" });
    const text = `${nodeText(node.x, node.y)}: ${number(node.read)} bytes read, ${number(node.written)} written,\n` +
      `${number(node.sent)} sent, ${number(node.received)} received`;
    box.addEventListener("pointermove", (event) => tip(event, text));
    box.addEventListener("pointerleave", (event) => tip(event, ""));
  }
}

// ---------------------------------------------------------------------------------------
// Links

const deviceSize = 56, deviceStep = 150;

// The middle of a device. The last axis of the mesh goes to the right, those before it go down.
function placeOf(device) {
  const across = data.mesh[data.mesh.length - 1];
  return [40 + deviceSize / 2 + (device % across) * deviceStep, 40 + deviceSize / 2 + Math.floor(device / across) * deviceStep];
}

// The path of an arrow, bent to its left so that the two directions of a link are apart, and the place of its text.
function arc(from, to) {
  const [x0, y0] = placeOf(from), [x1, y1] = placeOf(to), length = Math.hypot(x1 - x0, y1 - y0);
  const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length], bend = 14 + 0.12 * Math.max(length - deviceStep, 0);
  const margin = 0.62 * deviceSize, middle = [(x0 + x1) / 2 + dy * 2 * bend, (y0 + y1) / 2 - dx * 2 * bend];
  const path = `M${x0 + dx * margin + dy * bend / 2},${y0 + dy * margin - dx * bend / 2} Q${middle} ` +
    `${x1 - dx * margin + dy * bend / 2},${y1 - dy * margin - dx * bend / 2}`;
  return { path, x: (x0 + x1) / 2 + dy * (bend + 8), y: (y0 + y1) / 2 - dx * (bend + 8) + 4 };
}

function drawLink(svg, link, most) {
  const { path, x, y } = arc(link.from, link.to);
  const line = make("path", svg, "", { d: path, fill: "none", stroke: "var(--issue)", "marker-end": "url(#link)",
    "stroke-width": 1 + 4 * link.bytes / most });
  make("text", svg, number(link.bytes), { x, y, "text-anchor": "middle" });
  const text = `device ${link.from} to device ${link.to}: ${number(link.bytes)} bytes\n` +
    `in ${number(link.blocks)} blocks, ${number(link.signals)} signals`;
  line.addEventListener("pointermove", (event) => tip(event, text));
  line.addEventListener("pointerleave", (event) => tip(event, ""));
}

function drawLinks() {
  if (numDevices === 1) return;
  byId("mesh").hidden = false;
  const across = data.mesh[data.mesh.length - 1], down = numDevices / across;
  const width = 80 + deviceSize + (across - 1) * deviceStep, height = 80 + deviceSize + (down - 1) * deviceStep;
  const svg = make("svg", byId("links"), "", { width, height });
  const marker = make("marker", make("defs", svg), "", { id: "link", viewBox: "0 0 8 8", refX: 6, refY: 4,
    markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" });
  make("path", marker, "", { d: "M0,0 L8,4 L0,8 z", fill: "var(--issue)" });
  for (let device = 0; device < numDevices; ++device) {
    const [x, y] = placeOf(device);
    make("rect", svg, "", { x: x - deviceSize / 2, y: y - deviceSize / 2, width: deviceSize, height: deviceSize, rx: 6,
      fill: "var(--panel)", stroke: "var(--rule)" });
    make("text", svg, device, { x, y: y + 4, "text-anchor": "middle" });
  }
  const most = Math.max(1, ...data.links.map(({ bytes }) => bytes));
  for (const link of data.links) drawLink(svg, link, most);
}

// ---------------------------------------------------------------------------------------
// Lines

function costBar(cell, entry, most) {
  const bar = make("div", cell, "", { class: "bar" });
  for (const kind of kinds)
    make("i", bar, "", { style: `width: ${(110 * entry[kind]) / most}px; background: var(--${kind})` });
}

function sourceLine(table, line, text, entry, most) {
  const parts = make("tr", table, "", entry ? { class: "hot" } : {});
  make("td", parts, line);
  make("td", parts, text, { class: "left" });
  const bar = make("td", parts);
  if (entry) costBar(bar, entry, most);
  for (const kind of kinds) make("td", parts, entry && entry[kind] ? number(entry[kind]) : "");
  make("td", parts, entry && entry.bytes ? number(entry.bytes) : "");
}

function drawFile(file, source) {
  const costs = new Map();
  for (const entry of data.lines) {
    const at = entry.at.lastIndexOf(":");
    if (entry.at.slice(0, at) === file) costs.set(Number(entry.at.slice(at + 1)), entry);
  }
  const total = (entry) => kinds.reduce((sum, kind) => sum + entry[kind], 0);
  const most = Math.max(1, ...[...costs.values()].map(total));
  make("p", byId("lines"), `${file} (${unit} of all nodes)`);
  const table = make("table", byId("lines"), "", { class: "source" });
  row(table, ["line", "", "", ...kinds, "bytes"], "th");
  const numbers = [...costs.keys()], first = Math.max(1, Math.min(...numbers) - 3), last = Math.max(...numbers) + 2;
  for (let line = first; line <= (source.length ? Math.min(last, source.length) : last); ++line)
    if (source.length || costs.has(line)) sourceLine(table, line, source[line - 1] || "", costs.get(line), most);
}

drawSummary();
drawKeys();
drawLinks();
fillNodes();
drawGraph();
drawBuffers();
drawTraffic();
for (const [file, source] of Object.entries(data.sources)) drawFile(file, source);
listen();
document.body.dataset.drawn = "yes";
