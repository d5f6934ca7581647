import words from '../../lists/east-asian.json' with { type: 'json' };
/** Titles written directly after a name. */
export const TITLES: ReadonlySet<string> = new Set(words.titles);

/** A single character before these is usually part of a word: 神様, 彼氏. */
export const TITLES_OF_ONE: ReadonlySet<string> = new Set(words.titlesOfOne);

/** Labels of name fields. */
export const LABELS: ReadonlySet<string> = new Set(words.labels);
export const LONGEST_LABEL = 5;

export const POLITE_TITLES: ReadonlySet<string> = new Set(words.politeTitles);

/** Introductions such as "my name is". */
export const INTRODUCTIONS: ReadonlySet<string> = new Set(words.introductions);

/** Text that may follow a name in a Chinese sentence without a mark. */
export const AFTER_INTRODUCED: ReadonlySet<string> = new Set(words.afterIntroduced);

/** The last character of many Japanese given names, and of few other words. */
export const LAST_OF_GIVEN: ReadonlySet<string> = new Set(words.lastOfGiven);

/** Titles after a Korean name, with or without a blank. */
export const KOREAN_TITLES: ReadonlySet<string> = new Set(words.koreanTitles);
/** Word endings and particles. */
export const KOREAN_ENDINGS: ReadonlySet<string> = new Set(words.koreanEndings);
export const LONGEST_KOREAN = 4;
