import type { Candidate, SearchDetector } from '../detector.ts';

const HYPHEN = 45;
const BEGIN = '-----BEGIN ';
const HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const END = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;

/** Base64, armour headers, and the `\n` of a key pasted from JSON. */
function isBodyUnit(unit: number): boolean {
  return (
    (unit >= 43 && unit <= 58) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 97 && unit <= 122) ||
    unit === 61 ||
    unit === 92 ||
    unit === 10 ||
    unit === 13 ||
    unit === 32 ||
    unit === 9
  );
}

/** End of the key whose header ends at `from`; a truncated key ends with its last line. */
function keyEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isBodyUnit(text.charCodeAt(end))) {
    if (text.charCodeAt(end) === HYPHEN && text.startsWith('-----', end)) break;
    end++;
  }
  END.lastIndex = end;
  const footer = END.exec(text);
  return footer === null ? end : end + footer[0].length;
}

/** Private keys in PEM or PGP armour, from the first line to the last, or to the end of a truncated one. */
export const privateKey: SearchDetector = {
  name: 'private-key',
  version: 1,
  search: (text) => {
    const found: Candidate[] = [];
    for (let start = text.indexOf(BEGIN), from = 0; start !== -1; start = text.indexOf(BEGIN, from)) {
      from = start + BEGIN.length;
      HEADER.lastIndex = start;
      const header = HEADER.exec(text);
      if (header === null) continue;
      const end = keyEnd(text, start + header[0].length);
      found.push({ code: 'SECRET_LEAK', entity: 'PRIVATE_KEY', start, end, confidence: 0.99 });
      from = end;
    }
    return found;
  },
};
