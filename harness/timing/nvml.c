// Asks the driver about a device through NVML. Found at run time, so nothing depends on it.
//
// Interface: sl_device_state_read, sl_device_state_text, sl_throttle_text, sl_is_throttled. Numbers: nvml.h.
#include "timing/timing.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef int (*init_fn)(void);
typedef int (*find_fn)(const char *bus, void **device);
typedef int (*first_fn)(unsigned index, void **device);
typedef int (*text_fn)(void *device, char *out, unsigned cap);
typedef int (*driver_fn)(char *out, unsigned cap);
typedef int (*pair_fn)(void *device, int which, unsigned *out);
typedef int (*bits_fn)(void *device, unsigned long long *out);

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0 };

// Calls the function [name] of the library as one of [type]; -1 if the library does not have it.
#define CALL(type, name, ...) (dlsym(nvml, name) ? ((type)dlsym(nvml, name))(__VA_ARGS__) : -1)

void sl_device_state_read(const char *pci_bus_id, sl_device_state *out) {
  void *device = NULL, *nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  *out = (sl_device_state){0};
  if (!nvml || CALL(init_fn, "nvmlInit_v2") != 0) return;
  if ((pci_bus_id ? CALL(find_fn, "nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id, &device)
                  : CALL(first_fn, "nvmlDeviceGetHandleByIndex_v2", 0, &device)) == 0) {
    out->known = CALL(pair_fn, "nvmlDeviceGetClockInfo", device, CLOCK_SM, &out->sm_mhz) == 0;
    CALL(pair_fn, "nvmlDeviceGetClockInfo", device, CLOCK_MEMORY, &out->memory_mhz);
    CALL(pair_fn, "nvmlDeviceGetTemperature", device, SENSOR_GPU, &out->celsius);
    CALL(bits_fn, "nvmlDeviceGetCurrentClocksThrottleReasons", device, &out->throttle);
    CALL(text_fn, "nvmlDeviceGetName", device, out->name, sizeof out->name);
    CALL(driver_fn, "nvmlSystemGetDriverVersion", out->driver, sizeof out->driver);
  }
  CALL(init_fn, "nvmlShutdown");
}

static const struct {
  unsigned long long bit;
  const char *name;
  bool harmful;
} reasons[] = {
    {0x001, "idle", false},       {0x002, "application-clocks", false}, {0x004, "power-cap", true},
    {0x008, "hw-slowdown", true}, {0x010, "sync-boost", true},          {0x020, "sw-thermal", true},
    {0x040, "hw-thermal", true},  {0x080, "power-brake", true},         {0x100, "display-clocks", false},
};
enum { REASONS = sizeof reasons / sizeof *reasons };

char *sl_throttle_text(unsigned long long bits, char *out, size_t cap) {
  size_t used = 0;
  snprintf(out, cap, "none");
  for (size_t k = 0; k < REASONS && used < cap; k++)
    if (bits & reasons[k].bit)
      used += (size_t)snprintf(out + used, cap - used, "%s%s", used ? " " : "", reasons[k].name);
  return out;
}

bool sl_is_throttled(unsigned long long bits) {
  for (size_t k = 0; k < REASONS; k++)
    if (bits & reasons[k].bit && reasons[k].harmful) return true;
  return false;
}

char *sl_device_state_text(const sl_device_state *s, char *out, size_t cap) {
  char text[160];
  if (s->known)
    snprintf(out, cap, "SM %u MHz, memory %u MHz, %u C, throttled: %s", s->sm_mhz, s->memory_mhz, s->celsius,
             sl_throttle_text(s->throttle, text, sizeof text));
  else snprintf(out, cap, "unknown: this machine has no NVML");
  return out;
}
