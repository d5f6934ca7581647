/** A span where a value is expected, chosen entirely by the sender. */
interface Field {
  readonly start: number;
  readonly end: number;
}

const IN_JSON = /[:,[{]\s{0,2}"/g;
const IN_QUERY = /[?&][\w.[\]-]{1,32}=/g;
const LABEL = /^[^'"\n]{0,80}?:\s/;
const JSON_END = /"\s{0,2}(?:[,}\]]|$)/g;
const QUERY_END = /&\w{1,24}=|\sHTTP\/|["\s]?$/g;

function lastMatch(pattern: RegExp, text: string): number {
  let end = -1;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

function endOf(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from;
  const match = pattern.exec(line);
  return match === null ? line.length : match.index;
}

/**
 * The fields around an offset: the string of a JSON value or table cell, the value of a parameter, the text after a
 * label on a line. `isWhole`: the span is the whole text, which then is a field as well.
 */
export function fieldsAround(plain: string, at: number, isWhole: boolean): readonly Field[] {
  const lineStart = plain.lastIndexOf('\n', at - 1) + 1;
  const lineBreak = plain.indexOf('\n', at);
  const line = plain.slice(lineStart, lineBreak === -1 ? plain.length : lineBreak);
  const before = line.slice(0, at - lineStart);
  const fields: Field[] = [];
  const add = (from: number, until: number): void => {
    if (from < 0 || until <= from || until <= at - lineStart) return;
    fields.push({ start: lineStart + from, end: lineStart + until });
  };
  const inJson = lastMatch(IN_JSON, before);
  if (inJson !== -1) add(inJson, endOf(JSON_END, line, before.length));
  const inQuery = lastMatch(IN_QUERY, before);
  if (inQuery !== -1) add(inQuery, endOf(QUERY_END, line, before.length));
  const label = LABEL.exec(before);
  if (label !== null) add(label[0].length, line.length);
  if (isWhole) fields.push({ start: 0, end: plain.length });
  return fields;
}
