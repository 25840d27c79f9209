// Questions about other devices, the bus and the driver. There is one device, number 0, on no real bus.
#include "libcudart/client.h"

#define BUS_ID "0000:00:00.0"

// Bus -------------------------------------------------------------------------------------------------------

SL_API(cudaDeviceGetPCIBusId, (out, len, device), char *out, int len, int device) {
  cudaError_t e = sl__device_ok(device);
  if (!e && (!out || len < (int)sizeof BUS_ID)) e = cudaErrorInvalidValue;
  if (!e) snprintf(out, (size_t)len, BUS_ID);
  return e;
}

// Finds a device by domain:bus:device.function, bus:device.function, or either without the function.
SL_API(cudaDeviceGetByPCIBusId, (out, text), int *out, const char *text) {
  unsigned part[4];
  char end;
  cudaError_t e = sl__ready();
  if (e || !out || !text) return e ? e : cudaErrorInvalidValue;
  bool good = sscanf(text, "%x:%x:%x.%x%c", &part[0], &part[1], &part[2], &part[3], &end) == 4 ||
              sscanf(text, "%x:%x:%x%c", &part[0], &part[1], &part[2], &end) == 3 ||
              sscanf(text, "%x:%x.%x%c", &part[0], &part[1], &part[2], &end) == 3;
  if (!good) return cudaErrorInvalidValue;
  if (strcmp(text, BUS_ID)) return cudaErrorInvalidDevice;
  *out = 0;
  return cudaSuccess;
}

// Peers -----------------------------------------------------------------------------------------------------

SL_API(cudaDeviceCanAccessPeer, (out, a, b), int *out, int a, int b) {
  cudaError_t e = sl__device_ok(a);
  if (!e) e = sl__device_ok(b);
  if (!e && !out) e = cudaErrorInvalidValue;
  if (!e) *out = 0;
  return e;
}

static cudaError_t refuse_peer(int other, cudaError_t why) {
  cudaError_t e = sl__device_ok(other);
  return e ? e : why;
}
cudaError_t cudaDeviceEnablePeerAccess(int other, unsigned) {
  SL_LOCKED(refuse_peer(other, cudaErrorPeerAccessUnsupported));
}
cudaError_t cudaDeviceDisablePeerAccess(int other) {
  SL_LOCKED(refuse_peer(other, cudaErrorPeerAccessNotEnabled));
}

// Between a device and itself there are no such attributes.
cudaError_t cudaDeviceGetP2PAttribute(int *, enum cudaDeviceP2PAttr, int, int) {
  SL_LOCKED(refuse_peer(0, cudaErrorInvalidDevice));
}

// Nothing to wait for: no other device writes to this one's memory.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget,
                                               enum cudaFlushGPUDirectRDMAWritesScope) {
  SL_LOCKED(sl__ready());
}

// The driver ------------------------------------------------------------------------------------------------

// There is no driver, so no function is found: that is an answer, not an error.
static cudaError_t no_symbol(const char *name, void **out, enum cudaDriverEntryPointQueryResult *status) {
  static bool said;
  if (!name || !out) return cudaErrorInvalidValue;
  if (!said)
    sl__say("cudaGetDriverEntryPoint: there is no driver beneath the simulated GPU, so `%.100s` is not "
            "found: use the functions of the runtime",
            name);
  said = true;
  *out = NULL;
  if (status) *status = cudaDriverEntryPointSymbolNotFound;
  return sl__ready();
}
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **out, unsigned, unsigned long long,
                                             enum cudaDriverEntryPointQueryResult *status) {
  SL_LOCKED(no_symbol(name, out, status));
}

// A function of earlier toolkits: programs compiled with them may call it.
cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status);
cudaError_t cudaGetDriverEntryPoint(const char *name, void **out, unsigned long long,
                                    enum cudaDriverEntryPointQueryResult *status) {
  SL_LOCKED(no_symbol(name, out, status));
}
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *name, void **out, unsigned long long flags,
                                         enum cudaDriverEntryPointQueryResult *status)
    __attribute__((alias("cudaGetDriverEntryPoint")));
