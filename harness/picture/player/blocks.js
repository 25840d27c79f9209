// Blocks and warps after a step: who runs, who waits for what, which tickets were drawn and what was published.
//
// Blocks speak to each other by strong accesses (volatile, atomic ..) to global memory. A block waits while its latest
// access is such a read and its next one is the same read again, or it counts repetitions, or no next one comes.

const NOT_BEGUN = 0, RUNS = 1, WAITS = 2, ENDED = 3, STUCK = 4;
const signs = ["○", "▶", "…", "■", "✗"];
const states = ["not begun", "runs", "waits", "ended", "stuck"];

function speaks(x, s) { return x.kind[s] !== BARRIER && x.strong[s] && !x.arrays[x.array[s]].shared; }

// Did the launch end because it was stuck?
function isStuck(x, launch) {
  return launch === x.launches.length - 1 && x.data.findings.some(f => f.id.startsWith("progress."));
}

function sameRead(x, a, b) {
  return x.kind[a] === READ && x.kind[b] === READ && x.line[a] === x.line[b] && x.cell[x.first[a]] === x.cell[x.first[b]];
}

// The next step after [s] in which another block writes the cell; -1: none.
function nextWriter(x, cell, s, launch, block) {
  for (let k = behind(x, cell, s); k < x.at[cell + 1]; k++) {
    const t = x.step[x.events[k]];
    if (x.launch[t] !== launch) return -1;
    if (x.kind[t] !== READ && x.block[t] !== block) return t;
  }
  return -1;
}

function blockAt(x, launch, block, s) {
  const steps = x.steps[launch][block] || [], n = countUpTo(steps, s), b = {block, state: RUNS, says: [], ticket: null, phase: 0};
  if (!n) return b.state = NOT_BEGUN, b;
  const last = steps[n - 1], next = n < steps.length ? steps[n] : -1, over = next < 0;
  b.phase = x.phase[last] + (x.kind[last] === BARRIER);
  for (let k = 0; k < n; k++) if (speaks(x, steps[k])) say(x, b, steps[k], launch);
  if (speaks(x, last) && x.kind[last] === READ && (over ? isStuck(x, launch) : x.again[last] || sameRead(x, last, next))) {
    const cell = x.cell[x.first[last]], writer = nextWriter(x, cell, s, launch, block);
    b.state = writer >= 0 ? WAITS : over ? STUCK : RUNS;
    if (b.state !== RUNS) b.cell = cell, b.by = writer < 0 ? -1 : x.block[writer];
  } else if (over) b.state = ENDED;
  return b;
}

// What the strong access says: a ticket (the old value of the block's first update), or a value that is published.
function say(x, b, s, launch) {
  const e = x.first[s], cell = x.cell[e], name = cellName(x, cell, launch);
  if (x.kind[s] === UPDATE && b.ticket === null) {
    const k = behind(x, cell, s - 1) - 1;
    b.ticket = k >= x.at[cell] && x.launch[x.step[x.events[k]]] === launch ? x.value[x.events[k]] : x.value[e] - 1;
    b.says.push(`draws ${valueText(b.ticket)} from ${name}`);
  } else if (x.kind[s] !== READ) b.says.push(`${name} = ${valueText(x.value[x.first[s + 1] - 1])}`);
}

function blockText(x, b, launch) {
  let text = states[b.state];
  if (b.cell !== undefined) text += ` for ${cellName(x, b.cell, launch)}: ${b.by < 0 ? "nobody writes it any more" : `block ${b.by} writes it next`}`;
  return text;
}

// What the warps of a block do: [{state, line}]. A warp whose next step comes after the next barrier waits at it.
function warpsAt(x, launch, block, s) {
  const l = x.launches[launch], n = Math.ceil(l.block[0] * l.block[1] * l.block[2] / 32), out = [];
  for (let w = 0; w < n; w++) out.push({state: NOT_BEGUN, line: 0, next: -1});
  const steps = x.steps[launch][block] || [], now = countUpTo(steps, s);
  let phase = 0;
  for (let k = 0; k < now; k++) {
    const t = steps[k];
    if (x.kind[t] === BARRIER) phase = x.phase[t] + 1;
    else if (out[x.warp[t]]) out[x.warp[t]].state = RUNS, out[x.warp[t]].line = x.line[t];
  }
  for (let k = now; k < steps.length; k++) {
    const t = steps[k];
    if (x.kind[t] !== BARRIER && out[x.warp[t]] && out[x.warp[t]].next < 0) out[x.warp[t]].next = x.phase[t];
  }
  for (const w of out) if (w.state === RUNS) w.state = w.next < 0 ? (isStuck(x, launch) ? STUCK : ENDED) : w.next > phase ? WAITS : RUNS;
  return out;
}
