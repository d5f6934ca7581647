import { isAsciiLetter, isSpace, isWordUnit } from '../../../read/characters.ts';

/** The sign before a command. */
type Before = '' | ';' | '|' | '&' | '\n' | '$(' | '`' | '(' | '{';

/** One command of a shell line, as words without the parts that a shell removes. */
export interface ShellCommand {
  readonly before: Before;
  readonly words: readonly string[];
  /** Targets of redirections. */
  readonly redirected: readonly string[];
  /** Whether parts that a shell removes occurred inside a word: `c''at`, `c\at`, `w$@hoami`, `cat$IFS/etc`. */
  readonly isDisguised: boolean;
  /** Whether the first word comes from a variable. */
  readonly isVariable: boolean;
  /** Whether an opening parenthesis directly follows the first word: a call in another language. */
  readonly isCall: boolean;
}

const IFS = /\$(?:IFS(?:\$\d)?|\{IFS[^}\n]{0,16}\}(?:\$\d)?)/iy;
const VARIABLE = /\$(?:[@*?#!$\d-]|[A-Za-z_]\w{0,40}|\{[^}\n]{0,60}\})/y;
const EMPTY = /(?:\$\(\)|``|''|"")/y;
const MAX_COMMANDS = 2_000;

/** Reads a text once, from left to right, like a shell, but ignoring whether quotes are open. */
class CommandReader {
  readonly #text: string;
  readonly commands: ShellCommand[] = [];
  #before: Before = '';
  #words: string[] = [];
  #redirected: string[] = [];
  #word = '';
  #isTarget = false;
  /** Whether the word contains a path separator. */
  #isPath = false;
  #isDisguised = false;
  #isVariable = false;
  #isCall = false;
  #inBraces = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): void {
    for (let at = 0; at < this.#text.length && this.commands.length < MAX_COMMANDS; ) at = this.#step(at);
    this.#endCommand('');
  }

  #step(at: number): number {
    const sign = this.#text[at]!;
    const unit = sign.charCodeAt(0);
    if (isWordUnit(unit)) {
      this.#word += sign;
      return at + 1;
    }
    if (sign === '\n' || sign === ';') return this.#separate(at, sign);
    if (isSpace(unit)) {
      this.#endWord();
      return at + 1;
    }
    if (sign === '|' || sign === '&') return this.#separate(at, sign);
    if (sign === '$') return this.#dollar(at);
    if (sign === '`') return this.#isAt(EMPTY, at) ? this.#skip(at, 2) : this.#separate(at, '`');
    if (sign === "'" || sign === '"') return this.#quote(at);
    if (sign === '\\' || sign === '^') return this.#escape(at, sign);
    if (sign === '<' || sign === '>') return this.#redirect(at);
    if (sign === '(' || sign === ')') return this.#bracket(at, sign);
    if (sign === '{' || sign === '}' || (sign === ',' && this.#inBraces)) return this.#brace(at, sign);
    this.#isPath ||= ':/.~'.includes(sign);
    this.#word += sign;
    return at + 1;
  }

  #isAt(pattern: RegExp, at: number): boolean {
    pattern.lastIndex = at;
    return pattern.test(this.#text);
  }

  #isInsideWord(at: number): boolean {
    return this.#word !== '' && isAsciiLetter(this.#text.charCodeAt(at));
  }

  /** Only the program's name counts: "find user's files". */
  #disguise(): void {
    if (this.#words.length === 0) this.#isDisguised = true;
  }

  #skip(at: number, length: number): number {
    if (this.#isInsideWord(at + length)) this.#disguise();
    return at + length;
  }

  #separate(at: number, sign: ';' | '|' | '&' | '\n' | '`'): number {
    this.#endCommand(sign);
    const isTwice = (sign === '|' || sign === '&') && this.#text[at + 1] === sign;
    return at + (isTwice ? 2 : 1);
  }

  #dollar(at: number): number {
    if (this.#isAt(EMPTY, at)) return this.#skip(at, 3);
    if (this.#text[at + 1] === '(') {
      this.#endCommand('$(');
      return at + 2;
    }
    if (this.#isAt(IFS, at)) {
      this.#isDisguised = true;
      this.#endWord();
      return IFS.lastIndex;
    }
    if (!this.#isAt(VARIABLE, at)) return at + 1;
    const end = VARIABLE.lastIndex;
    if (this.#word === '' && this.#words.length === 0 && !isWordUnit(this.#text.charCodeAt(end)))
      this.#isVariable = true;
    else if (this.#word !== '' && this.#word.length <= 40 && /^[a-z/.-]{1,40}$/i.test(this.#word))
      this.#disguise();
    return end;
  }

  #quote(at: number): number {
    const isEmpty = this.#isAt(EMPTY, at);
    return this.#skip(at, isEmpty ? 2 : 1);
  }

  /** A backslash or, on Windows, a caret before a letter; kept in Windows paths. */
  #escape(at: number, sign: string): number {
    const isPath = sign === '\\' && (this.#isPath || this.#text[at + 1] === '\\');
    if (isPath) {
      this.#isPath = true;
      this.#word += sign;
      return at + 1;
    }
    if (isAsciiLetter(this.#text.charCodeAt(at + 1))) this.#disguise();
    return at + 1;
  }

  #redirect(at: number): number {
    this.#endWord();
    this.#isTarget = true;
    let end = at + 1;
    while ('<>&'.includes(this.#text[end] ?? ' ')) end++;
    return end;
  }

  #bracket(at: number, sign: string): number {
    if (sign === '(' && this.#word !== '' && this.#words.length === 0) this.#isCall = true;
    if (sign === '(' && this.#word === '' && this.#words.length === 0) this.#endCommand('(');
    else this.#endWord();
    return at + 1;
  }

  /** `{cat,/etc/passwd}`: a command without blanks. */
  #brace(at: number, sign: string): number {
    if (sign === '{' && this.#word === '') {
      this.#endCommand('{');
      this.#inBraces = true;
      return at + 1;
    }
    if (sign === '}') this.#inBraces = false;
    if (sign === ',') this.#isDisguised = true;
    this.#endWord();
    return at + 1;
  }

  #endWord(): void {
    if (this.#word === '') return;
    if (this.#isTarget) this.#redirected.push(this.#word);
    else this.#words.push(this.#word);
    this.#word = '';
    this.#isTarget = this.#isPath = false;
  }

  #endCommand(next: Before): void {
    this.#endWord();
    const isEmpty = this.#words.length === 0 && this.#redirected.length === 0 && !this.#isVariable;
    if (!isEmpty)
      this.commands.push({
        before: this.#before,
        words: this.#words,
        redirected: this.#redirected,
        isDisguised: this.#isDisguised,
        isVariable: this.#isVariable,
        isCall: this.#isCall,
      });
    this.#before = next;
    this.#words = [];
    this.#redirected = [];
    this.#isTarget = this.#isDisguised = this.#isVariable = this.#isCall = false;
  }
}

/** The commands of a value, in order. */
export function shellCommandsOf(value: string): readonly ShellCommand[] {
  const reader = new CommandReader(value);
  reader.read();
  return reader.commands;
}
