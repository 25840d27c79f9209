// Which arrays are drawn, how many of their cells, and which are drawn as two.
//
// Interface: sl__choose_arrays, sl__hides_shared (maker.h).
#include "picture/maker.h"

static bool in_list(const char *list, const char *name) {
  size_t len = strlen(name);
  for (const char *p = list; (p = strstr(p, name)); p++)
    if ((p == list || p[-1] == ',') && (!p[len] || p[len] == ',')) return true;
  return false;
}

// Places of a tree over the input.
static size_t tree_size(const sl_pic_choice *c) {
  const uint64_t group = c->group > 1 ? (uint64_t)c->group : 1, n = (c->n + group - 1) / group;
  size_t tree = 1;
  while (tree < n) tree *= 2;
  return tree;
}

// The most cells to show, of [touched]: all of a tree, which may have more places than the input has
// elements; but of a tile that is many times as long as the input the part that holds it.
static size_t most_cells(const sl_pic_choice *c, size_t touched) {
  const size_t tree = tree_size(c), most = c->cells ? c->cells : SL_PIC_CELLS;
  const size_t part = touched <= 3 * tree ? touched : tree;
  return part < most ? part : most;
}

static uint32_t most_touched(const sl_maker *m) {
  uint32_t most = 0;
  const size_t tree = tree_size(m->c), cells = m->c->cells ? m->c->cells : SL_PIC_CELLS;
  const uint32_t limit = (uint32_t)(tree < cells ? tree : cells);
  for (size_t k = 0; k < m->evs.n_arrays; k++)
    if (m->evs.arrays[k].touched > most) most = m->evs.arrays[k].touched;
  return most < limit ? most : limit;
}

bool sl__hides_shared(const sl_maker *m) {
  for (size_t k = 0; k < m->evs.n_arrays; k++)
    if (m->evs.arrays[k].shared && !m->drawn[k]) return true;
  return false;
}

static void choose_arrays(sl_maker *m) {
  bool many = false;
  uint32_t most = most_touched(m);
  for (size_t k = 0; k < m->evs.n; k++) many |= m->evs.at[k].launch != m->evs.at[0].launch;
  for (size_t k = 0; k < m->evs.n; k++) {
    const sl_ev *v = &m->evs.at[k];
    const sl_arr *a = &m->evs.arrays[v->array];
    if (!sl__ev_touches(v) || (a->shared && a->block != m->c->block)) continue;
    if (m->c->array ? in_list(m->c->array, m->evs.names[v->name].text)
                    : (a->shared ? 2 : 4) * a->touched >= most && (!many || !a->shared || m->c->shared))
      m->drawn[v->array] = true;
  }
}

// Finds double buffers: an array in which every step writes one half is drawn as two arrays.
static void find_halves(sl_maker *m) {
  for (size_t k = 0; k < m->evs.n_arrays; k++) {
    const sl_arr *a = &m->evs.arrays[k];
    uint32_t half = a->n_cells / 2, used = 0;
    bool mixed = !a->shared || a->n_cells % 2 || half < 2;
    uint64_t time = 0;
    uint32_t now = 0;
    for (size_t i = 0; i < m->evs.n && !mixed; i++) {
      const sl_ev *v = &m->evs.at[i];
      if (!sl__ev_touches(v) || v->kind == SL_EV_READS || v->array != k) continue;
      uint32_t part = v->cell < half ? 1 : 2;
      uint64_t when = v->time >> 16;
      mixed = used && when == time && now != part;
      time = when, now = part, used |= part;
    }
    m->half[k] = !mixed && used == 3 ? (int)half : 0;
  }
}

static void count_cells(sl_maker *m) {
  for (size_t k = 0; k < m->evs.n_arrays; k++) {
    size_t n = m->half[k] ? (size_t)m->half[k] : m->evs.arrays[k].n_cells;
    if (m->drawn[k] && n > m->p->n_cells) m->p->n_cells = n;
  }
  const size_t most = most_cells(m->c, m->p->n_cells);
  if (m->p->n_cells > most) m->p->n_cells = most;
}

// Fails with the names of the arrays that there are: "d_in, temp, d_out".
static bool no_such_array(const sl_maker *m, sl_error *e) {
  char names[256] = "";
  for (size_t k = 0; k < m->evs.n_names; k++) {
    size_t before = 0;
    while (before < k && strcmp(m->evs.names[before].text, m->evs.names[k].text) != 0) before++;
    if (before == k)
      sl_append(names, sizeof names, ", ", "%s%s", *names ? "" : "it touches ", m->evs.names[k].text);
  }
  return sl_fail(e, SL_EXIT_INPUT, names, "no array to draw: the kernel touches none of that name");
}

bool sl__choose_arrays(sl_maker *m, sl_error *e) {
  choose_arrays(m);
  find_halves(m);
  count_cells(m);
  return m->p->n_cells || no_such_array(m, e);
}
