/** The service's format; anything else is not sent. */
const TOKEN = /^aud_[0-9a-f]{64}$/;

export const isAuditorToken = (text: string): boolean => TOKEN.test(text);
