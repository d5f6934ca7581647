/** Parses CSV according to RFC 4180, to check the writer. Throws if a record is not well-formed. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? quotedCell(text, at) : bareCell(text, at);
    record.push(cell);
    if (end >= text.length) throw new Error('the last record has no line break');
    if (text[end] === '\n') {
      records.push(record);
      record = [];
    } else if (text[end] !== ',') throw new Error('text follows a quoted cell');
    at = end + 1;
  }
  if (record.length > 0) throw new Error('the last record has no line break');
  return records;
}

/** The cell's text, and the offset of its end. */
function quotedCell(text: string, begin: number): [string, number] {
  let cell = '';
  for (let at = begin + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new Error('a quoted cell has no end');
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return [cell, quote + 1];
    cell += '"';
    at = quote + 2;
  }
}

function bareCell(text: string, begin: number): [string, number] {
  const ends = [text.indexOf(',', begin), text.indexOf('\n', begin)].filter((end) => end >= 0);
  const end = Math.min(...ends, text.length);
  const cell = text.slice(begin, end);
  if (cell.includes('"')) throw new Error('a quote stands in a bare cell');
  return [cell, end];
}
