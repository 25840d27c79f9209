// Functions of the toolkit's runtime that the simulated GPU does not have: arrays and textures, graphics,
// parts of graphs. Each says so once, with what to do instead, and returns cudaErrorNotSupported.  Does not
// include the toolkit's headers: only the names matter, arguments are ignored.
#include <stdio.h>
#include <string.h>

enum { NOT_SUPPORTED = 801 };
int sl__keep_of(const char *call, int e);

// Why not and what to do instead, by a part of the name; the first row that fits counts.
static const struct {
  const char *part, *why, *instead;
} WAYS[] = {
    {"MemPool", "pools are of one process", "share an allocation by cudaIpcGetMemHandle"},
    {"Graphics", "there is no graphics memory to share", "copy with cudaMemcpy"},
    {"EGL", "there is no graphics memory to share", "copy with cudaMemcpy"},
    {"GL", "there is no graphics memory to share", "copy with cudaMemcpy"},
    {"VDPAU", "there is no graphics memory to share", "copy with cudaMemcpy"},
    {"External", "there is no memory of other devices to import", "copy with cudaMemcpy"},
    {"GraphMem", "graphs do not allocate memory here", "allocate before the graph is launched"},
    {"GraphAddMem", "graphs hold kernels, plain copies and fills, and host functions",
     "allocate and copy outside of the graph, or by cudaGraphAddMemcpyNode1D"},
    {"GraphAdd", "graphs hold kernels, plain copies and fills, and host functions",
     "capture a stream, or launch the rest outside of the graph"},
    {"GraphExec", "of an instance only the parameters of kernels can be changed",
     "use cudaGraphExecUpdate or cudaGraphExecKernelNodeSetParams"},
    {"Graph", "graphs are lists of nodes here, whose edges and parameters are not kept",
     "capture or build the graph again"},
    {"Capture", "a graph cannot be changed while it is captured",
     "use cudaStreamBeginCapture and cudaStreamEndCapture"},
    {"UserObject", "graphs do not own objects here", "destroy them when the graph is destroyed"},
    {"Array", "arrays and textures are not simulated", "use cudaMalloc and load through a pointer"},
    {"Texture", "arrays and textures are not simulated", "use cudaMalloc and load through a pointer"},
    {"Surface", "arrays and textures are not simulated", "use cudaMalloc and load through a pointer"},
    {"Mipmapped", "arrays and textures are not simulated", "use cudaMalloc and load through a pointer"},
    {"ChannelDesc", "arrays and textures are not simulated", "use cudaMalloc and load through a pointer"},
    {"Library", "kernels come from the program alone", "link them into it with nvcc"},
    {"ProcAddress", "there is no driver beneath this library", "use the functions of the runtime"},
    {"ExportTable", "there is no driver beneath this library", "use the functions of the runtime"},
    {"Peer", "there is one device", "copy within it with cudaMemcpy"},
    {"P2P", "there is one device", "go on as without peers"},
    {"NvSci", "no other device shares this one's work", "leave the call out"},
    {"HostAtomic", "atomics of the host and of the device do not meet here", "use memory of one of them"},
    {"IpcGetEvent", "events are of one process", "wait for the work, then tell the other process by a pipe"},
    {"IpcOpenEvent", "events are of one process", "wait for the work, then tell the other process by a pipe"},
    {"Notification", "the device has nothing to notify of", "leave the call out"},
    {"Logs", "the device keeps no logs", "read the findings that scanlab sim prints"},
    {"Discard", "memory is where it is, and keeps its values", "leave the call out"},
    {"Batch", "copies are made one by one here", "use cudaMemcpyAsync for each"},
    {"", "nobody has needed it yet", "use another call"},
};

static int refuse(const char *name, int *said) {
  size_t k = 0;
  while (!strstr(name, WAYS[k].part)) k++;
  if (!*said) {
    fflush(stdout);
    fprintf(stderr, "libcudart (simulated GPU): %s is not supported by the simulated GPU: %s; %s\n", name,
            WAYS[k].why, WAYS[k].instead);
  }
  *said = 1;
  return sl__keep_of(name, NOT_SUPPORTED);
}

#define SL_UNSUPPORTED(name)                                                                                 \
  int name(void);                                                                                            \
  int name(void) {                                                                                           \
    static int said;                                                                                         \
    return refuse(#name, &said);                                                                             \
  }
#include "unsupported.def" // the build makes it
