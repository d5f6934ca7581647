import words from '../../lists/east-asian.json' with { type: 'json' };

const surnames = words.surnames;

/**
 * Common surnames. Those of Japan have two or three characters here; few of one are no ordinary word as well.
 * Sources: `@faker-js/faker` (MIT) and what is generally known.
 */
export const JAPANESE_SURNAMES: ReadonlySet<string> = new Set(surnames.japanese);
export const SHORT_JAPANESE_SURNAMES: ReadonlySet<string> = new Set(surnames.shortJapanese);

export const CHINESE_SURNAMES: ReadonlySet<string> = new Set([...surnames.shortChinese, ...surnames.chinese]);
/** Characters that mean something else more often than a surname within a sentence. */
export const ORDINARY_CHARACTERS: ReadonlySet<string> = new Set(words.ordinaryCharacters);

export const KOREAN_SURNAMES: ReadonlySet<string> = new Set([...surnames.shortKorean, ...surnames.korean]);
