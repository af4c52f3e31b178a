// Requests of k6, which block: curl sends them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function request(method, url, body, { headers = {}, cookies = {}, redirects = 10, timeout = 60000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'k6-'));
  const argumentsOfCurl = ['--silent', '--request', method, '--max-time', String(timeout / 1000), '--output', join(folder, 'body'), '--dump-header',
    join(folder, 'head'), '--write-out', '%{url_effective}\n%{time_total}'];
  if (redirects > 0) argumentsOfCurl.push('--location', '--max-redirs', String(redirects));
  for (const [name, value] of Object.entries(headers)) argumentsOfCurl.push('--header', `${name}: ${value}`);
  for (const [name, value] of Object.entries(cookies)) argumentsOfCurl.push('--cookie', `${name}=${value}`);
  if (body !== null) argumentsOfCurl.push('--data-binary', '@-');
  if (body !== null && typeof body === 'object' && !ArrayBuffer.isView(body)) {
    argumentsOfCurl.splice(argumentsOfCurl.indexOf('--data-binary'), 2);
    for (const [name, part] of Object.entries(body)) {
      if (typeof part === 'string') { argumentsOfCurl.push('--form-string', `${name}=${part}`); continue; }
      const path = join(folder, name);
      writeFileSync(path, part.data);
      argumentsOfCurl.push('--form', `${name}=@${path};filename=${part.filename};type=${part.content_type}`);
    }
    body = '';
  }
  try {
    const [address, seconds] = execFileSync('curl', [...argumentsOfCurl, url], { input: body ?? '' }).toString().split('\n');
    const [first, ...lines] = readFileSync(join(folder, 'head'), 'latin1').trim().split(/\r\n\r\n/).at(-1).split('\r\n');
    const found = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
    let text = '';
    try { text = readFileSync(join(folder, 'body'), 'utf8'); } catch { /* no body */ }
    return { status: Number(first.split(' ')[1]), url: address, body: text, headers: found, cookies: {}, timings: { duration: Number(seconds) * 1000 }, error: '' };
  } catch (error) {
    return { status: 0, error: String(error.message), body: null, headers: {}, cookies: {}, timings: { duration: 0 }, url };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const file = (data, filename, content_type) => ({ data, filename, content_type });

export default { request, file };
