// Run by sandbox_test under sl-jail as a program on a real GPU is: says what it could do.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void say(const char *what, int could) { printf("%s %s\n", what, could ? "allowed" : "refused"); }

int main(void) {
  int stream = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "/nowhere/at/all"};
  say("a socket", stream >= 0);
  // nobody is there
  say("connecting", connect(stream, (struct sockaddr *)&name, sizeof name) == 0 || errno != EPERM);
  say("a datagram socket", socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) >= 0);
  say("the network", socket(AF_INET, SOCK_STREAM, 0) >= 0);
  say("shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0);
  say("/dev/shm", open("/dev/shm/scanlab_probe", O_RDWR | O_CREAT, 0600) >= 0);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(0);
  say("a process", child > 0);
  fflush(stdout);
  _exit(0); // what sanitizers do at an end needs a process of their own
}
