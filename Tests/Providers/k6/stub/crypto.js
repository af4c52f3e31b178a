import { createHash, createHmac, randomBytes as random } from 'node:crypto';

const randomBytes = (count) => new Uint8Array(random(count)).buffer;
const sha256 = (text, form) => createHash('sha256').update(text).digest(form);
const md5 = (text, form) => createHash('md5').update(text).digest(form);
const hmac = (name, key, text, form) => createHmac(name, key).update(text).digest(form);

export default { randomBytes, sha256, md5, hmac };
