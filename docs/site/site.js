// The search of the site. The index is a file of its own, which is fetched when the search is used first; so it works from a
// disk, too. A page that is opened as page.html?q=WORDS shows what it finds. On a phone the list of pages is closed at first.
// What is wider than the page scrolls, with the keyboard, too.
(function () {
  'use strict';
  const root = document.currentScript.dataset.root;
  const input = document.getElementById('search'), found = document.getElementById('found');
  if (window.matchMedia('screen and (max-width: 50rem)').matches) document.querySelector('.pages').open = false;

  function reachWithKeys() {
    for (const box of document.querySelectorAll('main pre, .table, .picture')) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute('tabindex');
    }
  }
  window.addEventListener('resize', reachWithKeys);
  window.addEventListener('load', reachWithKeys);
  reachWithKeys();

  // How well the page answers: each word must be in it; a title counts more than a heading, that more than text.
  function score(page, words) {
    let points = 0;
    for (const word of words) {
      const here = (page.title.toLowerCase().includes(word) ? 20 : 0) + (page.heads.toLowerCase().includes(word) ? 5 : 0) +
        Math.min(4, page.text.toLowerCase().split(word).length - 1);
      if (!here) return 0;
      points += here;
    }
    return points;
  }

  function excerpt(text, word) {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - 50);
    return (at ? '.. ' : '') + text.slice(at, at + 140) + ' ..';
  }

  function show(words) {
    const hits = window.scanlabPages.map(page => ({ page, points: score(page, words) })).filter(hit => hit.points > 0)
      .sort((a, b) => b.points - a.points).slice(0, 12);
    found.replaceChildren(...(hits.length ? hits : [null]).map(hit => {
      const item = document.createElement('li'), text = document.createElement('p');
      if (!hit) return (item.textContent = 'nothing found'), item;
      const link = document.createElement('a');
      link.href = root + hit.page.url;
      link.textContent = hit.page.title;
      text.textContent = excerpt(hit.page.text, words[0]);
      item.append(link, text);
      return item;
    }));
    found.hidden = false;
  }

  function search() {
    const words = input.value.toLowerCase().split(/\s+/).filter(word => word.length > 1);
    if (!words.length) { found.hidden = true; return; }
    if (window.scanlabPages) { show(words); return; }
    if (document.getElementById('index')) return; // on its way
    const script = document.createElement('script');
    script.id = 'index';
    script.src = root + 'search-index.js';
    script.onload = search;
    document.head.append(script);
  }
  input.addEventListener('input', search);
  input.value = new URLSearchParams(location.search).get('q') || '';
  search();
  input.form.addEventListener('submit', event => { event.preventDefault(); found.querySelector('a')?.click(); });
  input.addEventListener('keydown', event => { if (event.key === 'Escape') { input.value = ''; found.hidden = true; } });
})();
