// Names the call of the host that a finding in a kernel goes back to: the one that freed the memory, asked
// for it, or launched the kernel with too little.
//
// Interface (server.h): sl__tell_host, for findings on their way out; sl__host_first. Where the host's call
// is what is wrong, its line is the finding's, and the access is told behind it; else the reverse.
#include "gpu/server/server.h"

void sl__host_behind(const sl_asked *a, const char *role, sl_finding *f) {
  sl__host_party(a, role, &f->other);
  snprintf(f->other_file, sizeof f->other_file, "%s", a->file);
  f->other_line = a->line;
}

void sl__host_first(const sl_asked *a, const char *role, sl_finding *f) {
  f->other = f->me;
  f->other_line = f->line;
  snprintf(f->other_file, sizeof f->other_file, "%s", f->file);
  memcpy(f->other_block, f->block, sizeof f->block);
  memcpy(f->other_thread, f->thread, sizeof f->thread);
  f->me = (sl_party){0};
  sl__host_party(a, role, &f->me);
  snprintf(f->file, sizeof f->file, "%s", a->file);
  f->line = a->line;
  f->account[0] = 0;
}

static uint64_t count_of(const uint32_t d[3]) { return (uint64_t)d[0] * d[1] * d[2]; }

// Are there no more bytes than blocks that have an element, less elements than threads, or half an element?
// Then elements were counted as bytes. Threads may be rounded up to whole warps.
static bool counts_bytes(const sl_finding *f, bool shared) {
  const sl_object *o = &f->object;
  const uint64_t elements = o->elem ? o->size / o->elem : 0, threads = count_of(f->threads);
  if (o->elem < 2 || o->index < 0 || (uint64_t)o->index >= o->size) return false;
  if (o->size % o->elem) return true;
  if (!shared) return o->size == count_of(f->grid);
  const uint64_t each = threads && o->size > threads ? o->size / threads : 1; // elements of a thread
  if (f->count * each < o->size - elements) return false; // fewer accesses than elements that are missing
  return elements < (threads % 32 ? threads : threads - 31);
}

static const char *does(const sl_finding *f) { return f->object.access == SL_DID_WRITE ? "writes" : "reads"; }

// The first thread too many that has K elements each: is the block K times as large as the array needs?
static void tell_threads(sl_finding *f, bool shared) {
  const sl_object *o = &f->object;
  const uint64_t elements = o->elem ? o->size / o->elem : 0, threads = count_of(f->threads),
                 index = (uint64_t)o->index, thread = f->thread[0];
  const uint64_t each = thread ? index / thread : 0;
  if (!shared || o->index < 0 || each < 2 || index % thread >= each || threads != elements) return;
  snprintf(f->advice, sizeof f->advice,
           "If a thread has %llu elements, let the launch start %llu threads, not %llu; else correct the "
           "index, or guard the access",
           (unsigned long long)each, (unsigned long long)(elements / each), (unsigned long long)threads);
}

static void tell_too_little(const sl_asked *a, const char *role, bool shared, sl_finding *f) {
  const sl_object *o = &f->object;
  if (!counts_bytes(f, shared)) {
    sl__host_behind(a, role, f);
    tell_threads(f, shared);
    if (!shared && f->object.index >= 0)
      snprintf(f->advice, sizeof f->advice,
               "Correct the index, or guard the access (if (i < n)); if both are right, line %u asks for too "
               "little",
               a->line);
    return;
  }
  sl__host_first(a, role, f);
  snprintf(f->what, sizeof f->what,
           "%llu bytes have room for %llu element%s of %u bytes, but a kernel %s " SL_THE_OBJECT,
           (unsigned long long)o->size, (unsigned long long)(o->size / o->elem), sl_plural(o->size / o->elem),
           o->elem, does(f));
  snprintf(f->why, sizeof f->why,
           "cudaMalloc, and the third value of <<<blocks, threads, bytes>>>, take bytes and not elements");
  snprintf(f->advice, sizeof f->advice,
           "Multiply the number of elements by the size of one: n * sizeof(T), where T is their type");
}

static void tell_freed(const sl_asked *a, sl_finding *f) {
  sl__host_first(a, "frees", f);
  snprintf(f->what, sizeof f->what, "freed too early: a kernel %s " SL_THE_OBJECT " afterwards", does(f));
}

// The kernel itself is not at fault.
static void tell_too_many(const sl_asked *a, sl_finding *f) {
  sl__host_first(a, "launch", f);
  f->other_line = a->caller;
  f->other = (sl_party){0};
  if (a->caller) {
    snprintf(f->other.role, sizeof f->other.role, "from");
    snprintf(f->other.host, sizeof f->other.host, "the function is called");
    snprintf(f->other_file, sizeof f->other_file, "%s", a->file);
  }
  snprintf(f->what, sizeof f->what,
           "the program starts kernels again and again, as a loop or a recursion that never ends");
  snprintf(f->why, sizeof f->why,
           "A function of the host that leads to this launch calls itself, or loops, without end");
  snprintf(f->advice, sizeof f->advice,
           "Look at what calls the function of this line: the case in which that ends is missing, or never "
           "reached");
}

void sl__tell_host(const sl_server *s, sl_finding *f) {
  const bool freed = f->id == SL_FOUND_MEMORY_FREED, endless = f->cause == SL_CAUSE_LAUNCHES,
             shared = !strcmp(f->object.space, "shared");
  const sl_kept_place *k = sl__place_of(s, f->object.allocation);
  const sl_place *place = endless  ? sl__launch_place(s, f->launch)
                          : freed  ? k ? &k->freed : NULL
                          : shared ? f->object.size == f->shared_bytes ? sl__launch_place(s, f->launch) : NULL
                          : k      ? &k->made
                                   : NULL;
  sl_asked a;
  if ((!freed && !endless && f->id != SL_FOUND_MEMORY_BOUNDS) || (f->other_line && !endless) ||
      f->me.host[0] || !place)
    return;
  sl__asked(place, &a);
  if (!a.line) return;
  if (endless) tell_too_many(&a, f);
  else if (freed) tell_freed(&a, f);
  else tell_too_little(&a, shared ? "launch" : "made", shared, f);
}
