/** Finds the existing name that was probably meant by an unknown one, for "did you mean" errors. */

/** Only this many characters are compared: input is hostile, and our names are shorter. */
const MAX_COMPARED = 40;
/** Maximum number of names considered, from a client and of our own. */
export const MAX_NAMES = 64;

/** What other APIs call a name, in the spelling of `folded`. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  from: ['since', 'after', 'start', 'begin'],
  to: ['until', 'before', 'end'],
  limit: ['size', 'pagesize', 'perpage', 'count', 'top', 'take'],
  page: ['offset', 'skip', 'pagenumber'],
  cursor: ['next', 'nextcursor', 'continuation', 'token'],
  sandboxSlug: ['sandbox', 'slug', 'sandboxid', 'sandboxname'],
  sandbox: ['sandboxslug', 'slug', 'sandboxid'],
  riskLevel: ['severity', 'level'],
  prompt: ['messages', 'input', 'userinput', 'question', 'request', 'text'],
  response: ['output', 'completion', 'answer', 'reply', 'result'],
  userInput: ['prompt', 'messages', 'input', 'text', 'message'],
  sandboxType: ['type', 'kind'],
  email: ['username', 'user', 'login', 'mail'],
  enforcement: ['mode', 'enforced', 'enforce'],
};

const folded = (name: string): string =>
  name
    .slice(0, MAX_COMPARED)
    .toLowerCase()
    .replaceAll(/[-_.\s]/g, '');

/**
 * Number of letters to change, insert, delete or swap to turn one name into the other; if it exceeds `most`, any number
 * above that. MAX_COMPARED bounds the time.
 */
export function editDistance(one: string, other: string, most: number): number {
  const [a, b] = [one.slice(0, MAX_COMPARED), other.slice(0, MAX_COMPARED)];
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 0; i < a.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const changed = last[j]! + (a[i] === b[j] ? 0 : 1);
      const isSwap = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwap ? before[j - 1]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(row[j]! + 1, last[j + 1]! + 1, changed, swapped));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

/** Number of typos allowed in a name of this length. */
const mistakesIn = (length: number): number => Math.min(3, Math.max(1, Math.floor(length / 3)));

const MIN_PART = 4;
/** Share of the shorter name that both names must start with: `enforced`, `enforcement`. */
const SAME_START = 0.75;

function isPartOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < MIN_PART) return false;
  if (long.startsWith(short) || long.endsWith(short)) return true;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return same >= MIN_PART && same / short.length >= SAME_START;
}

/**
 * Distance from `name` to the sent name; null if too far. Typos are nearer than synonyms, and synonyms nearer than
 * parts.
 */
function distanceTo(name: string, sent: string): number | null {
  const own = folded(name);
  if (own === sent) return 0;
  const most = mistakesIn(Math.min(own.length, sent.length));
  const mistakes = editDistance(sent, own, most);
  if (mistakes <= most && mistakes < own.length) return mistakes;
  if (Object.hasOwn(SYNONYMS, name) && SYNONYMS[name]!.includes(sent)) return 10;
  // For longer names, errors would repeat the text after our name.
  return sent.length <= 2 * own.length && isPartOf(sent, own)
    ? 20 + Math.abs(own.length - sent.length)
    : null;
}

/** The nearest of `names`, or null if none is near. `most`: how many names to compare. */
export function nearestName(sent: string, names: readonly string[], most = MAX_NAMES): string | null {
  const asked = folded(sent);
  if (asked === '') return null;
  let nearest: { readonly name: string; readonly distance: number } | null = null;
  for (const name of names.slice(0, most)) {
    const distance = distanceTo(name, asked);
    if (distance !== null && (nearest === null || distance < nearest.distance)) nearest = { name, distance };
  }
  return nearest?.name ?? null;
}

const MAX_SHOWN = 40;
/**
 * Typical names in code and text: words, with a number only at the end. Text with digits in between, or with an @, may
 * be a key, a token or personal data in the wrong field.
 */
const PLAIN = /^[A-Za-z_$?.[\] -]*\d{0,3}$/;
const MAX_LOOKED_AT = 256;
/** A key's prefix, with or without the key. */
const SECRET = /^(?:cas|aud|whsec|sk|bearer)[_ -]/i;

/** A client's name in a form that an error may repeat: printable and short. Null if it may be a secret. */
export function shownName(name: string): string | null {
  const printable = name.slice(0, MAX_LOOKED_AT).replaceAll(/[^\x20-\x7e]|["\\<>&]/g, '?');
  if (!PLAIN.test(printable) || SECRET.test(printable)) return null;
  return printable.length > MAX_SHOWN ? `${printable.slice(0, MAX_SHOWN)}…` : printable;
}
