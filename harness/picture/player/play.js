// Playing: buttons, keys, the slider, findings to jump to.

const player = {timer: 0};

function go(s) {
  const x = view.x;
  s = Math.max(0, Math.min(x.n - 1, s));
  $("time").value = s;
  $("time").setAttribute("aria-valuetext", `step ${s + 1} of ${x.n}`);
  draw(s);
}

// The nearest step before or after [s] for which [is] holds, else the first or last.
function seek(s, forward, is) {
  const x = view.x;
  for (let t = s + (forward ? 1 : -1); t >= 0 && t < x.n; t += forward ? 1 : -1) if (is(t)) return t;
  return forward ? x.n - 1 : 0;
}

const moves = {
  start: () => 0, end: x => x.n - 1, "step+": (x, s) => s + 1, "step-": (x, s) => s - 1,
  "barrier+": (x, s) => seek(s, true, t => x.kind[t] === BARRIER || x.launch[t] !== x.launch[s]),
  "barrier-": (x, s) => seek(s, false, t => x.kind[t] === BARRIER || x.launch[t] !== x.launch[s]),
  "warp+": (x, s) => sameWarp(x, s, true), "warp-": (x, s) => sameWarp(x, s, false),
  "conflict+": (x, s) => conflicts(x).find(t => t > s) ?? conflicts(x)[0] ?? s,
  "conflict-": (x, s) => conflicts(x).filter(t => t < s).pop() ?? s,
  "finding+": (x, s) => findings(x).find(t => t > s) ?? findings(x)[0] ?? s,
  "finding-": (x, s) => findings(x).filter(t => t < s).pop() ?? s,
};

function sameWarp(x, s, forward) {
  if (x.kind[s] === BARRIER) return s + (forward ? 1 : -1);
  const t = seek(s, forward, t => x.launch[t] === x.launch[s] && x.block[t] === x.block[s] && x.warp[t] === x.warp[s]);
  return x.warp[t] === x.warp[s] && x.block[t] === x.block[s] ? t : s;
}

// Steps where something was found, in order.
function findings(x) {
  if (!x.marks) {
    const all = new Set(x.data.findings.map(f => f.step).filter(s => s >= 0));
    for (const e of x.found.keys()) all.add(x.step[e]);
    for (const s of x.outside.keys()) all.add(s);
    for (const s of firstWrong(x)) all.add(s);
    x.marks = [...all].sort((a, b) => a - b);
  }
  return x.marks;
}

// Steps that write wrong elements of the result for the last time.
function firstWrong(x) {
  const steps = new Set();
  for (const cell of x.wrong.keys()) {
    const c = look(x, cell, x.n - 1);
    if (c.writer >= 0) steps.add(x.step[c.writer]);
  }
  return [...steps].sort((a, b) => a - b);
}

function conflicts(x) {
  if (!x.conflicts) {
    x.conflicts = [];
    for (let s = 0; s < x.n; s++) if (x.replays[s]) x.conflicts.push(s);
  }
  return x.conflicts;
}

function move(what) {
  if (what === "play") return play(!player.timer);
  play(false);
  go(moves[what](view.x, view.s));
}

function play(on) {
  clearInterval(player.timer);
  player.timer = on ? setInterval(() => view.s + 1 < view.x.n ? go(view.s + 1) : play(false), 1000 / $("speed").value) : 0;
  $("now").setAttribute("aria-live", on ? "off" : "polite"); // a reader could not keep up
  setText($("play"), on ? "pause" : "play");
  $("play").setAttribute("aria-label", on ? "pause" : "play");
}

function goLine(line) {
  const x = view.x, is = t => x.kind[t] !== BARRIER && x.line[t] === line, t = seek(view.s, true, is);
  if (is(t)) return go(t);
  const before = seek(view.s, false, is);
  if (is(before)) go(before);
}

function pin(block) {
  view.pinned = view.pinned === block ? -1 : block;
  $("block").value = String(view.pinned);
  draw(view.s);
}

// Cells: the arrows go from one to the next ------------------------------------------------------------------

function choose(box) {
  view.active.set(view.chosen, {}); // it is drawn anew, without its outline
  view.chosen = view.x.arrays[box.shown.a].first + box.shown.from + box.k;
  view.active.set(view.chosen, {});
  for (const c of box.shown.cells) if (c.box.tabIndex === 0) c.box.tabIndex = -1, c.box.removeAttribute("aria-selected");
  box.tabIndex = 0;
  box.setAttribute("aria-selected", "true");
  box.setAttribute("aria-label", cellText(view.x, view.chosen, view.s, view.launch));
  draw(view.s);
}

function cellKey(event, box) {
  const cells = box.shown.cells, top = cells[0].box.offsetTop;
  let columns = cells.findIndex(c => c.box.offsetTop !== top);
  if (columns < 1) columns = cells.length;
  const step = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns}[event.key];
  if (step && cells[box.k + step]) cells[box.k + step].box.focus();
  if (event.key === "Enter") {
    const c = look(view.x, view.chosen, view.s);
    if (c.writer >= 0) go(view.x.step[c.writer]);
  }
  return step || event.key === "Enter";
}

const keys = {ArrowRight: ["step+", "barrier+"], ArrowLeft: ["step-", "barrier-"], w: ["warp+", "warp-"], f: ["finding+", "finding-"],
  c: ["conflict+", "conflict-"],
  Home: ["start", "start"], End: ["end", "end"], " ": ["play", "play"]};

// In the source, up and down go to the nearest line that has steps.
function lineKey(event) {
  const x = view.x, down = event.key === "ArrowDown";
  if (!down && event.key !== "ArrowUp") return false;
  const lines = [...new Set(x.line)].filter(n => n && (down ? n > x.line[view.s] : n < x.line[view.s]));
  if (lines.length) goLine(down ? Math.min(...lines) : Math.max(...lines));
  return true;
}

function onKey(event) {
  const at = event.target;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (at.id === "source" && lineKey(event)) return event.preventDefault();
  if (at.shown) { if (cellKey(event, at)) return event.preventDefault(); }
  else if (/^(INPUT|SELECT)$/.test(at.tagName) || (at.tagName === "BUTTON" && event.key === " ")) return;
  const key = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!key) return;
  event.preventDefault();
  move(key[event.shiftKey ? 1 : 0]);
}

// The head: what was found, each with its step ----------------------------------------------------------------

function addFinding(text, step, line, more) {
  const item = element("li"), button = element("button", "", text);
  button.onclick = () => step >= 0 ? move2(step) : goLine(line);
  item.append(button);
  if (more) {
    const box = element("details"), text = element("p", "", more);
    box.append(element("summary", "", "why, and what to do"), text);
    item.append(box);
  }
  $("findings").append(item);
}

function move2(step) { play(false); go(step); }

function showHead(x) {
  const d = x.data, right = d.status === "pass";
  document.title = d.title;
  $("title").textContent = d.title;
  const found = d.findings.length, count = found === 1 ? "1 finding" : `${found} findings`;
  $("result").append(!right ? element("b", "bad", "✗ wrong") : found ? element("b", "bad", `✗ ${count}`) : element("b", "good", "✓ right"),
    !right ? `: ${d.message}` : found ? "; the result of this run is right" : "");
  for (const f of d.findings)
    addFinding(`${f.id}, line ${f.line}: ${f.what}${f.step >= 0 ? ` (step ${f.step + 1})` : ""}`, f.step, f.line,
      [`${f.why}. ${f.advice}.`, ...(f.details || [])].join("\n"));
  const wrong = firstWrong(x);
  if (x.wrong.size) {
    const [cell, text] = x.wrong.entries().next().value, c = look(x, cell, x.n - 1), name = cellName(x, cell, x.launches.length - 1);
    addFinding(`${name} is ${c.writer < 0 ? "never written" : valueText(c.value)}, the reference has ${text}` +
      (x.wrong.size > 1 ? `; ${x.wrong.size - 1} more` : ""), c.writer < 0 ? x.n - 1 : x.step[c.writer], 0);
    if (wrong.length > 1) x.firstWrong = wrong[0];
  }
  const dropped = x.launches.reduce((n, l) => n + (l.dropped || 0), 0);
  if (dropped) $("findings").append(element("li", "note", `${dropped} accesses are left out: of later blocks only what they say to each other is shown`));
  $("next").hidden = !findings(x).length;
  $("conflict").hidden = !conflicts(x).length;
  $("file").textContent = d.file;
  $("command").textContent = d.command && `This page of your own kernel: ${d.command}`;
}

function showMarks(x) {
  const box = $("marks"), seen = new Set();
  const mark = (s, cls) => {
    const at = Math.round(1000 * s / Math.max(1, x.n - 1)) / 10, key = cls + at;
    if (seen.has(key)) return;
    seen.add(key);
    const m = element("i", cls);
    m.style.left = `${at}%`;
    box.append(m);
  };
  for (let s = 0; s < x.n; s++) if (x.kind[s] === BARRIER) mark(s, "bar");
  for (const s of conflicts(x)) mark(s, "conf");
  for (const s of findings(x)) mark(s, "bad");
}

function begin() {
  const x = view.x = readExecution(JSON.parse($("data").textContent));
  view.pinned = -1;
  $("time").max = x.n - 1;
  showHead(x);
  showSource(x);
  showLegend();
  showMarks(x);
  for (const button of document.querySelectorAll("[data-go]")) button.onclick = () => move(button.dataset.go);
  $("time").oninput = () => move2(+$("time").value);
  $("block").onchange = () => { view.pinned = +$("block").value; draw(view.s); };
  $("banks").onchange = () => { view.banks = $("banks").checked; showLegend(); redraw(); };
  $("arrays").addEventListener("focusin", event => event.target.shown && choose(event.target));
  document.addEventListener("keydown", onKey);
  addEventListener("resize", () => view.shown.forEach(shown => setColumns(x, shown)));
  const s = /^#step=(\d+)$/.exec(location.hash);
  go(s ? +s[1] - 1 : 0);
}

begin();
