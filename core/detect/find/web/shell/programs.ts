import words from '../../lists/programs.json' with { type: 'json' };

/** Programs whose names are not English words: after a separator, they are commands. */
export const PROGRAMS: ReadonlySet<string> = new Set(words.names);
/** Programs whose names are also words: their arguments must look like arguments. */
export const WORD_PROGRAMS: ReadonlySet<string> = new Set(words.words);
/** Commands that take the next word as a command. */
export const PREFIXES: ReadonlySet<string> = new Set(words.prefixes);
/** Commands that are only sent to explore a machine. */
export const PROBES: ReadonlySet<string> = new Set(words.probes);
