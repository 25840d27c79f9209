// Draws with gnuplot: its script and its output are files of this process in BUILD/student. What was drawn is
// then written as any other file is. Interface: plot.h.
#include "plot.h"

enum { SECONDS = 120, MOST = 64 << 20 };

struct sl_plot {
  char *path, *folder, *script, *made; // the picture; of gnuplot's input and output, and their paths
  char *title;
  FILE *f;
};

static void drop_plot(sl_plot *p) {
  unlink(p->script);
  unlink(p->made);
  free(p->path), free(p->folder), free(p->script), free(p->made), free(p->title);
  free(p);
}

sl_plot *sl__plot_open(const char *path, const char *title, int width, int height, sl_error *e) {
  sl_plot *p = sl_must(calloc(1, sizeof *p));
  p->path = sl_path("%s", path), p->title = sl_path("%s", title);
  p->folder = sl_path("%s/student", sl_work_folder());
  p->script = sl_path("%s/%d.gnuplot", p->folder, (int)getpid());
  p->made = sl_path("%s/%d.svg", p->folder, (int)getpid());
  p->f = sl_mkdirs(p->folder, e) ? fopen(p->script, "w") : NULL;
  if (!p->f) {
    if (!e->code) sl_fail(e, SL_EXIT_INFRA, NULL, "%s: cannot be written", p->script);
    drop_plot(p);
    return NULL;
  }
  sl__plot(p,
           "set terminal svg size %d,%d fixed background rgb 'white' font 'Helvetica,Arial,sans-serif,12'\n",
           width, height);
  sl__plot(p, "set encoding utf8\nset output '%s'\n", sl_base_name(p->made));
  return p;
}

void sl__plot(sl_plot *p, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vfprintf(p->f, fmt, ap);
  va_end(ap);
}

void sl__plot_label(sl_plot *p, double x, double y, sl_lettering how, const char *text) {
  char clean[256];
  size_t n = 0;
  for (; *text && n < sizeof clean - 1; text++)
    if (*text != '\'' && *text != '\\' && (unsigned char)*text >= 32) clean[n++] = *text;
  clean[n] = 0;
  sl__plot(p, "set label '%s' at %.1f,%.1f %s noenhanced font ',%d' tc rgb '%s' front\n", clean, x, y,
           how.align, how.size, how.colour);
}

void sl__plot_canvas(sl_plot *p, double width, double height) {
  sl__plot(
      p,
      "set lmargin at screen 0\nset rmargin at screen 1\nset tmargin at screen 1\nset bmargin at screen 0\n"
      "unset border\nunset tics\nunset key\nset xrange [0:%.0f]\nset yrange [%.0f:0]\n",
      width, height);
}

static void put_escaped(FILE *f, const char *text) {
  for (; *text; text++)
    if (strchr("<>&", *text)) fprintf(f, "&#%d;", *text);
    else fputc(*text, f);
}

// The title is what a browser's tab and a screen reader say. gnuplot takes no words for it.
static char *with_title(const char *svg, const char *title) {
  static const char its[] = "<title>Gnuplot</title>";
  const char *at = strstr(svg, its), *begin = at ? at : svg;
  char *text = NULL;
  FILE *f = sl_text_stream(&text);
  fwrite(svg, 1, (size_t)(begin - svg), f);
  if (at) fputs("<title>", f), put_escaped(f, title), fputs("</title>", f), begin += sizeof its - 1;
  fputs(begin, f);
  fclose(f);
  return text;
}

bool sl__plot_close(sl_plot *p, sl_error *e) {
  char *argv[] = {"gnuplot", p->script, NULL}, *out = NULL;
  bool ok = fclose(p->f) == 0 || sl_fail(e, SL_EXIT_INFRA, NULL, "%s: cannot be written", p->script);
  sl_exit_status s = {0};
  if (ok) s = sl_run_by_work(argv, p->folder, SECONDS, 4096, &out, e);
  if (ok && e->code)
    snprintf(e->hint, sizeof e->hint, "install gnuplot (Debian: gnuplot-nox): it draws this");
  else if (ok && (s.code || s.signal || !sl_is_file(p->made)))
    sl_fail(e, SL_EXIT_INFRA, NULL, "gnuplot failed: %.300s", out ? out : "");
  SL_FREED char *picture = e->code ? NULL : sl_read_file(p->made, MOST, NULL, e);
  SL_FREED char *titled = picture ? with_title(picture, p->title) : NULL;
  if (titled) sl_write_file(p->path, titled, strlen(titled), e);
  free(out);
  drop_plot(p);
  return !e->code;
}
