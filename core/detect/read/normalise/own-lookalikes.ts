/**
 * Letters confusable with a Latin one that Unicode's table of confusables does not map to a single ASCII letter: small
 * capitals, letters with a hook, and small Cyrillic and Greek letters that the table treats as small capitals. By the
 * letter they look like.
 */
export const OWN_LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'ᴀ',
  b: 'ʙ',
  d: 'ɗᴅ',
  e: 'ɛєᴇⲉ',
  f: 'ꜰϝ',
  g: 'ɢ',
  h: 'ʜ',
  j: 'ᴊ',
  k: 'кκᴋĸ',
  l: 'ʟ',
  m: 'мᴍⲙꮇ',
  n: 'ηɴ',
  p: 'ᴘ',
  r: 'ʀ',
  s: 'ʂ',
  t: 'тτᴛ',
  w: 'ω',
  x: 'χ',
  z: 'ʐ',
  Q: 'Ԛ',
};
