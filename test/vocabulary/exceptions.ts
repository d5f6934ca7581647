/** Texts that the vocabulary does not judge. */
export interface Exception {
  readonly file: RegExp;
  /** Every text of the files, if omitted. */
  readonly text?: RegExp;
  readonly reason: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  { file: /^core\/detect\/(find|read|judge)\//, reason: 'words and patterns that detection searches for' },
  { file: /^(platform\/warehouse\/queries|schemas\/tables)\//, reason: 'SQL' },
  { file: /^platform\/state\/redis\//, text: /\bredis\.call\(|\blocal \w+/, reason: 'Lua, which Redis runs' },
  { file: /^services\/analyzer\/judge\/prompt\.ts$/, reason: 'a prompt, which only a model reads' },
];
