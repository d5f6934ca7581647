/**
 * The part of a line around an offset, at most `before` and `after` code units. A value cannot contain line breaks
 * other than encoded ones.
 */
export function lineAround(
  text: string,
  at: number,
  before: number,
  after: number,
): { readonly from: number; readonly until: number } {
  const from = Math.max(0, at - before);
  const start = text.slice(from, at).lastIndexOf('\n');
  const end = text.slice(at + 1, at + after).indexOf('\n');
  return {
    from: from + start + 1,
    until: end === -1 ? Math.min(at + after, text.length) : at + 1 + end,
  };
}
