/** The name that was probably meant by one that does not exist: for errors that ask "did you mean". */

/** Longer names are compared by their start alone: input is hostile, and ours are shorter. */
const MAX_COMPARED = 40;
/** Names that are looked at, of a client's and of ours. */
export const MAX_NAMES = 64;

/** What other interfaces call it, in the spelling of `folded`. */
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
 * Letters to change, add, leave out or swap to make one name of the other; above `most`, any number above it. Time is
 * bounded by MAX_COMPARED.
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

/** Typing mistakes that a name of this length may have. */
const mistakesIn = (length: number): number => Math.min(3, Math.max(1, Math.floor(length / 3)));

const MIN_PART = 4;
/** Of the shorter name, the share that both have to start with: `enforced`, `enforcement`. */
const SAME_START = 0.75;

function isPartOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < MIN_PART) return false;
  if (long.startsWith(short) || long.endsWith(short)) return true;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  return same >= MIN_PART && same / short.length >= SAME_START;
}

/** How far `name` is from what was sent; null: too far. Mistyped names are nearer than synonyms, and these than parts. */
function distanceTo(name: string, sent: string): number | null {
  const own = folded(name);
  if (own === sent) return 0;
  const most = mistakesIn(Math.min(own.length, sent.length));
  const mistakes = editDistance(sent, own, most);
  if (mistakes <= most && mistakes < own.length) return mistakes;
  if (Object.hasOwn(SYNONYMS, name) && SYNONYMS[name]!.includes(sent)) return 10;
  // Of a long name errors would repeat what follows ours.
  return sent.length <= 2 * own.length && isPartOf(sent, own)
    ? 20 + Math.abs(own.length - sent.length)
    : null;
}

/** The nearest of `names`, or null when none is near. `most`: names that are compared. */
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
 * Names that programs and people give: words, with a number at the end at most. What has digits in between, or an @, may
 * be a key, a token or personal data at the wrong place.
 */
const PLAIN = /^[A-Za-z_$?.[\] -]*\d{0,3}$/;
const MAX_LOOKED_AT = 256;
/** A key's prefix, with or without the key. */
const SECRET = /^(?:cas|aud|whsec|sk|bearer)[_ -]/i;

/** A name that a client sent, as an error may repeat it: printable and short. Null: it may be a secret. */
export function shownName(name: string): string | null {
  const printable = name.slice(0, MAX_LOOKED_AT).replaceAll(/[^\x20-\x7e]|["\\<>&]/g, '?');
  if (!PLAIN.test(printable) || SECRET.test(printable)) return null;
  return printable.length > MAX_SHOWN ? `${printable.slice(0, MAX_SHOWN)}…` : printable;
}
