import { parseSync } from 'oxc-parser';
import type { RouteContract } from '#schemas/api/contract.ts';

interface Node {
  readonly type: string;
  readonly value: unknown;
}

/** Texts of a source: strings, the fixed parts of templates, and text between tags. */
function textsIn(file: string, source: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const { type, value: text } = value as Node;
    if ((type === 'Literal' || type === 'JSXText') && typeof text === 'string') found.push(text);
    if (type === 'TemplateElement') found.push((text as { readonly cooked: string }).cooked);
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(file, source).program);
  return found;
}

/** First segments of the contracts' paths. Paths below `/ui` belong to the dashboard's files and pages. */
export const segmentsOf = (contracts: readonly RouteContract[]): string[] =>
  [...new Set(contracts.map(({ path }) => path.split('/')[1]!))].filter((one) => !['', 'ui'].includes(one));

/** Hand-typed paths that begin with one of these segments: a whole text, or at least two segments within one. */
export function typedPaths(file: string, source: string, segments: readonly string[]): string[] {
  const first = segments.map((segment) => segment.replace('.', '\\.')).join('|');
  const pattern = new RegExp(`^/(?:${first})(?![\\w.-])[^\\s'"]*|(?<=[\\s('"])/(?:${first})/[^\\s'"]+`, 'g');
  return textsIn(file, source).flatMap((text) => text.match(pattern) ?? []);
}
