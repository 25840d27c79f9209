// expect: memory.bounds at here
// says: of a thread of another block, or of one that has ended
// A kernel builds a list of local variables, and the next one walks it: they ended with their thread.

struct node {
  int value;
  node *next;
};
__device__ node *head, room[2];

__global__ void push(int *seen) {
  node nodes[2]; // wrong
  node *nodes = room; // twin
  nodes[0].value = 5, nodes[0].next = nullptr;
  nodes[1].value = 7, nodes[1].next = nodes;
  head = nodes + 1;
  *seen = 0;
  for (node *n = head; n; n = n->next) *seen += n->value;
}
__global__ void walk(int *sum) {
  *sum = 0;
  for (node *n = head; n; n = n->next) *sum += n->value; // here
}
static int run() {
  int *d = unset(8);
  push<<<1, 1>>>(d), walk<<<1, 1>>>(d + 1);
  return ended_with(cudaErrorInvalidAddressSpace);
}
