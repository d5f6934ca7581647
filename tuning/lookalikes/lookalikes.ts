import { OWN_LOOKALIKES } from '#core/detect/read/normalise/lookalikes.ts';

/**
 * `2C9F ; 006F ; MA # ( ⲟ → o ) COPTIC SMALL LETTER O → LATIN SMALL LETTER O`: one character and what it is confusable
 * with.
 */
const ENTRY = /^([0-9A-F]{4,6}) ;\t([0-9A-F]{4,6}) ;\tMA/;
const LETTER = /^\p{L}$/u;
const ASCII_LETTER = /^[A-Za-z]$/;
/** Text that normalisation turns into ASCII before confusables are looked up. */
const COMPATIBLE = /^[\x20-\x7e]{1,4}$/;
/** The data have one letter for l and I. Capitals look like I, and so do letters of scripts without lower case. */
const LOOKS_LIKE_CAPITAL =
  /^(?:\p{Lu}|\p{Script=Lisu}|\p{Script=Miao}|\p{Script=Runic}|\p{Script=Tifinagh}|\p{Script=Lycian}|\p{Script=Old_Italic})$/u;
/** Scripts whose small letters look like small capitals but are distinct letters: `н` is not an h in a Russian word. */
const HAS_SMALL_CAPITALS = /^[\p{Script=Cyrillic}\p{Script=Greek}]$/u;
/** The dental click looks like a vertical bar and is treated as one. */
const BAR = '\u01c0';

interface Confusables {
  readonly version: string;
  /** Date of the data, `YYYY-MM-DD`. */
  readonly date: string;
  /** Non-ASCII letters by the ASCII letter that they resemble, ordered by letter and code point. */
  readonly lookalikes: ReadonlyMap<string, readonly string[]>;
}

const headLine = (text: string, name: string): string => {
  const value = new RegExp(`^# ${name}: ([\\w.-]+)`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`the file has no line "# ${name}: ...": is it confusables.txt?`);
  return value;
};

/** The letters in Unicode's `confusables.txt` (UTS #39) that are confusable with one ASCII letter. */
export function readConfusables(text: string): Confusables {
  const own = new Map(
    Object.entries(OWN_LOOKALIKES).flatMap(([latin, others]) =>
      Array.from(others, (other) => [other, latin] as const),
    ),
  );
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, from, to] = ENTRY.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    const letter = String.fromCodePoint(Number.parseInt(from, 16));
    const target = String.fromCodePoint(Number.parseInt(to, 16));
    if (letter <= '\x7f' || letter === BAR || !LETTER.test(letter)) continue;
    if (COMPATIBLE.test(letter.normalize('NFKC'))) continue;
    // Some entries map to small capitals and similar letters: Cherokee's small letters are confusable with these.
    const plain = ASCII_LETTER.test(target)
      ? target
      : HAS_SMALL_CAPITALS.test(letter)
        ? undefined
        : own.get(target);
    if (plain === undefined) continue;
    const latin = plain === 'l' && LOOKS_LIKE_CAPITAL.test(letter) ? 'I' : plain;
    found.set(latin, [...(found.get(latin) ?? []), letter]);
  }
  const ordered = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    version: headLine(text, 'Version'),
    date: headLine(text, 'Date'),
    lookalikes: new Map(
      ordered.map(([latin, letters]) => [
        latin,
        letters.toSorted((a, b) => a.codePointAt(0)! - b.codePointAt(0)!),
      ]),
    ),
  };
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The data file that detection reads, with letters as escapes. */
export function dataFileOf({ version, date, lookalikes }: Confusables): string {
  const data = {
    source: `Unicode Security Mechanisms (UTS #39), confusables.txt ${version} of ${date}, by \`npm run -w tuning generate:lookalikes\``,
    licence: ['Unicode-3.0', ...LICENCE],
    letters: Object.fromEntries([...lookalikes].map(([latin, letters]) => [latin, letters.join('')])),
  };
  return `${JSON.stringify(data, null, 2).replaceAll(/[\u0080-\uffff]/g, escaped)}\n`;
}

const LICENCE = [
  'Copyright © 1991-2025 Unicode, Inc.',
  '',
  'Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated',
  'documentation (the "Data Files") or software and any associated documentation (the "Software") to deal in the',
  'Data Files or Software without restriction, including without limitation the rights to use, copy, modify, merge,',
  'publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data',
  'Files or Software are furnished to do so, provided that either (a) this copyright and permission notice appear',
  'with all copies of the Data Files or Software, or (b) this copyright and permission notice appear in associated',
  'Documentation.',
  '',
  'THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT',
  'NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD',
  'PARTY RIGHTS.',
  '',
  'IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL',
  'INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER',
  'IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR',
  'PERFORMANCE OF THE DATA FILES OR SOFTWARE.',
  '',
  'Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise',
  'to promote the sale, use or other dealings in these Data Files or Software without prior written authorization of',
  'the copyright holder.',
];
