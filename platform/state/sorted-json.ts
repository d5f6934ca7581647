import { compareKeys } from './document-names.ts';

/** JSON with sorted keys, so that equal values have the same text. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part as object).sort(([left], [right]) => compareKeys(left, right)))
      : part,
  );
