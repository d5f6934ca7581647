import words from '../../lists/east-asian.json' with { type: 'json' };
/** Written directly after a name. */
export const TITLES: ReadonlySet<string> = new Set(words.titles);

/** Before these, one character is more often part of a word: 神様, 彼氏. */
export const TITLES_OF_ONE: ReadonlySet<string> = new Set(words.titlesOfOne);

/** Labels of a field with a name. */
export const LABELS: ReadonlySet<string> = new Set(words.labels);
export const LONGEST_LABEL = 5;

export const POLITE_TITLES: ReadonlySet<string> = new Set(words.politeTitles);

/** "My name is" and the like. */
export const INTRODUCTIONS: ReadonlySet<string> = new Set(words.introductions);

/** What may follow a name in a Chinese sentence without a mark. */
export const AFTER_INTRODUCED: ReadonlySet<string> = new Set(words.behindIntroduced);

/** The last character of many Japanese given names, and of few other words. */
export const LAST_OF_GIVEN: ReadonlySet<string> = new Set(words.lastOfGiven);

/** After a Korean name, with or without a blank. */
export const KOREAN_TITLES: ReadonlySet<string> = new Set(words.koreanTitles);
/** Endings of words and particles. */
export const KOREAN_ENDINGS: ReadonlySet<string> = new Set(words.koreanEndings);
export const LONGEST_KOREAN = 4;
