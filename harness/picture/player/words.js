// Words: names of cells and threads, and the sentence that tells a step.

// "0, 2 .. 14" of sorted or unsorted numbers; runs of three and more are told as one.
function ranges(list) {
  const out = [];
  for (let k = 0, end; k < list.length; k = end) {
    end = k + 1;
    const d = list[k + 1] - list[k];
    while (end < list.length && list[end] - list[end - 1] === d) end++;
    if (end - k < 3) end = k + 1, out.push(`${list[k]}`);
    else if (d === 0) out.push(`${list[k]}`);
    else out.push(d === 1 || d === -1 ? `${list[k]}..${list[end - 1]}` : `${list[k]}, ${list[k + 1]} .. ${list[end - 1]}`);
  }
  return out.length > 6 ? out.slice(0, 6).join(", ") + " .." : out.join(", ");
}

// The fields of a struct of words that the array's pointer names: chain *c with struct chain { uint32_t ticket; .. }.
function fieldsOf(source, name) {
  if (!/^\w+$/.test(name)) return null;
  const type = new RegExp(`(\\w+)\\s*\\*\\s*(?:const\\s*|__restrict__\\s*)*${name}\\b`).exec(source);
  const body = type && new RegExp(`struct\\s+${type[1]}\\s*\\{([^}]*)\\}`).exec(source);
  const fields = [];
  if (!body) return null;
  for (const part of body[1].replace(/\/\/.*$/gm, "").split(";")) {
    const f = /^\s*(?:volatile\s+)?(?:uint32_t|int32_t|unsigned|unsigned int|int|float)\s+(\w+)\s*(\[\s*(\w*)\s*\])?\s*$/.exec(part);
    if (!f) { if (part.trim()) return null; continue; }
    fields.push({name: f[1], many: !!f[2]});
    if (f[2] && f[3] !== "1" && f[3] !== "") break;
  }
  return fields.length ? fields : null;
}

function arrayName(x, a, launch) { return x.launches[launch].names[a] || Object.values(x.launches.find(l => l.names[a])?.names || {})[0] || "memory"; }

function cellName(x, cell, launch) {
  const a = arrayOf(x, cell), k = cell - x.arrays[a].first, name = arrayName(x, a, launch);
  x.fields ||= new Map();
  if (!x.fields.has(name)) x.fields.set(name, x.arrays[a].shared || x.arrays[a].bytes !== 4 ? null : fieldsOf(x.data.source, name));
  const fields = x.fields.get(name);
  if (!fields) return x.arrays[a].cells === 1 ? name : `${name}[${k}]`;
  const f = fields[Math.min(k, fields.length - 1)];
  return f.many ? `${name}->${f.name}[${k - fields.indexOf(f)}]` : `${name}->${f.name}`;
}

function valueText(v) {
  if (v === undefined) return "";
  if (typeof v !== "number") return String(v);
  return Number.isInteger(v) ? String(v) : String(Number(v.toPrecision(6)));
}

const verbs = {[READ]: "read", [WRITE]: "write", [UPDATE]: "update"};

// "thread 33 reads temp[64], and temp has 64 elements", of a step outside of an array.
function outsideText(x, s) {
  const {threads, places} = x.outside.get(s), a = x.arrays[x.array[s]], name = arrayName(x, x.array[s], x.launch[s]);
  const all = [...new Set(threads)], one = all.length === 1;
  const who = `thread${one ? "" : "s"} ${ranges(all)} ${verbs[x.kind[s] - OUTSIDE]}${one ? "s" : ""}`;
  if (a.size < 0) return `${who} an address that is in no array`;
  const size = a.size === 0 ? "no elements" : a.size === 1 ? "1 element" : `${a.size} elements`;
  return `${who} ${name}[${ranges(places)}], and ${name} has ${size}`;
}

function conflictText(x, s) {
  return x.replays[s] ? ` Bank conflict: ${x.replays[s] + 1} passes.` : "";
}

function findingText(x, s) {
  const ids = new Set(x.outside.has(s) ? [x.outside.get(s).found] : []);
  for (let e = x.first[s]; e < x.first[s + 1]; e++) if (x.found.has(e)) ids.add(x.found.get(e));
  return [...ids].map(id => {
    const f = x.data.findings.find(f => f.id === id && f.line === x.line[s]) || x.data.findings.find(f => f.id === id);
    return ` ${id}: ${f ? f.what : "here"}.`;
  }).join("");
}

// What happens in step [s], as a sentence.
function stepText(x, s) {
  const l = x.launches[x.launch[s]], many = l.grid[0] * l.grid[1] * l.grid[2] > 1;
  const where = `Step ${s + 1} of ${x.n}${x.launches.length > 1 ? `, launch ${x.launch[s]} (${l.name})` : ""}`;
  const block = many ? `block ${x.block[s]}, ` : "";
  if (x.kind[s] === BARRIER) return `${where}: ${block}barrier ${x.phase[s] + 1}: all its warps go on.`;
  const warp = `${where}: ${block}warp ${x.warp[s]}, line ${x.line[s]}: `;
  if (x.outside.has(s)) return `${warp}${outsideText(x, s)}: it is left out.` + findingText(x, s);
  const from = x.first[s], end = x.first[s + 1], threads = [...new Set(x.thread.slice(from, end))];
  const a = x.array[s], first = x.arrays[a].first, cells = [...new Set(x.cell.slice(from, end).map(c => c - first))];
  const one = threads.length === 1, verb = verbs[x.kind[s]] + (one ? "s" : "");
  const what = cells.length === 1 ? cellName(x, first + cells[0], x.launch[s]) : `${arrayName(x, a, x.launch[s])}[${ranges(cells)}]`;
  const value = cells.length === 1 ? ` ${x.kind[s] === READ ? "and gets" : "which becomes"} ${valueText(x.value[end - 1])}` : "";
  const again = x.again[s] ? `, again ${x.again[s]} times: it waits` : "";
  return `${warp}thread${one ? "" : "s"} ${ranges(threads)} ${verb} ${what}${value}${again}.` +
    conflictText(x, s) + findingText(x, s);
}

// What is known of a cell, for the panel and for screen readers.
function cellText(x, cell, s, launch) {
  const c = look(x, cell, s), a = x.arrays[arrayOf(x, cell)], parts = [];
  const name = cellName(x, cell, launch), who = e => `thread ${x.thread[e]}, line ${x.line[x.step[e]]}`;
  const list = events => [...new Set([...events].map(who))].slice(0, 4).join("; ") + (events.length > 4 ? " .." : "");
  parts.push(c.unset ? `${name} ${c.writer < 0 ? "was read, but nobody has written it" : "comes from memory that nobody has written"}` : c.value === undefined ? `${name}: nobody has touched it yet`
    : `${name} = ${valueText(c.value)}`);
  if (c.writer >= 0) {
    const from = sourcesOf(x, c.writer);
    parts.push(`written by ${who(c.writer)} (step ${x.step[c.writer] + 1})` + (from === null ? " from many cells"
      : from.length ? ` from ${from.map(e => `${cellName(x, x.cell[e], launch)} = ${valueText(x.value[e])}`).join(", ")}` : ""));
  }
  if (c.readers.length) parts.push(`read by ${list(c.readers)}`);
  if (c.next.length) parts.push(`will be read by ${list(c.next)}`);
  if (a.shared) parts.push(`bank ${bankOf(x, cell)}`);
  if (isWrong(x, c, s)) parts.push(`WRONG: the reference has ${x.wrong.get(cell)}`);
  for (const e of x.bad.get(cell) || []) if (x.step[e] <= s) parts.push(`${x.found.get(e)} in step ${x.step[e] + 1} (${who(e)})`);
  return parts.slice(0, 8).join(". ") + ".";
}

function bankOf(x, cell) {
  const a = x.arrays[arrayOf(x, cell)];
  return (a.word + Math.floor((cell - a.first) * a.bytes / 4)) % 32;
}

// A wrong element shows when it has its last value, or at the end if nobody writes it.
function isWrong(x, c, s) { return x.wrong.has(c.cell) && c.last && (c.writer >= 0 || s === x.n - 1); }
