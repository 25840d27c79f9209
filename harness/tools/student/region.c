// Which TODO region is to be edited, for a finding or a result.
//
// Interface: sl__place_failure, sl__hint_command (student.h).
#include "findings/findings.h"
#include "reference/reference.h"
#include "student.h"

static bool is_kind(const json_t *finding, sl_found id) {
  return !strcmp(sl_json_text(finding, "id"), sl_found_name(id));
}

static bool no_launch(const json_t *record) {
  const sl_reason why = sl__reason_of(record);
  return why == SL_REASON_RESULT_NO_LAUNCH || why == SL_REASON_COMPUTED_NOWHERE;
}

// Is no kernel launched, and the region for the launch still open, or what stands there launches none? A lab
// with sections has several launches: there the first one counts, and an untouched file is begun in order.
static bool lacks_launch(const sl_ladder *l, const sl_skeleton *s) {
  const uint64_t k = l->lab->launch;
  if (!l->failed || !no_launch(l->failed->record) || k == 0 || k > s->n) return false;
  return l->lab->sections
             ? s->n_untouched < s->n && s->at[k - 1].open
             : s->at[k - 1].open || sl__reason_of(l->failed->record) == SL_REASON_RESULT_NO_LAUNCH;
}

// A lab with sections has several launches.
static bool has_too_few_threads(const sl_ladder *l, const json_t *record) {
  return !l->lab->sections && !strcmp(sl__pattern_of(record), sl_pattern_id(SL_PATTERN_THREADS));
}

// Is more counted than is allowed in what one block can take, with several launches, or are those counted?
static bool launches_again(const sl_ladder *l, const json_t *record) {
  const json_t *n = json_object_get(json_object_get(record, "counters"), "launches");
  const char *counter = sl_json_text(json_object_get(record, "fields"), "counter");
  return l->lab->info->one_block && l->lab->launch && sl__reason_of(record) == SL_REASON_COUNTER_MOST &&
         (json_integer_value(n) > 1 || !strcmp(counter, "launches"));
}

// Does a case of the same part pass? What is written works as far as that goes. A section has its own order.
static bool begun(const sl_ladder *l) {
  for (size_t k = 0; l->failed && !l->lab->sections && k < l->lab->n_parts; k++)
    if (&l->lab->parts[k] == l->failed->c->part) return l->steps[k].count[SL_PASS] > 0;
  return false;
}

// The region of [line]; else the launch's, if that is missing; else an open one that the clues
// point to, where a part is begun; else the first open one of what failed; else the one that counts most of
// what is counted too often; else the one that the clues point to; 0: none.
static unsigned region_to_edit(const sl_ladder *l, const sl_skeleton *s, uint32_t line,
                               const json_t *record) {
  unsigned k = line ? sl_region_at(s, line) : 0;
  if (!k && lacks_launch(l, s)) k = (unsigned)l->lab->launch;
  if (!k && record && has_too_few_threads(l, record)) k = (unsigned)l->lab->launch;
  if (!k && record && begun(l)) k = sl__clue_open(l, s, record);
  if (!k) k = sl__section_open(l->lab, s, l->failed ? l->failed->c : NULL);
  if (!k && record && launches_again(l, record)) k = (unsigned)l->lab->launch;
  if (!k && record) k = sl__clue_busiest(l, record, sl__busiest_region(l, s, record));
  if (!k && record) k = sl__clue_region(l, record, NULL);
  return k <= s->n ? k : 0;
}

char *sl__hint_command(const sl_ladder *l, uint32_t line) {
  SL_SKELETON s = {0};
  unsigned k = 0;
  if (sl_skeleton_read(l->kernel, l->lab->info, &s, NULL))
    k = region_to_edit(l, &s, line, l->failed ? l->failed->record : NULL);
  return k ? sl_path("%s hint %s.%u", sl_scanlab(), l->lab->info->number, k)
           : sl_path("%s hint %s", sl_scanlab(), l->lab->info->number);
}

// The line of a finding or of its other party, if the file is the student's, else 0.
static uint32_t own_line(const sl_ladder *l, const json_t *party) {
  const bool own = !strcmp(sl_base_name(sl_json_text(party, "file")), sl_base_name(l->kernel));
  return own ? (uint32_t)json_integer_value(json_object_get(party, "line")) : 0;
}

static bool has_sync(const char *from, const char *to) {
  return to > from && memmem(from, (size_t)(to - from), "__syncthreads", 13);
}

static bool needs_barrier(const sl_ladder *l, unsigned region) {
  return region < 64 && l->lab->barriers >> region & 1;
}

// A region between the two lines that ought to hold a barrier and holds none. Or the one of the upper line,
// if it ought to and nothing between the lines does: its last barrier is missing. 0: there is none.
static unsigned lacks_barrier(const sl_ladder *l, const sl_skeleton *s, uint32_t line, uint32_t other) {
  const unsigned a = line && other ? sl_region_at(s, line) : 0, b = a ? sl_region_at(s, other) : 0;
  const unsigned low = a < b ? a : b, high = a > b ? a : b;
  for (unsigned k = low; k > 0 && k <= high; k++) {
    const sl_region *r = &s->at[k - 1];
    if (needs_barrier(l, k) && !has_sync(s->source + r->begin, s->source + r->end)) return k;
  }
  const bool between = low > 0 && has_sync(sl_line_at(s->source, line < other ? line : other),
                                           sl_line_at(s->source, line < other ? other : line));
  return low > 0 && low < high && !between && needs_barrier(l, low) ? low : 0;
}

// Does the finding lie past the end of a shared array?
static bool past_the_end(const json_t *finding) {
  const json_t *array = json_object_get(finding, "array");
  return is_kind(finding, SL_FOUND_MEMORY_BOUNDS) && !strcmp(sl_json_text(array, "space"), "shared") &&
         sl_json_int(array, "index") >= 0;
}

// Is it one of the first elements that have no room? An index far behind the end is wrong itself.
static bool right_behind_the_end(const json_t *finding) {
  const json_t *array = json_object_get(finding, "array");
  const json_int_t size = sl_json_int(array, "size");
  return past_the_end(finding) &&
         sl_json_int(array, "index") * sl_json_int(array, "element_bytes") <= size + size / 32;
}

// The region that declares the array, or the one that launches the kernel if the launch says how large it is.
static unsigned region_of_array(const sl_ladder *l, const sl_skeleton *s, const json_t *finding) {
  const json_t *array = json_object_get(finding, "array");
  const char *at = s->source, *name = sl_json_text(array, "name");
  if (json_integer_value(json_object_get(array, "size")) ==
      json_integer_value(json_object_get(finding, "shared_bytes")))
    return (unsigned)l->lab->launch;
  const char *dot = strrchr(name, ':'), *plain = dot ? dot + 1 : name;
  for (uint32_t line = 1; *at; line++) {
    const size_t len = strcspn(at, "\n");
    const char *found = memmem(at, len, plain, strlen(plain));
    if (found && found[strlen(plain)] == '[' && memmem(at, len, "__shared__", 10))
      return sl_region_at(s, line);
    at = sl_next_line(at);
  }
  return 0;
}

// If several lines go past the end of one shared array, it is too small.
static unsigned region_of_small_array(const sl_ladder *l, const sl_skeleton *s, const json_t *findings) {
  size_t k, lines = 0;
  json_t *f;
  const json_t *first = json_array_get(findings, 0);
  json_array_foreach(findings, k, f) lines += past_the_end(f);
  return right_behind_the_end(first) && lines > 1 ? region_of_array(l, s, first) : 0;
}

// The region to edit for the first finding; 0: the line that it names says it.
static unsigned region_of_finding(const sl_ladder *l, const sl_skeleton *s, const sl_failure *f) {
  const json_t *first = json_array_get(f->findings, 0), *other = json_object_get(first, "other");
  const uint32_t beside = own_line(l, other);
  if (!first) return 0;
  unsigned k = sl__clue_region(l, f->record, f->findings);
  if (!k && (is_kind(first, SL_FOUND_RACE_SHARED) || is_kind(first, SL_FOUND_RACE_GLOBAL)))
    k = lacks_barrier(l, s, f->line, beside);
  if (!k && is_kind(first, SL_FOUND_MEMORY_UNINIT) && beside) k = sl_region_at(s, beside);
  if (!k) k = region_of_small_array(l, s, f->findings);
  if (!k && is_kind(first, SL_FOUND_MEMORY_BOUNDS) && f->line && !sl_region_at(s, f->line))
    k = sl__launch_region(s, sl_json_text(first, "kernel"));
  return k <= s->n ? k : 0;
}

// A call of the host that failed: where its function belongs to another part of the handout, the line that
// called it gave it what is wrong.
static uint32_t line_of_section(const sl_ladder *l, const sl_skeleton *s, const json_t *first,
                                uint32_t line) {
  const uint32_t caller = own_line(l, json_object_get(first, "other"));
  if (!is_kind(first, SL_FOUND_HOST_ERROR) || !caller) return line;
  const bool mine = sl__section_has(l->lab, l->failed->c, sl_region_at(s, line));
  return !mine && sl__section_has(l->lab, l->failed->c, sl_region_at(s, caller)) ? caller : line;
}

// The line of which the compiler warns, as of a shift by too many bits: that is at fault. 0: none.
static uint32_t line_warned(const sl_ladder *l) {
  uint32_t line = 0;
  const char *at = sl__telling_warning(l->log, &line), *own = sl_base_name(l->kernel);
  const char *file = at ? at + strcspn(at, "(\n") - strlen(own) : NULL;
  return file && file >= at && !strncmp(file, own, strlen(own)) ? line : 0;
}

// With a damaged TODO marker no region is known. Unless a finding names a line, edit the marker's.
static void place_damage(sl_failure *f, const sl_skeleton *s) {
  if (!s->wrong || f->line) return;
  f->line = f->first = f->last = s->wrong_at;
  f->task = sl_path("%s", s->wrong);
}

// Does another part of the handout have the region, and is all that judges that part right? Then what the
// region was given is wrong, unless a clue says that it does more than that part needs.
static bool works(const sl_ladder *l, unsigned region) {
  return l->failed && region && !sl__section_has(l->lab, l->failed->c, region) &&
         sl__section_passes(l, region);
}

// Lines outside of the regions that are not empty.
static size_t count_outside(const sl_skeleton *s) {
  size_t n = 0;
  uint32_t line = 0;
  for (const char *at = s->source; *at; at = sl_next_line(at))
    n += !sl_region_at(s, ++line) && at[strspn(at, " \t\r")] != '\n';
  return n;
}

// Has the program ended in the lab's function, which has no region? What was added outside may be at fault.
static bool ends_in_host(const sl_ladder *l, const sl_failure *f) {
  const sl_reason why = sl__reason_of(f->record);
  return !l->lab->launch && (why == SL_REASON_PROGRAM_CRASHED || why == SL_REASON_PROGRAM_EXITED);
}

// The last line of [lines], as "3, 20-25".
static const char *last_of(const char *lines) {
  const char *comma = strrchr(lines, ',');
  return comma ? comma + 1 : lines;
}

// The first line of the skeleton that the student has changed outside of the regions. 0: none, or lines were
// added, as a function of one's own is. Where the program has ended there, the last one, added or not.
static uint32_t line_changed(const sl_ladder *l, const sl_skeleton *s, const sl_failure *f) {
  SL_SKELETON original = {0};
  if (!sl_skeleton_original(l->lab->info, &original)) return 0;
  SL_FREED char *lines = sl_skeleton_edits(s, &original);
  const bool added = count_outside(s) > count_outside(&original);
  const bool ends = ends_in_host(l, f);
  return lines && (ends || !added) ? (uint32_t)strtoul(ends ? last_of(lines) : lines, NULL, 10) : 0;
}

// Does the failure tell of what the host does, or of no place at all?
static bool of_host(const sl_failure *f) {
  static const sl_reason reasons[] = {SL_REASON_CUDA_RETURNED,    SL_REASON_CUDA_KERNEL,
                                      SL_REASON_PROGRAM_CRASHED,  SL_REASON_PROGRAM_EXITED,
                                      SL_REASON_COMPUTED_NOWHERE, SL_REASON_RESULT_NO_LAUNCH,
                                      SL_REASON_COMPUTED_COPIED,  SL_REASON_COMPUTED_READ};
  for (size_t k = 0; k < sizeof reasons / sizeof *reasons; k++)
    if (sl__reason_of(f->record) == reasons[k]) return true;
  return sl_reason_is_endless(sl__reason_of(f->record));
}

// A changed line outside of the regions is at fault where the failure is outside of them, too.
static void place_outside(const sl_ladder *l, const sl_skeleton *s, sl_failure *f, uint32_t warned) {
  const bool at_line = f->line && !sl_region_at(s, f->line), at_warned = warned && !sl_region_at(s, warned);
  if (s->n_open || !(at_line || at_warned || (!f->line && of_host(f)))) return;
  const uint32_t line = at_warned ? warned : line_changed(l, s, f);
  if (!line) return;
  f->region = 0, f->first = f->last = line;
  f->task = sl_path("%s", at_warned ? "the compiler warns of it" : "changed outside of the TODO regions");
  if (!f->line) f->line = line;
}

// Does the line declare a variable that outlives the call, and may change?
static bool is_kept(const char *line) {
  static const char *const others[] = {"const ", "constexpr ", "inline "};
  line += strspn(line, " \t");
  if (strncmp(line, "static ", 7) != 0) return false;
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (!strncmp(line + 7, others[k], strlen(others[k]))) return false;
  return line[strcspn(line, "(;={\n")] != '(';
}

// What an earlier call has left behind is at fault: the first line that declares what may keep it. 0: none.
static uint32_t line_kept(const sl_ladder *l, const sl_skeleton *s, const sl_failure *f) {
  uint32_t line = 0;
  if (!sl__left_behind(l, f->record) || sl__clue_region(l, f->record, f->findings)) return 0;
  for (const char *at = s->source; *at; at = sl_next_line(at), line++)
    if (is_kept(at)) return line + 1;
  return 0;
}

static void place_kept(const sl_skeleton *s, sl_failure *f, uint32_t kept) {
  f->region = sl_region_at(s, kept), f->first = f->last = kept;
  f->task = sl_path("what a call leaves here, the next one finds");
  if (!f->line) f->line = kept;
}

// Is the result wrong, or memory used wrongly? Races and blocks that wait have other causes.
static bool may_be_launched_wrong(const sl_failure *f) {
  const json_t *first = json_array_get(f->findings, 0);
  return first ? !strncmp(sl_json_text(first, "id"), "memory.", 7) : !sl__is_right(f->record);
}

void sl__place_failure(const sl_ladder *l, sl_failure *f) {
  SL_SKELETON s = {0};
  const json_t *first = json_array_get(f->findings, 0);
  f->line = first ? own_line(l, first) : 0;
  if (!sl_skeleton_read(l->kernel, l->lab->info, &s, NULL)) return place_damage(f, &s);
  f->line = line_of_section(l, &s, first, f->line);
  const uint32_t warned = line_warned(l), kept = line_kept(l, &s, f);
  uint32_t launched = 0;
  f->region = sl_region_at(&s, warned);
  if (!f->region && may_be_launched_wrong(f)) f->launch = sl__launch_fault(l, &s, &launched);
  if (f->launch) f->line = launched, f->region = sl_region_at(&s, launched);
  if (!f->region) f->region = region_of_finding(l, &s, f);
  if (!f->region) f->region = region_to_edit(l, &s, f->line, f->record);
  if (works(l, f->region) && sl__clue_region(l, f->record, f->findings) != f->region)
    f->region = region_to_edit(l, &s, 0, f->record);
  if (kept) place_kept(&s, f, kept);
  else place_outside(l, &s, f, warned);
  if (f->region && !kept) {
    const sl_region *r = &s.at[f->region - 1];
    f->first = r->first + 1, f->last = r->last - 1, f->task = sl_path("%s", r->text);
    if (!f->line) f->line = f->first;
  }
}
