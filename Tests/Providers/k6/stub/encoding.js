const b64encode = (text, form = 'std') => Buffer.from(text).toString(form === 'rawurl' ? 'base64url' : 'base64');
const b64decode = (text) => {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw new Error('illegal base64 data');
  return Buffer.from(text, 'base64').toString();
};

export default { b64encode, b64decode };
