import { plainFormOf } from './code-points.ts';
import { type Places, placeWriter, SAME_PLACES } from './places.ts';
import { plainWordsInSteps } from './plain-words.ts';

/** A text as detectors read it, and where its characters stand in the text as it was sent. */
export interface ReadText {
  readonly text: string;
  readonly places: Places;
}

const BEYOND_PRINTABLE = /[^\t\n\r\x20-\x7e]/;
const NEXT_BEYOND_PRINTABLE = /[^\t\n\r\x20-\x7e]/gu;
const MARK = /^\p{M}$/u;
/** Characters that are not printable ASCII, between two yields. */
const STRETCH = 20_000;

const FORMS = new Map<number, string>();

function formOf(point: number): string {
  let form = FORMS.get(point);
  if (form === undefined) {
    form = plainFormOf(point);
    FORMS.set(point, form);
  }
  return form;
}

/**
 * Leaves out what cannot be seen, and writes digits, letters, blanks and marks that only look like those of ASCII as
 * these. Printable ASCII is returned as it is. Accents stay, one character each; what cannot be composed is left out.
 * Time in proportion to the text; yields after each stretch of work.
 */
export function* normaliseInSteps(text: string): Generator<void, ReadText> {
  if (!BEYOND_PRINTABLE.test(text)) return { text, places: SAME_PLACES };
  const writer = placeWriter();
  const parts: string[] = [];
  let last = '';
  let done = 0;
  let seen = 0;
  const take = (until: number): void => {
    if (until === done) return;
    writer.taken(until - done, done);
    parts.push(last, text.slice(done, until - 1));
    last = text[until - 1]!;
  };
  NEXT_BEYOND_PRINTABLE.lastIndex = 0;
  for (let match = nextFrom(text, 0); match !== null; match = nextFrom(text, done)) {
    if (++seen % STRETCH === 0) yield;
    const [character] = match;
    take(match.index);
    done = match.index + character.length;
    if (MARK.test(character)) {
      if (last === '') continue;
      // Together they are one character, and are redacted as one.
      const composed = `${last}${character}`.normalize('NFC');
      if (composed.length === 1) last = composed;
      writer.extended(done);
      continue;
    }
    const form = formOf(character.codePointAt(0)!);
    if (form === '') continue;
    if (form === character) writer.taken(character.length, match.index);
    else writer.made(form.length, match.index, character.length);
    parts.push(last);
    last = form;
  }
  take(text.length);
  parts.push(last);
  const plain = yield* plainWordsInSteps(parts.join(''));
  return { text: plain, places: writer.places() };
}

function nextFrom(text: string, from: number): RegExpExecArray | null {
  NEXT_BEYOND_PRINTABLE.lastIndex = from;
  return NEXT_BEYOND_PRINTABLE.exec(text);
}
