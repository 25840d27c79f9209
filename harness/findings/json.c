// A finding as one JSON object: the same facts as the block of text, each under its own key.
//
// Interface: sl_finding_value, sl_finding_json (findings.h). docs/reference/sim.md lists the keys. Strings
// are cleaned by sl_printable: control characters and broken UTF-8 come out escaped.
#include "findings/findings.h"

#include <jansson.h>

static json_t *clean_string(const char *s) {
  size_t room = 4 * strlen(s) + 1;
  SL_FREED char *clean = malloc(room);
  return clean ? json_string(sl_printable(s, clean, room)) : NULL;
}

static void put_text(json_t *to, const char *key, const char *value) {
  json_object_set_new(to, key, clean_string(value));
}

static void put_number(json_t *to, const char *key, uint64_t value) {
  json_object_set_new(to, key, json_integer((json_int_t)value));
}

static void put_triple(json_t *to, const char *key, const uint32_t v[3]) {
  json_object_set_new(to, key, json_pack("[I, I, I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]));
}

static void put_source(json_t *to, const sl_telling *t, const char *file, uint32_t line) {
  SL_FREED char *source = sl_source_line(t, file, line);
  if (source) put_text(to, "source", source);
}

// The facts that both parties have.
static void put_party(json_t *to, const sl_party *p) {
  if (p->col) put_number(to, "column", p->col);
  if (p->role[0]) put_text(to, "role", p->role);
  if (p->insn[0]) put_text(to, "instruction", p->insn);
  if (p->trip) put_number(to, "trip", p->trip);
  if (p->host[0]) put_text(to, "host", p->host);
}

static void put_object(json_t *to, const sl_finding *f, const sl_telling *t) {
  const sl_object *o = &f->object;
  json_t *array = json_object();
  char text[512];
  if (!o->space[0]) return json_decref(array);
  put_text(array, "text", sl_finding_object(f, t, text, sizeof text));
  put_text(array, "name", o->name);
  put_text(array, "space", o->space);
  json_object_set_new(array, "index", json_integer(o->index));
  put_number(array, "bytes", o->bytes);
  put_number(array, "element_bytes", o->elem);
  put_number(array, "size", o->size);
  if (o->argument) put_number(array, "argument", o->argument);
  if (o->allocation) put_number(array, "allocation", o->allocation);
  json_object_set_new(to, "array", array);
}

static void put_launch(json_t *to, const sl_finding *f) {
  if (!f->grid[0]) return;
  put_number(to, "launch", f->launch);
  put_number(to, "shared_bytes", f->shared_bytes);
  put_triple(to, "grid", f->grid);
  put_triple(to, "block_size", f->threads);
}

static void put_other(json_t *to, const sl_finding *f, const sl_telling *t) {
  json_t *other = json_object();
  char text[1024];
  put_text(other, "file", sl_source_name(t, f->other_file, text, sizeof text));
  put_number(other, "line", f->other_line);
  if (f->other_line && !f->other.host[0])
    put_triple(other, "block", f->other_block), put_triple(other, "thread", f->other_thread);
  if (f->other_line || f->other.host[0])
    put_party(other, &f->other), put_source(other, t, f->other_file, f->other_line);
  json_object_set_new(to, "other", other);
}

static void put_details(json_t *to, const sl_finding *f, const sl_telling *t) {
  json_t *lines = json_array();
  char line[sizeof f->details + 512];
  for (const char *p = f->details; *p; p = sl_next_line(p))
    json_array_append_new(lines, clean_string(sl__detail(f, t, p, strcspn(p, "\n"), line, sizeof line)));
  json_object_set_new(to, "details", lines);
}

static void put_traits(json_t *to, const sl_finding *f) {
  for (sl_trait k = 0; k < SL_TRAITS; k++) {
    const char *word = sl_trait_word(k, sl_trait_of(f, k));
    if (word[0]) put_text(to, sl_trait_keys[k], word);
  }
}

static void put_kind(json_t *to, const sl_finding *f, const sl_telling *t) {
  char text[2048];
  put_text(to, "severity", sl_finding_kind_of(f->id)->severity);
  put_text(to, "what", sl_finding_what(f, t, text, sizeof text));
  put_text(to, "why", sl_finding_why(f, text, sizeof text));
  put_text(to, "advice", sl_finding_advice(f, text, sizeof text));
  sl_finding_page(f->id, text, sizeof text);
  put_text(to, "page", text);
  put_text(to, "replay", sl_finding_replay(f, text, sizeof text));
}

json_t *sl_finding_value(const sl_finding *f, const sl_telling *t) {
  json_t *to = json_object();
  char text[4096];
  put_text(to, "id", sl_found_name(f->id));
  put_text(to, "message", sl_finding_message(f, t, text, sizeof text));
  put_text(to, "kernel", sl_demangle(f->kernel, text, sizeof text));
  put_text(to, "mangled", f->kernel);
  put_text(to, "file", sl_source_name(t, f->file, text, sizeof text));
  put_number(to, "line", f->line);
  put_party(to, &f->me);
  put_source(to, t, f->file, f->line);
  if (f->grid[0] && !f->me.host[0]) put_triple(to, "block", f->block), put_triple(to, "thread", f->thread);
  put_launch(to, f);
  put_object(to, f, t);
  put_other(to, f, t);
  if (f->details[0]) put_details(to, f, t);
  put_kind(to, f, t);
  put_traits(to, f);
  if (sl_finding_note(f)[0]) put_text(to, "note", sl_finding_note(f));
  put_number(to, "count", f->count);
  put_number(to, "more", f->more);
  return to;
}

char *sl_finding_json(const sl_finding *f, const sl_telling *t) {
  json_auto_t *value = sl_finding_value(f, t);
  return json_dumps(value, 0);
}
