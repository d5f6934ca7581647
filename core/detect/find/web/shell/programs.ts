import words from '../../lists/programs.json' with { type: 'json' };

/** Programs whose names are no words of English: one of them behind a separator is a command. */
export const PROGRAMS: ReadonlySet<string> = new Set(words.names);
/** Programs that are also words: their arguments must look like arguments. */
export const WORD_PROGRAMS: ReadonlySet<string> = new Set(words.words);
/** Commands that take the next word as a command. */
export const PREFIXES: ReadonlySet<string> = new Set(words.prefixes);
/** What only somebody who explores a machine sends. */
export const PROBES: ReadonlySet<string> = new Set(words.probes);
