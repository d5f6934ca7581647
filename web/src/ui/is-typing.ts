const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof HTMLElement && target.closest(selector) !== null;

const WRITES = 'input, select, textarea, [role=menu]';

/** Whether a key belongs to a control in which the user types or chooses, and not to the page. */
export const isTyping = (target: EventTarget | null): boolean => isWithin(target, WRITES);

/** The same for letters, which also choose on the button of a closed list. */
export const takesLetters = (target: EventTarget | null): boolean => isWithin(target, `${WRITES}, button, a`);
