// Draws the state after a step: the arrays of one block, its warps, all blocks, the lanes of the step, the source.
//
// Elements are made once for a launch and a block; a step changes only texts and classes that differ.

const ROOMY = 64, WINDOW = 1024, LINE = 18; // LINE: height of a source line in player.css
const $ = id => document.getElementById(id);
const view = {x: null, launch: -1, block: -1, shown: [], lines: [], blocks: [], warps: [], chosen: -1, s: 0, banks: false, active: new Map(), marked: new Set()};

function element(tag, cls, text) {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  if (text !== undefined) e.textContent = text;
  return e;
}

function setText(e, text) { if (e.textContent !== text) e.textContent = text; }
function setClass(e, cls) { if (e.className !== cls) e.className = cls; }

// Arrays ----------------------------------------------------------------------------------------------------

// The arrays that a launch touches, of shared memory only the block's; shared memory first.
function arraysOf(x, launch, block) {
  return Object.keys(x.touching[launch]).map(Number).filter(a => !x.arrays[a].shared || x.arrays[a].block === block)
    .sort((a, b) => x.arrays[b].shared - x.arrays[a].shared || a - b);
}

// Elements of the last block are taken again, as blocks take turns: an array's own, else those of one as long.
function showArrays(x, launch, block) {
  const box = $("arrays"), old = view.shown, list = arraysOf(x, launch, block);
  const take = is => { const k = old.findIndex(is); return k < 0 ? null : old.splice(k, 1)[0]; };
  const kept = list.map(a => take(shown => shown.a === a));
  view.shown = list.map((a, k) => {
    const count = Math.min(x.arrays[a].cells, WINDOW), shown = kept[k] || take(o => o.count === count) || makeArray(box, count);
    if (shown.a !== a) {
      shown.a = a, shown.from = 0;
      shown.grid.setAttribute("aria-label", arrayName(x, a, launch));
      for (const c of shown.cells) c.place = -1;
      setColumns(x, shown);
    }
    return shown;
  });
  for (const shown of old) shown.part.remove();
  view.shown.forEach((shown, k) => { if (box.children[k] !== shown.part) box.insertBefore(shown.part, box.children[k] || null); });
}

function makeArray(box, count) {
  const roomy = count <= ROOMY, part = element("section", "array"), head = element("h2"), grid = element("div", roomy ? "grid roomy" : "grid");
  const shown = {a: -1, from: 0, count, head, grid, part, roomy, cells: []};
  grid.setAttribute("role", "listbox");
  shown.out = element("p", "out");
  part.append(head, grid, shown.out);
  for (let k = 0; k < count; k++) shown.cells.push(makeCell(grid, shown, k));
  if (count) shown.cells[0].box.tabIndex = 0;
  box.append(part);
  return shown;
}

// As many columns as fit, a power of two: columns of 32 words are the banks.
function setColumns(x, shown) {
  const need = shown.roomy ? Math.max(41, 12 + 8 * x.width[shown.a]) : Math.max(20, 6 + 6.2 * x.width[shown.a]);
  let columns = shown.roomy ? 16 : 32;
  while (columns > 1 && columns * (need + 2) > $("left").clientWidth) columns /= 2;
  shown.grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
}

function makeCell(grid, shown, k) {
  const box = element("div", "c"), value = element("b"), who = element("i"), readers = element("i");
  box.setAttribute("role", "option");
  box.tabIndex = -1;
  box.append(value);
  if (shown.roomy) box.append(who, readers);
  grid.append(box);
  box.shown = shown, box.k = k;
  return {box, value, who, readers, style: "", place: -1};
}

// The array's accesses outside of it, in this launch up to step [s]: the latest one is told.
function drawOutside(x, shown, s) {
  const steps = x.leaving[view.launch][shown.a] || [], n = countUpTo(steps, s), last = steps[n - 1];
  setText(shown.out, n ? `! ${outsideText(x, last)} (step ${last + 1}${n > 1 ? `, and ${n - 1} more before` : ""})` : "");
  setClass(shown.out, last === s ? "out here" : "out");
}

// A long array shows the part that was touched last.
function moveWindow(x, shown, s) {
  const info = x.arrays[shown.a];
  if (info.cells > shown.count) {
    const steps = x.touching[view.launch][shown.a], last = steps[Math.max(0, countUpTo(steps, s) - 1)], k = x.outside.has(last) ? Math.max(0, Math.min(x.outside.get(last).places[0], info.cells - 1)) : x.cell[x.first[last]] - info.first;
    const from = Math.min(Math.floor(k / (WINDOW / 2)) * (WINDOW / 2), info.cells - shown.count);
    if (from !== shown.from) shown.from = from, shown.cells.forEach(c => { c.place = -1; });
  }
  const part = info.cells > shown.count ? `, cells ${shown.from} to ${shown.from + shown.count - 1} of ${info.cells}` : "";
  setText(shown.head, `${arrayName(x, shown.a, view.launch)} (${info.shared ? `shared, block ${info.block}` : "global"}${part})`);
}

// "→t5", "→t0 +3"; of many threads their number, as a cell has room for seven characters.
function readersText(threads) {
  if (!threads.length) return "";
  const text = `→t${threads[0]}${threads.length > 1 ? ` +${threads.length - 1}` : ""}`;
  return text.length > 7 ? `→${threads.length}×` : text;
}

function drawCell(x, at, roomy, cell, s, active) {
  const c = look(x, cell, s), wrong = isWrong(x, c, s), role = active.get(cell);
  const bad = (x.bad.get(cell) || []).filter(e => x.step[e] <= s && x.launch[x.step[e]] === view.launch);
  const race = bad.some(e => x.found.get(e) !== "memory.uninit"), missing = c.unset || (wrong && c.writer < 0);
  let cls = "c";
  if (role) cls += ` ${role.cls}`;
  if (missing) cls += " missing";
  else if (wrong) cls += " wrong";
  if (race) cls += bad.some(e => x.step[e] === s) ? " race here" : " race";
  if (role && role.pass > 1) cls += " conflict";
  if (cell === view.chosen) cls += " chosen";
  setClass(at.box, cls);
  setText(at.value, missing ? "?" : valueText(c.value));
  if (roomy) {
    const readers = [...new Set([...c.readers].map(e => x.thread[e]))];
    setText(at.who, c.writer < 0 ? "" : `t${x.thread[c.writer]}:${x.line[x.step[c.writer]]}`);
    setText(at.readers, readersText(readers));
  }
  const hue = view.banks && x.arrays[arrayOf(x, cell)].shared ? `hsl(${bankOf(x, cell) * 137 % 360} 65% 50%)` : "";
  if (at.style !== hue) at.style = at.box.style.borderBottomColor = hue;
}

// The pass in which each word of a shared request is served: words of one bank come one after the other.
function passesOf(x, s) {
  const passes = new Map(), banks = new Map();
  if (x.kind[s] === BARRIER || !x.arrays[x.array[s]].shared || !x.replays[s]) return passes;
  for (let e = x.first[s]; e < x.first[s + 1]; e++) {
    const cell = x.cell[e], bank = bankOf(x, cell);
    if (passes.has(cell)) continue;
    banks.set(bank, (banks.get(bank) || 0) + 1);
    passes.set(cell, banks.get(bank));
  }
  return passes;
}

// The cells that take part in step [s]: what it reads or writes, and what went into that.
function activeCells(x, s, passes) {
  const active = new Map();
  if (x.kind[s] === BARRIER) return active;
  for (let e = x.first[s]; e < x.first[s + 1]; e++) {
    for (const o of sourcesOf(x, e) || []) if (!active.has(x.cell[o])) active.set(x.cell[o], {cls: "src", pass: 0});
    active.set(x.cell[e], {cls: x.kind[s] === READ ? "r" : "w", pass: passes.get(x.cell[e])});
  }
  return active;
}

// A cell is drawn anew when it takes part now or did before, or when it was touched in between.
function drawArrays(x, s) {
  const passes = passesOf(x, s), active = activeCells(x, s, passes), before = view.active, last = s === x.n - 1 || view.s === x.n - 1;
  for (const shown of view.shown) {
    moveWindow(x, shown, s);
    if (x.outside.size) drawOutside(x, shown, s);
    const first = x.arrays[shown.a].first + shown.from;
    for (let k = 0; k < shown.count; k++) {
      const at = shown.cells[k], cell = first + k, place = behind(x, cell, s);
      if (at.place === place && !last && !active.has(cell) && !before.has(cell)) continue;
      at.place = place;
      drawCell(x, at, shown.roomy, cell, s, active);
    }
  }
  view.active = active;
  drawLanes(x, s, passes);
}

// Draws all cells anew.
function redraw() {
  for (const shown of view.shown) for (const c of shown.cells) c.place = -1;
  draw(view.s);
}

// Lanes -----------------------------------------------------------------------------------------------------

function drawLanes(x, s, passes) {
  const box = $("lanes"), shared = x.kind[s] !== BARRIER && x.arrays[x.array[s]].shared;
  box.textContent = "";
  if (!shared || x.outside.has(s)) return;
  box.append(element("h2", "", `lanes of warp ${x.warp[s]}: element, bank${x.replays[s] ? `, pass of ${x.replays[s] + 1}` : ""}`));
  const row = element("div", "lanes");
  for (let e = x.first[s]; e < x.first[s + 1] && row.childElementCount < 32; e++) {
    if (e > x.first[s] && x.thread[e] === x.thread[e - 1]) continue;
    const cell = x.cell[e], lane = element("span", passes.get(cell) > 1 ? "lane conflict" : "lane");
    lane.append(element("i", "", `l${x.thread[e] % 32}`), element("b", "", String(cell - x.arrays[x.array[s]].first)),
      element("i", "", `b${bankOf(x, cell)}${passes.get(cell) > 1 ? ` p${passes.get(cell)}` : ""}`));
    lane.style.borderBottomColor = `hsl(${bankOf(x, cell) * 137 % 360} 65% 50%)`;
    row.append(lane);
  }
  box.append(row);
}

function showLegend() {
  const box = $("legend");
  box.textContent = "";
  for (const [cls, text] of [["r", "read now"], ["w", "written now"], ["src", "its value went into that"], ["missing", "? read or expected, never written"],
    ["race", "! race or other finding"], ["wrong", "≠ wrong at last"], ["conflict", "▪ waits for another word of its bank"]]) {
    const item = element("span", "item");
    item.append(element("span", `c ${cls}`, ""), ` ${text}`);
    box.append(item);
  }
  if (!view.banks) return;
  const banks = element("div", "banks", "bank ");
  for (let b = 0; b < 32; b++) {
    const sign = element("span", "bank", String(b));
    sign.style.borderBottomColor = `hsl(${b * 137 % 360} 65% 50%)`;
    banks.append(sign);
  }
  box.append(banks);
}

// Blocks and warps ------------------------------------------------------------------------------------------

function showBlocks(x, launch) {
  const l = x.launches[launch], n = l.grid[0] * l.grid[1] * l.grid[2], box = $("blocks");
  box.textContent = "";
  view.blocks = [];
  const select = $("block");
  select.textContent = "";
  select.append(new Option("the one that acts", "-1"));
  for (let b = 0; b < Math.min(n, 256); b++) if (x.steps[launch][b]) select.append(new Option(`block ${b}`, b));
  select.value = String(view.pinned ?? -1);
  if (n < 2) return;
  box.className = n <= 16 ? "few" : "";
  if (n > 256) box.append(element("p", "", `the first 256 of ${n} blocks`));
  for (let b = 0; b < Math.min(n, 256); b++) {
    const item = element("button", "block");
    item.append(element("b"), element("span"), element("span"));
    item.onclick = () => pin(b);
    box.append(item);
    view.blocks.push(item);
  }
}

function drawBlocks(x, s) {
  const launch = x.launch[s], acting = x.block[s];
  let awaited = -1;
  view.blocks.forEach((item, k) => {
    const n = countUpTo(x.steps[launch][k] || [], s), again = item.n === n && item.b.state !== WAITS && item.b.state !== STUCK;
    const b = again ? item.b : blockAt(x, launch, k, s), [name, state, says] = item.children;
    if (k === acting && b.by >= 0) awaited = b.by;
    item.n = n, item.b = b;
    setClass(item, `block s${b.state}${k === acting ? " acts" : ""}${k === view.block ? " shown" : ""}`);
    if (again) return;
    setText(name, `${signs[b.state]} ${k}${b.ticket === null ? "" : ` #${valueText(b.ticket)}`}`);
    setText(state, view.blocks.length <= 16 ? blockText(x, b, launch) : b.state === NOT_BEGUN ? "" : states[b.state] + (b.by >= 0 ? ` for ${b.by}` : ""));
    setText(says, view.blocks.length <= 16 ? b.says.slice(-2).join("; ") : "");
    const label = `block ${k}: ${blockText(x, b, launch)}. ${b.says.join(", ")}`;
    if (item.title !== label) item.title = label, item.setAttribute("aria-label", label);
  });
  if (awaited >= 0 && view.blocks[awaited]) view.blocks[awaited].classList.add("awaited");
}

function drawWarps(x, s) {
  const warps = warpsAt(x, view.launch, view.block, s), box = $("warps");
  box.hidden = warps.every(w => w.state === NOT_BEGUN);
  while (box.childElementCount > warps.length) box.lastChild.remove();
  while (box.childElementCount < warps.length) {
    const item = element("span");
    item.setAttribute("role", "listitem");
    box.append(item);
  }
  const acts = x.block[s] === view.block ? x.warp[s] : -1;
  warps.forEach((w, k) => {
    setText(box.children[k], `${signs[w.state]} w${k}${w.line ? `:${w.line}` : ""}`);
    const text = `warp ${k} ${w.state === WAITS ? "waits at a barrier" : states[w.state]}${w.line ? `, last at line ${w.line}` : ""}`;
    if (box.children[k].title !== text) box.children[k].title = text, box.children[k].setAttribute("aria-label", text);
    setClass(box.children[k], `warp s${w.state}${k === acts ? " acts" : ""}`);
  });
  return warps;
}

// Source ----------------------------------------------------------------------------------------------------

function showSource(x) {
  const bad = new Map();
  for (const f of x.data.findings) bad.set(f.line, `${bad.get(f.line) || ""} ${f.id}`);
  view.lines = x.data.source.split("\n").map((text, k) => {
    const line = element("li", "", ""), code = element("code", "", text || " ");
    line.append(element("span", "n", String(k + 1)), element("span", "g"), code);
    line.bad = bad.get(k + 1) || "";
    if (line.bad) line.className = "bad", line.title = line.bad, line.children[1].textContent = "!";
    line.onclick = () => goLine(k + 1);
    $("source").append(line);
    return line;
  });
}

function drawSource(x, s, warps) {
  const now = x.kind[s] === BARRIER ? -1 : x.line[s], others = new Map();
  for (let k = 0; k < warps.length; k++)
    if (warps[k].state !== ENDED && warps[k].line) others.set(warps[k].line, [...(others.get(warps[k].line) || []), k]);
  const marked = new Set([now, ...others.keys()]);
  for (const n of new Set([...marked, ...view.marked])) {
    const line = view.lines[n - 1], here = others.get(n), isNow = n === now;
    if (!line) continue;
    setClass(line, (isNow ? "now" : here ? "also" : "") + (line.bad ? " bad" : ""));
    setText(line.children[1], (line.bad ? "!" : "") + (here ? `w${ranges(here)}` : ""));
  }
  view.marked = marked;
  if (now < 1 || now === view.line) return;
  view.line = now;
  cancelAnimationFrame(view.frame); // reading the place now would lay the page out twice
  view.frame = requestAnimationFrame(() => scrollTo($("source"), (now - 1) * LINE));
}

// Brings the line at [top] into sight, if it is not.
function scrollTo(box, top) {
  if (top < box.scrollTop + LINE || top > box.scrollTop + box.clientHeight - 2 * LINE) box.scrollTop = top - box.clientHeight / 2;
}

// All -------------------------------------------------------------------------------------------------------

function draw(s) {
  const x = view.x, block = view.pinned >= 0 ? view.pinned : x.block[s];
  if (x.launch[s] !== view.launch) showBlocks(x, x.launch[s]);
  if (x.launch[s] !== view.launch || block !== view.block) {
    if (x.launch[s] !== view.launch) for (const shown of view.shown) for (const c of shown.cells) c.place = -1;
    view.launch = x.launch[s], view.block = block;
    showArrays(x, view.launch, block);
  }
  drawArrays(x, s);
  view.s = s;
  drawBlocks(x, s);
  drawSource(x, s, drawWarps(x, s));
  setText($("now"), stepText(x, s));
  drawChosen();
}

function drawChosen() {
  setText($("cell"), view.chosen < 0 ? "Choose a cell to see who wrote it and who reads it." : cellText(view.x, view.chosen, view.s, view.launch));
}
