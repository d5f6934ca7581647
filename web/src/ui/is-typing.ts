/** Whether a key belongs to somebody who writes or chooses there, and not to the page. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, [role=menu]') !== null;
