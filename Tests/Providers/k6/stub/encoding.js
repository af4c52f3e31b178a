const b64encode = (text, form = 'std') => Buffer.from(text).toString(form === 'rawurl' ? 'base64url' : 'base64');
const b64decode = (text) => Buffer.from(text, 'base64').toString();

export default { b64encode, b64decode };
