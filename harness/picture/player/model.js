// The execution: all steps and accesses as arrays of numbers, and what a cell holds after any step.
//
// An access ("event") is one element that one thread touches; the events of a step stand side by side. Cells of all arrays
// are numbered through. Nothing is replayed: what a cell holds follows from the list of its events.

const READ = 0, WRITE = 1, UPDATE = 2, BARRIER = 3, OUTSIDE = 4; // from 4 on: a read, write or update outside of its array

// Lists as steps.c writes them: [1, start, step, count, ..] or [0, ..].
function numbers(list) {
  if (!list[0]) return list.slice(1);
  const out = [];
  for (let k = 1; k < list.length; k += 3)
    for (let i = 0, v = list[k]; i < list[k + 2]; i++, v += list[k + 1]) out.push(v);
  return out;
}

function readExecution(data) {
  const rows = data.steps, n = rows.length;
  const x = {data, n, arrays: data.arrays, launches: data.launches,
    kind: new Uint8Array(n), launch: new Uint16Array(n), block: new Uint32Array(n), phase: new Uint32Array(n),
    line: new Uint32Array(n), array: new Uint16Array(n), replays: new Uint8Array(n), strong: new Uint8Array(n),
    again: new Uint32Array(n), first: new Uint32Array(n + 1), warp: new Int32Array(n),
    thread: [], cell: [], value: [], step: [], found: new Map(), from: new Map(), outside: new Map()};
  let cells = 0;
  for (const a of x.arrays) a.first = cells, cells += a.cells;
  x.cells = cells;
  const holds = new Array(cells);
  for (let s = 0, launch = 0; s < n; s++) {
    const row = rows[s];
    while (launch + 1 < x.launches.length && x.launches[launch + 1].first <= s) launch++;
    [x.kind[s], x.launch[s], x.block[s], x.phase[s], x.first[s], x.warp[s]] = [row[0], launch, row[1], row[2], x.thread.length, -1];
    if (row[0] >= OUTSIDE) readOutside(x, s, row);
    else if (row[0] !== BARRIER) readStep(x, s, row, holds);
  }
  x.first[n] = x.thread.length;
  index(x);
  return x;
}

function readStep(x, s, row, holds) {
  const threads = numbers(row[6]), places = numbers(row[7]), values = row[8] ? numbers(row[8]) : null;
  [x.line[s], x.array[s], x.replays[s], x.strong[s], x.again[s]] = [row[3], row[4], row[5], row[11] || 0, row[12] || 0];
  x.warp[s] = threads[0] >> 5;
  const first = x.arrays[x.array[s]].first;
  for (let k = 0; k < threads.length; k++) {
    const cell = first + places[k];
    if (values) holds[cell] = values[k];
    x.thread.push(threads[k]), x.cell.push(cell), x.value.push(holds[cell]), x.step.push(s);
  }
  if (row[9]) x.from.set(s, row[9]);
  for (let k = 0; row[10] && k < row[10].length; k += 2) x.found.set(x.first[s] + row[10][k], row[10][k + 1]);
}

// Such a step has no events, as no cell takes part: it has indices.
function readOutside(x, s, row) {
  const threads = numbers(row[6]);
  [x.line[s], x.array[s], x.warp[s]] = [row[3], row[4], threads[0] >> 5];
  x.outside.set(s, {threads, places: numbers(row[7]), found: row[10][1]});
}

// The events of each cell, and the steps of each block of a launch.
function index(x) {
  x.at = new Uint32Array(x.cells + 1), x.events = new Uint32Array(x.cell.length);
  for (const c of x.cell) x.at[c + 1]++;
  for (let c = 0; c < x.cells; c++) x.at[c + 1] += x.at[c];
  const next = x.at.slice();
  for (let e = 0; e < x.cell.length; e++) x.events[next[x.cell[e]]++] = e;
  x.bad = new Map(); // cell: its events with findings
  for (const e of x.found.keys()) {
    if (!x.bad.has(x.cell[e])) x.bad.set(x.cell[e], []);
    x.bad.get(x.cell[e]).push(e);
  }
  x.unset = unsetEvents(x);
  x.width = x.arrays.map(() => 1); // characters of the longest value
  for (let e = 0; e < x.cell.length; e++) {
    const a = x.array[x.step[e]];
    if (!x.unset[e]) x.width[a] = Math.max(x.width[a], Math.min(10, valueText(x.value[e]).length));
  }
  x.steps = x.launches.map(() => []); // launch, block: steps
  x.touching = x.launches.map(() => []); // launch, array: steps
  x.leaving = x.launches.map(() => []); // launch, array: steps outside of it
  for (const s of x.outside.keys()) (x.leaving[x.launch[s]][x.array[s]] ||= []).push(s);
  for (let s = 0; s < x.n; s++) {
    (x.steps[x.launch[s]][x.block[s]] ||= []).push(s);
    if (x.kind[s] !== BARRIER) (x.touching[x.launch[s]][x.array[s]] ||= []).push(s);
  }
  x.wrong = new Map(); // cell: what the reference has there
  const w = x.data.wrong;
  if (w) for (const [k, text] of w.elements) if (k < x.arrays[w.array].cells) x.wrong.set(x.arrays[w.array].first + k, text);
}

// By event: does it read shared memory that nobody has written, or was its value computed from such? Only where the
// simulated GPU found that, as it knows of copies that are no steps here.
function unsetEvents(x) {
  const unset = new Uint8Array(x.cell.length), holds = new Uint8Array(x.cells); // 0: not written, 1: written, 2: unset
  if (!x.data.findings.some(f => f.id === "memory.uninit")) return unset;
  for (let e = 0; e < x.cell.length; e++) {
    const s = x.step[e], cell = x.cell[e], shared = x.arrays[x.array[s]].shared;
    if (x.kind[s] === READ) unset[e] = holds[cell] === 2 || (shared && !holds[cell]) || x.found.get(e) === "memory.uninit";
    else {
      unset[e] = (sourcesOf(x, e) || []).some(o => unset[o]);
      holds[cell] = unset[e] ? 2 : 1;
    }
  }
  return unset;
}

// How many of the sorted steps are at most [s]?
function countUpTo(steps, s) {
  let low = 0, high = steps.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (steps[mid] <= s) low = mid + 1; else high = mid;
  }
  return low;
}

// The place in x.events behind the cell's last event up to step [s].
function behind(x, cell, s) {
  let low = x.at[cell], high = x.at[cell + 1];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (x.step[x.events[mid]] <= s) low = mid + 1; else high = mid;
  }
  return low;
}

// What is known of a cell after step [s]. writer: the event that wrote it, -1: none yet. readers: events that read it
// since; next: those that will, before it is written again. last: it is never written again. unset: what it holds is, or
// comes from, memory that nobody has written.
function look(x, cell, s) {
  const at = behind(x, cell, s), from = x.at[cell], end = x.at[cell + 1];
  const isWrite = k => x.kind[x.step[x.events[k]]] !== READ;
  let w = at - 1, next = at;
  while (w >= from && !isWrite(w)) w--;
  while (next < end && !isWrite(next)) next++;
  const shared = x.arrays[arrayOf(x, cell)].shared;
  const state = {cell, writer: w >= from ? x.events[w] : -1, value: undefined, unset: false, last: next === end,
    readers: x.events.subarray(Math.max(w + 1, from), at), next: x.events.subarray(at, next)};
  if (at > from) state.value = x.value[x.events[at - 1]];
  else if (!shared && end > from && !isWrite(from)) state.value = x.value[x.events[from]];
  state.unset = at > from && x.unset[x.events[at - 1]] === 1;
  return state;
}

function arrayOf(x, cell) {
  let low = 0, high = x.arrays.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (x.arrays[mid].first <= cell) low = mid; else high = mid - 1;
  }
  return low;
}

// The reads that the value which event [e] writes was computed from; null: too many to tell.
function sourcesOf(x, e) {
  const s = x.step[e], from = x.from.get(s), out = [];
  if (!from) return out;
  if (from[0] === 2) return null;
  if (from[0] === 0) {
    const own = from[1 + e - x.first[s]];
    if (own.length >= 12) return null;
    for (let k = 0; k < own.length; k += 2) out.push(x.first[s - own[k]] + own[k + 1]);
    return out;
  }
  for (let k = 1; k < from.length; k++) {
    const t = s - from[k];
    for (let o = x.first[t]; o < x.first[t + 1]; o++) if (x.thread[o] === x.thread[e]) out.push(o);
  }
  return out;
}
