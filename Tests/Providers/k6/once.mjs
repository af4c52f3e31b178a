// One iteration of the script, in the folder whose files it opens.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checks } from 'k6';

const folder = process.argv[2];
globalThis.__ENV = process.env;
globalThis.open = (path, mode) => readFileSync(join(folder, path), mode === 'b' ? undefined : 'utf8');
const script = await import('./script.mjs');
script.setup();
script.default();
const failed = [...new Set(checks.filter((check) => !check.passed).map((check) => check.name))];
const passed = [...new Set(checks.map((check) => check.name))].filter((name) => !failed.includes(name));
console.log(JSON.stringify({ passed, failed, isModule: typeof script.default === 'function' && 'thresholds' in script.options }));
