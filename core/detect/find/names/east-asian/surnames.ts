import words from '../../lists/east-asian.json' with { type: 'json' };

const surnames = words.surnames;

/**
 * Common surnames. Japanese ones have two or three characters here, because most one-character surnames are also
 * ordinary words. Sources: `@faker-js/faker` (MIT) and general knowledge.
 */
export const JAPANESE_SURNAMES: ReadonlySet<string> = new Set(surnames.japanese);
export const SHORT_JAPANESE_SURNAMES: ReadonlySet<string> = new Set(surnames.shortJapanese);

export const CHINESE_SURNAMES: ReadonlySet<string> = new Set([...surnames.shortChinese, ...surnames.chinese]);
/** Characters that within a sentence are more often words than surnames. */
export const ORDINARY_CHARACTERS: ReadonlySet<string> = new Set(words.ordinaryCharacters);

export const KOREAN_SURNAMES: ReadonlySet<string> = new Set([...surnames.shortKorean, ...surnames.korean]);
