import { isAsciiAlphanumeric, isAsciiLetter, isSpace, skipBackWhile, skipWhile } from '../characters.ts';
import { BACKSLASH, letterEscape, runEnd } from './backslash.ts';

/** Marks that end a path, or another word with backslashes. */
const ENDS = new Set([...'"\'`<>|,;=()'].map((mark) => mark.charCodeAt(0)));
const isInWord = (unit: number): boolean => !isSpace(unit) && !ENDS.has(unit);

/** The start of a path before its first backslash, except a drive. */
const RELATIVE = /^(?:\.{1,2}|~|%\w{1,32}%|\$env:\w{1,32}|HK\w{1,30})$/i;
const MAX_START = 40;
/** "Q:\n" and "A:\n" start a question and its answer. */
const NO_DRIVES = 'aq';
const MAX_COMMAND = 24;
/** Maximum length of an escape sequence that the end of a truncated text cuts off. */
const CUT = 6;

/** `C:` before a backslash, possibly right after an escaped line feed. */
function isDrive(text: string, at: number): boolean {
  if (text[at - 1] !== ':' || !isAsciiLetter(text.charCodeAt(at - 2))) return false;
  if (NO_DRIVES.includes(text[at - 2]!.toLowerCase())) return false;
  if (!isAsciiAlphanumeric(text.charCodeAt(at - 3))) return true;
  return text.charCodeAt(at - 4) === BACKSLASH && 'nrt'.includes(text[at - 3]!);
}

/** `\textbf{`: a TeX command. */
function isCommand(text: string, from: number): boolean {
  const end = skipWhile(text, from, from + MAX_COMMAND, isAsciiLetter);
  return end > from + 1 && text[end] === '{';
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the text is JSON, or every line is. */
function isJson(text: string): boolean {
  if (!/^[\s\ufeff]{0,16}["[{]/.test(text)) return false;
  if (parses(text)) return true;
  return text.includes('\n') && text.split('\n').every((line) => line.trim() === '' || parses(line));
}

/**
 * Distinguishes escape sequences from paths (`C:\new\table`), patterns (`\d+\n`) and TeX commands (`\textbf{`) by the
 * word around them. Linear: each word is read once.
 */
export class PathGuard {
  readonly #text: string;
  #json: boolean | null = null;
  #end = -1;
  /** Bit n is set if runs of n backslashes separate parts of a path in the current word. */
  #separators = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether the letter after the backslashes from `at` to `end` is an escape sequence. */
  isEscape(at: number, end: number): boolean {
    if (at >= this.#end) this.#readWord(at);
    const run = end - at;
    const isSuspect = (this.#separators & (1 << run)) !== 0 || isCommand(this.#text, end);
    // Valid JSON has no backslashes outside escape sequences.
    return !isSuspect || (run === 1 && this.#isJson());
  }

  #isJson(): boolean {
    this.#json ??= isJson(this.#text);
    return this.#json;
  }

  #readWord(inside: number): void {
    const text = this.#text;
    const start = skipBackWhile(text, inside, Math.max(0, this.#end), isInWord);
    this.#end = skipWhile(text, inside, text.length, isInWord);
    this.#separators = 0;
    let shared = 0;
    for (let at = text.indexOf('\\', start); at !== -1 && at < this.#end; ) {
      const after = runEnd(text, at);
      const run = after - at;
      const bit = run < 31 ? 1 << run : 0;
      const isLetter = after < this.#end && isAsciiAlphanumeric(text.charCodeAt(after));
      if (isLetter && at === start && run % 2 === 0) shared = run / 2;
      // "\\server\share"
      if (isLetter && shared === run) this.#separators |= bit | (1 << (2 * run));
      const isCut = after + CUT >= text.length && 'uUx'.includes(text[after] ?? ' ');
      const isOther = isLetter && !isCut && letterEscape(text, after) === null;
      if (isDrive(text, at) || isOther) this.#separators |= bit;
      if (at > start && at - start < MAX_START && RELATIVE.test(text.slice(start, at)))
        this.#separators |= bit;
      at = text.indexOf('\\', after);
    }
  }
}
