/** Maximum code units of a text that are tagged at a time. */
export const PIECE = 4_096;
/** How far before the end of a piece a better cut is searched for. */
const LOOK_BACK = 1_024;
const SEPARATORS = ['\n\n', '\n', '. ', ' '];

/** End of the piece that starts at `from`: preferably between paragraphs, then lines, sentences or words. */
export function endOfPiece(text: string, from: number): number {
  const most = from + PIECE;
  if (most >= text.length) return text.length;
  const tail = text.slice(most - LOOK_BACK, most);
  for (const index of SEPARATORS) {
    const at = tail.lastIndexOf(index);
    if (at !== -1) return most - LOOK_BACK + at + index.length;
  }
  // Never between the halves of a surrogate pair.
  const last = text.charCodeAt(most - 1);
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
}
