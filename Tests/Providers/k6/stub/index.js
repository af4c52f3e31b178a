// The checks of k6, kept for once.mjs.
export const checks = [];

export function check(value, conditions, tags) {
  let holds = true;
  for (const [name, condition] of Object.entries(conditions)) {
    const passed = !!condition(value);
    checks.push({ name, passed, tags });
    holds &&= passed;
  }
  return holds;
}

export function sleep(seconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);
}
