// What the program does.
#include <stdio.h>

/* Returns the status. Whoever calls it is told of a failure. */
static int status(void) {
  return puts("What is printed") < 0;
}

// The exit status is 0 if the text was written.
int main(void) { return status(); }
