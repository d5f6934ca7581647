import { errorClasses } from './error-classes.ts';
import { EXCEPTIONS, type Exception } from './exceptions.ts';
import { oldWordsIn } from './old-words.ts';
import type { Source } from './sources.ts';
import { type Text, textsOf } from './texts.ts';

interface Refused extends Text {
  readonly oldWords: readonly string[];
}

const isException = ({ file, text }: Text): boolean =>
  EXCEPTIONS.some((one: Exception) => one.file.test(file) && (one.text === undefined || one.text.test(text)));

/** Texts with an old word, except the exceptions. */
export function refusedTexts(sources: readonly Source[]): Refused[] {
  const errors = errorClasses(sources);
  return sources
    .flatMap((source) => textsOf(source, errors))
    .map((text) => ({ ...text, oldWords: oldWordsIn(text.text) }))
    .filter((text) => text.oldWords.length > 0 && !isException(text));
}

/** Output for a failing test. */
export const describeRefused = ({ file, line, kind, text, oldWords }: Refused): string =>
  `${file}:${line} (${kind}) ${oldWords.join(', ')}: ${text}`;
