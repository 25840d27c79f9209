// Drives a moving picture in a browser as a person does: keys, clicks, the slider. player_test.sh appends it to a copy of
// a page and reads the lines "ok ..", "not ok ..", "figure NAME VALUE" from the page's text.

const report = [];
const check = (what, is) => report.push(`${is ? "ok" : "not ok"} ${what}`);
const text = id => document.getElementById(id).textContent;
const press = (key, shiftKey, at) => (at || document.body).dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey, bubbles: true, cancelable: true}));
const stepNumber = () => +/^Step (\d+)/.exec(text("now"))[1];
const cells = name => [...document.querySelectorAll(".array")].find(a => a.querySelector("h2").textContent.startsWith(name + " "))
  .querySelectorAll(".c");
const valuesOf = name => [...cells(name)].map(c => c.querySelector("b").textContent);

function driveKeys() {
  const x = view.x;
  press("Home");
  check("Home goes to step 1", stepNumber() === 1);
  press("ArrowRight");
  check("right goes on by one", stepNumber() === 2);
  press("ArrowLeft");
  check("left goes back by one", stepNumber() === 1);
  press("ArrowRight", true);
  check("Shift right goes to a barrier", /barrier \d+: all its warps go on/.test(text("now")) || x.launches.length > 1 || stepNumber() === x.n);
  press("End");
  check("End goes to the last step", stepNumber() === x.n);
  press("Home");
  const warp = x.warp[view.s];
  press("w");
  check("W stays with the warp", x.warp[view.s] === warp);
  press("f");
  check("F goes to a finding, if there is one", !x.marks.length || x.marks.includes(view.s));
  const time = document.getElementById("time");
  time.value = Math.floor(x.n / 2);
  time.dispatchEvent(new Event("input"));
  check("the slider sets the step", stepNumber() === Math.floor(x.n / 2) + 1);
  document.querySelector('[data-go="start"]').click();
  check("a button goes to the start", stepNumber() === 1);
  document.getElementById("play").click();
  check("play starts", player.timer !== 0 && text("play") === "pause");
  press(" ");
  check("space pauses", player.timer === 0 && text("play") === "play");
}

// Forward and back give the same pictures.
function driveThere() {
  const x = view.x, pictures = [], all = () => [...document.querySelectorAll("#arrays .c")].map(c => c.className + c.textContent).join("|");
  const some = Math.min(x.n, 40), from = Math.floor((x.n - some) / 2);
  for (let s = from; s < from + some; s++) go(s), pictures.push(all());
  let same = true;
  for (let s = from + some - 1; s >= from; s--) go(s), same = same && all() === pictures[s - from];
  check("back shows what forward showed", same);
}

function driveCells() {
  go(view.x.n - 1);
  check("no word of a cell is cut off", [...document.querySelectorAll(".c i")].every(i => i.scrollWidth <= i.clientWidth));
  const box = [...document.querySelectorAll(".c b")].filter(b => b.textContent).pop().parentNode;
  box.focus();
  check("a cell that is focused is told", text("cell").includes(" = ") || text("cell").includes("nobody"));
  check("a screen reader is told the same", box.getAttribute("aria-label") === text("cell"));
  const before = document.activeElement;
  press("ArrowLeft", false, box);
  check("arrows go from cell to cell", document.activeElement !== before && document.activeElement.shown);
  check("every button has a name", [...document.querySelectorAll("button")].every(b => (b.getAttribute("aria-label") || b.textContent).trim()));
  check("a line is marked in the source", (go(Math.max(...[...Array(view.x.n).keys()].filter(s => view.x.kind[s] !== BARRIER))),
    document.querySelectorAll("#source .now").length === 1));
  const line = view.x.line[view.s];
  press("ArrowUp", false, document.getElementById("source"));
  check("up in the source goes to a line above", view.x.line[view.s] < line || line === Math.min(...[...view.x.line].filter(n => n)));
  document.querySelector("#source .now").click();
  check("a click on a line goes to a step of it", view.x.line[view.s] === view.lines.indexOf(document.querySelector("#source .now")) + 1);
}

// What a picture is expected to show; the name comes from player_test.sh.
const expectations = {
  right() {
    press("End");
    check("the result is told right", text("result").includes("right"));
    check("the last cells hold the scan", valuesOf("d_out").slice(0, 8).join() === "0,3,4,11,11,15,16,22");
    check("nothing is marked", !document.querySelector("#arrays .race, #arrays .missing, #arrays .wrong"));
  },
  race() {
    press("Home"), press("f");
    check("a race is marked where it happens", document.querySelector("#arrays .race.here") !== null);
    check("the step tells it", text("now").includes("race.shared"));
    check("the source line is marked", document.querySelector("#source .now.bad") !== null);
    press("Home");
    check("before it nothing is marked", !document.querySelector("#arrays .race"));
  },
  unset() {
    press("End");
    check("unwritten values are a ?", [...document.querySelectorAll("#arrays .missing b")].every(b => b.textContent === "?"));
    check("there are such values", document.querySelectorAll("#arrays .missing").length > 0);
    check("no other value is garbage", ![...document.querySelectorAll("#arrays .c:not(.missing) b")].some(b => b.textContent.startsWith("-")));
  },
  wrong() {
    press("End");
    check("wrong elements are marked", document.querySelectorAll("#arrays .wrong").length > 0);
    check("the head has the reference's value", text("findings").includes("the reference has"));
    document.querySelector("#findings button").click();
    check("the entry goes to the store", view.x.kind[view.s] === WRITE);
    document.querySelector("#arrays .wrong").focus();
    check("the cell tells both", /WRONG: the reference has/.test(text("cell")));
  },
  conflict() {
    press("Home"), press("c");
    check("a bank conflict is told", /Bank conflict: \d+ passes/.test(text("now")));
    check("its cells are marked", document.querySelectorAll("#arrays .conflict").length > 0);
    check("the lanes show passes", / p2/.test(text("lanes")));
    document.getElementById("banks").click();
    check("banks have a legend", document.querySelectorAll("#legend .bank").length === 32);
  },
  // An access outside of its array has no cell, but a step of its own.
  bounds() {
    const x = view.x, found = x.data.findings, out = [...x.outside.keys()];
    check("accesses past the end are told", found.length > 1 && found.every(f => f.id === "memory.bounds"));
    check("each leads to its own step, where its thread does it", found.every(f => x.outside.has(f.step) && x.line[f.step] === f.line &&
      x.outside.get(f.step).threads.includes(f.thread)));
    check("the other lanes of the warp have a step, too", out.length > 0 && out.every(s => x.outside.get(s).places.every(k => k < 0 || k >= x.arrays[x.array[s]].size)));
    press("Home");
    check("before it nothing is told", ![...document.querySelectorAll(".out")].some(p => p.textContent));
    press("f");
    check("the key leads there", found.some(f => f.step === view.s) && document.querySelector("#source .now.bad") !== null);
    check("the sentence has thread, line, index and size",
      /warp \d+, line \d+: threads? [\d., ]+ \w+ \w+\[[\d., -]+\], and \w+ has (\d+|no) elements?: it is left out\. memory\.bounds/.test(text("now")));
    const here = document.querySelector(".out.here");
    check("it is marked at its array", here !== null && here.parentNode.querySelector("h2").textContent.startsWith(arrayName(x, x.array[view.s], x.launch[view.s])));
    press("ArrowRight");
    check("the mark stays", view.x.outside.has(view.s) || [...document.querySelectorAll(".out:not(.here)")].some(p => p.textContent.startsWith("! thread")));
  },
  chain() {
    const states = new Set(), x = view.x;
    for (let s = 0; s < x.n; s++)
      for (let b = 0; b < 5; b++) {
        const at = blockAt(x, 0, b, s);
        states.add(at.state);
        if (at.state === WAITS && at.by === at.block) check("no block waits for itself", false);
      }
    check("some block waits, and all end", states.has(WAITS) && !states.has(STUCK) && [0, 1, 2, 3, 4].every(b => blockAt(x, 0, b, x.n - 1).state === ENDED));
    press("End");
    check("tickets are told", /draws \d from c->ticket/.test(document.querySelector(".block").getAttribute("aria-label")));
    check("prefixes are told", /c->prefix\[\d\] = \d+/.test(text("blocks")));
  },
  deadlock() {
    press("End");
    check("stuck blocks are shown", document.querySelectorAll(".block.s4").length > 0);
    check("who waits for what is told", text("blocks").includes("nobody writes it any more"));
    check("the head tells the deadlock", text("findings").includes("progress.deadlock"));
  },
};

function driveTimes() {
  const x = view.x, times = [];
  for (let k = 0; k < 60; k++) {
    const begin = performance.now();
    go(Math.floor(k * (x.n - 1) / 59));
    document.body.getBoundingClientRect();
    times.push(performance.now() - begin);
  }
  const near = [];
  for (let k = 0; k < 60 && k + 1 < x.n; k++) {
    const begin = performance.now();
    go(k + 1);
    document.body.getBoundingClientRect();
    near.push(performance.now() - begin);
  }
  const median = list => list.sort((a, b) => a - b)[Math.floor(list.length / 2)].toFixed(1);
  report.push(`figure load ${loaded.toFixed(0)}`, `figure step ${median(near)}`, `figure jump ${median(times)}`, `figure steps ${x.n}`);
}

const loaded = performance.now();
try {
  driveKeys(), driveThere(), driveCells(), driveTimes();
  if (expectations[EXPECTED]) expectations[EXPECTED]();
} catch (e) {
  report.push(`not ok ${e.stack}`);
}
document.body.textContent = "";
const out = document.createElement("pre");
out.textContent = report.join("\n") + "\nend of the report\n";
document.body.append(out);
