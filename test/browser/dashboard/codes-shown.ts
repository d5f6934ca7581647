import type { Page } from 'playwright-core';
import { CHECKS } from '#core/evidence/frameworks/checks.ts';
import { openApi } from '#schemas/api/openapi/openapi.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import { ERRORS } from '#schemas/errors.ts';

/** `PROMPT_INJECTION`, `userInput`: forms that no English word has. */
const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$|^[a-z]+(?:[A-Z][a-z0-9]*)+$/;
const WORD = /[A-Za-z][A-Za-z0-9_]*/g;
/** Codes that are also common words. */
const WORDS = ['GDPR', 'HIPAA', 'CCPA', 'EU', 'DPO', 'CSAM', 'XSS', 'CSRF', 'SSRF', 'IBAN'];

function enumValues(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = 'enum' in json && Array.isArray(json.enum) ? json.enum : [];
  return [...own.filter((one) => typeof one === 'string'), ...Object.values(json).flatMap(enumValues)];
}

/** Every API code that has a different label. */
export function hiddenCodes(): string[] {
  const served = enumValues(openApi(ROUTES, { keyHeader: 'x-service-key' }));
  const codes = new Set([...served, ...Object.keys(CHECKS), ...Object.keys(ERRORS)]);
  return [...codes].filter((code) => CODE.test(code) && !WORDS.includes(code));
}

/**
 * Codes in what a page shows or a screen reader reads: texts, options, titles, names and hints of elements, and the
 * page title. Ids, commands and documents are excluded: they are in `code`, `pre` or an element with `data-verbatim`.
 */
export const codesShown = (page: Page, codes: readonly string[]): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const codes = new Set(${JSON.stringify(codes)});
    const verbatim = 'code, pre, script, style, [data-verbatim]';
    const texts = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (walker.currentNode.parentElement.closest(verbatim) === null) texts.push(walker.currentNode.data);
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'placeholder', 'alt', 'label'])
        if (element.hasAttribute(name)) texts.push(element.getAttribute(name));
    return [...new Set(texts.flatMap((text) => text.match(${WORD}) ?? []).filter((word) => codes.has(word)))].sort();
  })()`);
