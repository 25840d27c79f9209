// What site_pages.py asks of each page: structure() once, faults() in each view.

const shownText = node => node.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
const isShown = e => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && e.getBoundingClientRect().right > 0;

function structure() {
  const faults = [];
  if (!document.title.trim()) faults.push("no title");
  if (!document.documentElement.lang) faults.push("no language");
  const heads = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  if (heads.filter(h => h.tagName === "H1").length !== 1) faults.push("not one h1");
  heads.forEach((h, k) => {
    if (k && h.tagName[1] - heads[k - 1].tagName[1] > 1) faults.push(`heading "${shownText(h)}" skips a level`);
  });
  for (const img of document.images) {
    if (!img.alt.trim()) faults.push(`no alt text: ${img.src}`);
    if (!img.complete || !img.naturalWidth) faults.push(`does not load: ${img.src}`);
  }
  for (const frame of document.querySelectorAll("iframe")) if (!frame.title.trim()) faults.push(`no title: ${frame.src}`);
  for (const field of document.querySelectorAll("input, select, textarea"))
    if (!field.labels.length && !field.getAttribute("aria-label")) faults.push(`a field without a name: ${field.id}`);
  for (const a of document.querySelectorAll("a[href], button"))
    if (!shownText(a) && !a.getAttribute("aria-label") && !a.querySelector("img[alt]")) faults.push(`a link or button without words: ${a.outerHTML.slice(0, 80)}`);
  const all = [...document.querySelectorAll("[id]")].map(e => e.id);
  for (const id of all) if (all.indexOf(id) !== all.lastIndexOf(id)) faults.push(`two elements have the id ${id}`);
  const links = [...document.querySelectorAll("a[href], iframe[src], link[href], script[src], img[src]")].map(e => e.href || e.src);
  return { faults, ids: all, links: [...new Set(links)] };
}

// Colours ---------------------------------------------------------------------------------------------------

const channels = colour => (colour.match(/[\d.]+/g) || []).map(Number);
const light = c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * light(r / 255) + 0.7152 * light(g / 255) + 0.0722 * light(b / 255);
const over = (top, [r, g, b]) => {
  const a = top.length > 3 ? top[3] : 1;
  return [top[0] * a + r * (1 - a), top[1] * a + g * (1 - a), top[2] * a + b * (1 - a)];
};

// The colour behind an element: the backgrounds of what it stands in, one over the other.
function behind(element) {
  const layers = [];
  for (let e = element; e; e = e.parentElement) {
    const colour = channels(getComputedStyle(e).backgroundColor);
    layers.push(colour);
    if (colour.length < 4 || colour[3] === 1) break;
  }
  return layers.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255]);
}

function contrast(element) {
  const back = behind(element), text = over(channels(getComputedStyle(element).color), back);
  const [a, b] = [luminance(text), luminance(back)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

// WCAG 2, level AA: 4.5, and 3 for large letters.
function paleText() {
  const faults = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), seen = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || seen.has(e) || e.closest("script, style, noscript") || !isShown(e)) continue;
    seen.add(e);
    const style = getComputedStyle(e), size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5, has = contrast(e);
    if (has < least) faults.push(`contrast ${has.toFixed(1)} of "${shownText(node)}"`);
  }
  return faults;
}

// A picture is drawn on white.
const palePicture = () => [...document.querySelectorAll("text")].filter(e => e.textContent.trim()).map(e => {
  const l = luminance(channels(getComputedStyle(e).fill));
  return { e, has: 1.05 / (l + 0.05), white: l > 0.95 };
}).filter(t => t.has < 4.5 && !t.white).map(t => `contrast ${t.has.toFixed(1)} of "${shownText(t.e)}"`);

// Widths ----------------------------------------------------------------------------------------------------

const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflowX);

// What scrolls sideways has a shadow at the edge behind which there is more; a picture does not cover it.
const showsMore = e => /local/.test(getComputedStyle(e).backgroundAttachment) &&
  [...e.querySelectorAll("img")].every(img => getComputedStyle(img).mixBlendMode === "multiply");

// On paper nothing scrolls: what is wider than its box is lost.
function wideThings(paper) {
  const faults = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width + 1) faults.push(`the page is ${document.documentElement.scrollWidth} wide, not ${width}`);
  for (const e of document.body.querySelectorAll("*")) {
    if (!isShown(e) || e.closest("svg")) continue;
    const box = e.getBoundingClientRect();
    let around = e.parentElement;
    while (around && !scrolls(around)) around = around.parentElement;
    if (box.right > width + 1 && !around && !e.closest(".skip")) faults.push(`<${e.localName}> "${shownText(e)}" ends at ${box.right.toFixed(0)}`);
    const style = getComputedStyle(e);
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth && (paper ? scrolls(e) : style.overflowX === "hidden"))
      faults.push(`<${e.localName}> "${shownText(e)}" is cut off: ${e.scrollWidth} in ${e.clientWidth}`);
    if (!paper && scrolls(e) && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0)
      faults.push(`<${e.localName}> "${shownText(e)}" scrolls, but not with the keyboard`);
    if (!paper && scrolls(e) && e.scrollWidth > e.clientWidth + 1 && !showsMore(e))
      faults.push(`<${e.localName}> "${shownText(e) || e.querySelector("img")?.alt}" scrolls sideways, and nothing shows that`);
  }
  return faults;
}

// What students read beside their editor is as wide as a desk shows: nobody scrolls to the end of a line.
const longLines = () => /\/(labs\/[^/]+|docs\/student)\/[^/]+$/.test(location.pathname) ?
  [...document.querySelectorAll("pre")].filter(e => e.scrollWidth > e.clientWidth + 1)
    .map(e => `<pre> "${shownText(e)}" is ${e.scrollWidth} wide, and ${e.clientWidth} are shown`) : [];

// A column that another one leaves so little room that it goes down the page word by word.
const thinColumns = () => [...document.querySelectorAll("td")].map(e => ({
  e, lines: e.clientHeight / parseFloat(getComputedStyle(e).lineHeight), words: e.textContent.trim().split(/\s+/).length,
})).filter(t => t.e.clientWidth < 110 && t.words > 8 && t.lines > 8)
  .map(t => `a column is ${t.e.clientWidth} wide, where ${t.words} words take a line each: "${shownText(t.e)}"`);

// A word of a narrow column that goes on in the next line. Tables of ten columns and more are too wide for a page otherwise.
function brokenWords() {
  const broken = [], range = document.createRange();
  for (const cell of document.querySelectorAll("th, td")) {
    if (cell.clientWidth > 80 || cell.parentNode.cells.length >= 10) continue;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT, node => node.parentNode.closest("code") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const word of text.data.matchAll(/[A-Za-z0-9]{2,12}/g)) {
        range.setStart(text, word.index), range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(r => r.top)).size > 1) broken.push(`the word "${word[0]}" is broken`);
      }
  }
  return broken;
}

// A word that makes its table wider than all other words: the page then ends within the sentences of that column.
const wideWords = () => [...document.querySelectorAll("td code")]
  .filter(e => !/\s/.test(e.textContent.trim()) && e.getClientRects().length === 1 && e.getBoundingClientRect().width > 480)
  .map(e => `<code> "${shownText(e)}" is ${e.getBoundingClientRect().width.toFixed(0)} wide and does not break`);

// The longest sentence of a step in a moving picture, on a phone: nobody scrolls two lines.
function cutSentence() {
  const now = document.getElementById("now");
  if (!now || innerWidth > 600) return [];
  const was = now.textContent;
  now.textContent = "Step 45 of 69, launch 2 (a_kernel): " + "block 3, warp 0, line 30: thread 0 writes temp[95] ".repeat(4);
  const is = now.scrollHeight, shown = now.clientHeight;
  now.textContent = was;
  return is > shown + 1 ? [`the sentence of a step is ${is} high, and ${shown} are shown`] : [];
}

// The source beside a moving picture, on a phone: who steps sees it without a walk past long arrays.
function lowSource() {
  const source = document.getElementById("source");
  if (!source || innerWidth > 600) return [];
  const top = source.getBoundingClientRect().top + scrollY;
  return top > innerHeight ? [`the source begins at ${top.toFixed(0)}, below the first screen`] : [];
}

// The page hears of a new size with the next frame.
const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));

// Widths are the same in the dark; colours are the same on a phone.
async function faults() {
  await frame();
  const dark = matchMedia("(prefers-color-scheme: dark)").matches, paper = matchMedia("print").matches;
  const desk = innerWidth > 1000 && !paper;
  return [...(dark ? [] : wideThings(paper)), ...(desk ? [...longLines(), ...thinColumns(), ...wideWords()] : []), ...(paper ? brokenWords() : []), ...(dark ? [] : [...cutSentence(), ...lowSource()]), ...(dark || desk || paper ? paleText() : [])];
}
