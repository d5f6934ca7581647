import { TextWriter } from '../text-writer.ts';
import { plainFormOf } from './code-points.ts';
import { type OffsetMap, OffsetMapWriter, SAME_OFFSETS } from './offset-map.ts';
import { plainWords } from './plain-words.ts';

/** A text as detectors read it, with its offsets in the original text. */
export interface ReadText {
  readonly text: string;
  readonly offsets: OffsetMap;
}

const BEYOND_PRINTABLE = /[^\t\n\r\x20-\x7e]/;
const NEXT_BEYOND_PRINTABLE = /[^\t\n\r\x20-\x7e]/gu;
const MARK = /^\p{M}$/u;

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
 * Drops invisible characters, and replaces digits, letters, blanks and marks that look like ASCII ones. Printable ASCII
 * is unchanged. Accented letters stay, as one character each; marks that cannot be composed are dropped. Linear time.
 */
export function normalise(text: string): ReadText {
  if (!BEYOND_PRINTABLE.test(text)) return { text, offsets: SAME_OFFSETS };
  const writer = new OffsetMapWriter();
  const read = new TextWriter();
  let last = '';
  let done = 0;
  const take = (until: number): void => {
    if (until === done) return;
    writer.copied(until - done, done);
    read.add(last);
    read.add(text.slice(done, until - 1));
    last = text[until - 1]!;
  };
  NEXT_BEYOND_PRINTABLE.lastIndex = 0;
  for (let match = nextFrom(text, 0); match !== null; match = nextFrom(text, done)) {
    const [character] = match;
    take(match.index);
    done = match.index + character.length;
    if (MARK.test(character)) {
      if (last === '') continue;
      // A letter and its mark are one character, and are redacted as one.
      const composed = `${last}${character}`.normalize('NFC');
      if (composed.length === 1) last = composed;
      writer.extended(done);
      continue;
    }
    const form = formOf(character.codePointAt(0)!);
    if (form === '') continue;
    if (form === character) writer.copied(character.length, match.index);
    else writer.derived(form.length, match.index, character.length);
    read.add(last);
    last = form;
  }
  take(text.length);
  read.add(last);
  return { text: plainWords(read.text()), offsets: writer.offsets() };
}

function nextFrom(text: string, from: number): RegExpExecArray | null {
  NEXT_BEYOND_PRINTABLE.lastIndex = from;
  return NEXT_BEYOND_PRINTABLE.exec(text);
}
