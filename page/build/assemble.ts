import { createHash } from 'node:crypto';

interface Parts {
  /** HTML with placeholders for the other parts: `{{name}}`, inside a comment in style and script. */
  readonly template: string;
  readonly style: string;
  readonly script: string;
  readonly licences: readonly string[];
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Allows only the page's own style and script, by their hashes: no network, no frame, no form, no markup from strings.
 */
const policyOf = ({ style, script }: Pick<Parts, 'style' | 'script'>): string =>
  [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Rejects text that a browser would read differently from how it was hashed, or as the end of the part. */
function demandPlain(what: string, text: string): void {
  if (/[\0\r]/.test(text)) throw new Error(`the ${what} holds a character that a browser replaces`);
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`the ${what} holds what would end it`);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The page as one file. */
export function assemblePage({ template, style, script, licences }: Parts): string {
  demandPlain('style', style);
  demandPlain('script', script);
  const parts: Readonly<Record<string, string>> = {
    policy: policyOf({ style, script }),
    style,
    script,
    licences: escaped(licences.join(`\n\n${'-'.repeat(72)}\n\n`)),
  };
  for (const name of Object.keys(parts))
    if (template.split(`{{${name}}}`).length !== 2)
      throw new Error(`the template needs exactly one {{${name}}}`);
  return template.replace(/(?:\/\*)?\{\{([a-z]{1,20})\}\}(?:\*\/)?/g, (_whole, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`the template has an unknown placeholder {{${name}}}`);
    return part;
  });
}
