// expect: memory.freed at wrong
// says: Read what you still need of it before free()
// A list on the device's heap: the next node is read from the one that was just freed.

__global__ void sum(int *out) {
  struct node {
    int value;
    node *next;
  };
  node *head = nullptr;
  for (int k = 0; k < 4; k++) {
    node *n = (node *)malloc(sizeof(node));
    n->value = k, n->next = head, head = n;
  }
  int s = 0;
  while (head) {
    node *next = head->next; // twin
    s += head->value;
    free(head);
    head = next; // twin
    head = head->next; // wrong
  }
  out[threadIdx.x] = s;
}
static int run() {
  int *out = unset(128);
  sum<<<1, 32>>>(out);
  return ended_with(cudaErrorIllegalAddress);
}
