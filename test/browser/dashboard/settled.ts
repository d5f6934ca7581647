/** Whether a page has its heading and the answers to all its requests. */
export const SETTLED = `document.querySelectorAll('main .loading, main [data-stale=true]').length === 0
  && ![...document.querySelectorAll('main [role=status]')].some(({ textContent }) => /^Loading/.test(textContent))
  && document.querySelector('main h1') !== null`;
