// Frames: registers and local memory of one activation of a function, for the lanes that are in it.
//
// Lanes that call the same function from the same place of the same frame share a frame, even if they come
// one after the other. Registers belong to lanes, so lanes do not disturb each other, and meet again inside.
#include "engine/core.h"

#define DEPTH_LIMIT 1024u
#define LEAST_FRAME 8u // bytes: a function that calls keeps its return address on the stack

// Where the local memory of functions called by [f] starts: behind its own and what alloca gave to any lane.
uint32_t sl__frame_end(const sl_frame *f) {
  uint32_t top = 0;
  for (int l = 0; l < SL_LANES && f->fn->allocas; l++) top = f->top[l] > top ? f->top[l] : top;
  return f->local_base + ((f->fn->local_bytes + 15) & ~15u) + top;
}

static sl_frame *find_frame(sl_cwarp *c, const sl_func *fn, const sl_frame *parent, const sl_xinsn *call,
                            uint32_t base) {
  for (sl_frame *f = c->frames; f; f = f->next)
    if (f->parent == parent && f->call == call && f->fn == fn && f->local_base >= base) return f;
  return NULL;
}

static sl_frame *fresh(sl_cwarp *c, const sl_func *fn) {
  uint32_t need = fn->frame_bytes + 256;
  for (sl_frame **p = &c->free_frames; *p; p = &(*p)->next)
    if ((*p)->cap >= need) {
      sl_frame *f = *p;
      *p = f->next;
      return f;
    }
  sl_frame *f = calloc(1, sizeof *f);
  uint8_t *regs = aligned_alloc(64, (need + 63) & ~63u);
  if (!f || !regs) {
    free(f), free(regs);
    return NULL;
  }
  f->regs = regs, f->cap = need;
  return f;
}

// Makes room for [bytes] of local memory in every lane. Local memory is laid out lane after lane.
static bool grow_local(sl_cwarp *c, uint32_t bytes) {
  uint32_t stride = c->local_stride ? c->local_stride : 256;
  if (bytes <= c->local_stride) return true;
  if (bytes > SL_LOCAL_ROOM) return false;
  while (stride < bytes) stride *= 2;
  if (!sl__host_gives(&c->w.grid->gpu->mem, (uint64_t)SL_LANES * stride)) return false;
  uint8_t *n = calloc(SL_LANES, stride);
  if (!n) return false;
  for (uint32_t l = 0; l < SL_LANES && c->local; l++)
    memcpy(n + (size_t)l * stride, c->local + (size_t)l * c->local_stride, c->local_stride);
  free(c->local);
  c->local = n, c->local_stride = stride;
  return true;
}

// On a GPU such a register has what another one left there. Zero would often be right by chance.
static void set_unset(const sl_frame *f) {
  for (uint32_t k = 0; k < f->fn->n_unset; k++) {
    const uint8_t cls = f->fn->ir->regs[f->fn->unset[k]].cls;
    const int words = cls == SL_R_PRED || cls == SL_R_128 ? 0 : cls == SL_R_64 ? 2 * SL_LANES : SL_LANES;
    for (int l = 0; l < words; l++)
      ((uint32_t *)(f->regs + f->fn->reg_slots[f->fn->unset[k]]))[l] = 0x5bd1e995u;
  }
}

static void set_values(const sl_frame *f) {
  for (uint32_t k = 0; k < f->fn->n_init; k++) {
    const sl_frame_value *v = &f->fn->init[k];
    uint64_t a = (uint64_t)f->local_base + v->offset;
    for (int l = 0; l < SL_LANES; l++) {
      if (v->wide) ((uint64_t *)(f->regs + v->slot))[l] = a;
      else ((uint32_t *)(f->regs + v->slot))[l] = (uint32_t)a;
    }
  }
}

// Would the call leave the stack that a launch grants to functions which call themselves? Their local memory
// and return addresses are counted, from the outermost call of [fn] on: a GPU's frames are no smaller.
static bool is_past_stack(const sl_cwarp *c, const sl_func *fn, const sl_frame *parent, uint32_t base) {
  const uint64_t limit = c->w.grid->l->stack_bytes;
  const sl_frame *first = NULL;
  for (const sl_frame *f = parent; limit && f; f = f->parent)
    if (f->fn == fn) first = f;
  return first && base + fn->local_bytes - first->local_base +
                          LEAST_FRAME * (uint64_t)(parent->depth + 1 - first->depth) >
                      limit;
}

sl_frame *sl__frame_enter(sl_cwarp *c, const sl_func *fn, sl_frame *parent, const sl_xinsn *call,
                          uint32_t lanes) {
  uint32_t depth = parent ? parent->depth + 1 : 0, base = parent ? sl__frame_end(parent) : 0;
  sl_frame *f = parent ? find_frame(c, fn, parent, call, base) : NULL;
  if (f) {
    f->lanes |= lanes;
    return f;
  }
  if (depth > DEPTH_LIMIT || is_past_stack(c, fn, parent, base) || !grow_local(c, base + fn->local_bytes) ||
      !(f = fresh(c, fn)))
    return NULL;
  f->parent = parent, f->fn = fn, f->call = call, f->lanes = lanes, f->depth = depth, f->local_base = base;
  f->next = c->frames, c->frames = f;
  memset(f->regs, 0, fn->frame_bytes);
  if (fn->allocas) memset(f->top, 0, sizeof f->top);
  set_unset(f);
  set_values(f);
  return f;
}

const char *sl__frame_refusal(const sl_cwarp *c, const sl_func *fn, const sl_frame *parent) {
  const uint32_t base = sl__frame_end(parent);
  if (parent->depth >= DEPTH_LIMIT || is_past_stack(c, fn, parent, base))
    return "calls nested too deep: the stack of a thread is used up";
  if (base + fn->local_bytes > SL_LOCAL_ROOM)
    return "more local variables than the 512 KiB that a thread has for them";
  return "this machine has no memory left for the local variables of the threads";
}

bool sl__frame_grow(sl_cwarp *c, sl_frame *f, uint32_t lane, uint32_t top) {
  uint32_t before = f->top[lane];
  f->top[lane] = top;
  if (top <= SL_LOCAL_ROOM && grow_local(c, sl__frame_end(f))) return true;
  f->top[lane] = before;
  return false;
}

void sl__frame_spill(sl_cwarp *c, const sl_frame *f, uint32_t lanes) {
  const sl_gmodule *m = c->w.grid->m;
  for (uint32_t k = 0; k < f->fn->n_spills; k++) {
    const sl_spill *s = &f->fn->spills[k];
    uint32_t bytes = (uint32_t)m->ptx->vars[s->var].size, at = f->local_base + s->offset;
    const uint32_t *words = (const uint32_t *)(const void *)(f->regs + m->var_addr[s->var] * 32);
    for (uint32_t l = 0; l < SL_LANES; l++)
      for (uint32_t b = 0; b < bytes && (lanes >> l) & 1; b += 4)
        memcpy(c->local + (size_t)l * c->local_stride + at + b, &words[b / 4 * SL_LANES + l],
               bytes - b < 4 ? bytes - b : 4);
    if (c->w.grid->heard) sl__probes_local(&c->w, lanes, at, bytes);
  }
}

void sl__frame_leave(sl_cwarp *c, sl_frame *f, uint32_t lanes) {
  f->lanes &= ~lanes;
  if (f->lanes) return;
  for (sl_frame **p = &c->frames; *p; p = &(*p)->next)
    if (*p == f) {
      *p = f->next;
      break;
    }
  f->next = c->free_frames, c->free_frames = f;
}

void sl__frames_reset(sl_cwarp *c) {
  while (c->frames) sl__frame_leave(c, c->frames, SL_FULL);
}

void sl__frames_free(sl_cwarp *c) {
  sl__frames_reset(c);
  for (sl_frame *f = c->free_frames, *n; f; f = n) n = f->next, free(f->regs), free(f);
  c->free_frames = NULL;
  free(c->local);
  c->local = NULL, c->local_stride = 0;
}
