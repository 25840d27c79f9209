// Sorting and filtering of the table of a class; remarks are unfolded for paper. The page works without it: the rows stand in the order of the names.
'use strict';
(() => {
  const table = document.querySelector('table.class');
  if (!table) return;
  const students = [...table.tBodies], heads = [...table.tHead.rows[0].cells]; // one of them has a row of points, and one of remarks
  const tools = document.querySelector('.tools'), text = tools.querySelector('input'), kind = tools.querySelector('select');
  const shown = tools.querySelector('output');

  // Numbers before words; cells without a value come last, whichever way the rows are turned.
  const value = (student, k) => student.rows[0].cells[k].dataset.v ?? '';
  function order(k, turned) {
    const compare = (a, b) => {
      const x = value(a, k), y = value(b, k);
      if (x === '' || y === '') return (x === '') - (y === '');
      const numbers = !isNaN(x) && !isNaN(y);
      return (turned ? -1 : 1) * (numbers ? x - y : String(x).localeCompare(String(y)));
    };
    table.append(...students.slice().sort(compare));
  }

  heads.forEach((head, k) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const points = k > 0, before = head.getAttribute('aria-sort');
      const turned = before ? before === 'ascending' : points; // points begin with the most
      heads.forEach((h) => h.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', turned ? 'descending' : 'ascending');
      order(k, turned);
    });
  });

  function filter() {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const student of students) {
      const line = student.textContent.toLowerCase();
      const fits = words.every((w) => line.includes(w)) && (!kind.value || student.dataset.is.split(' ').includes(kind.value));
      student.hidden = !fits;
      n += fits;
    }
    shown.value = `${n} of ${students.length}`;
  }
  text.addEventListener('input', filter);
  kind.addEventListener('change', filter);
  tools.hidden = false;
  filter();
})();
