const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof HTMLElement && target.closest(selector) !== null;

const WRITES = 'input, select, textarea, [role=menu]';

/** Whether a key belongs to somebody who writes or chooses there, and not to the page. */
export const isTyping = (target: EventTarget | null): boolean => isWithin(target, WRITES);

/** The same of a letter, which also chooses on the button of a closed list. */
export const takesLetters = (target: EventTarget | null): boolean => isWithin(target, `${WRITES}, button, a`);
