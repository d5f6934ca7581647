import { parseSync } from '@swc/core';

/** Stands for a pattern assembled at run time. */
export const MADE = 'new RegExp';

/** The patterns of a source as written; a pattern assembled at run time counts as `MADE`. */
export function patternsIn(text: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, pattern, callee } = node as {
      type?: string;
      pattern?: string;
      callee?: { value?: string };
    };
    if (type === 'RegExpLiteral') found.push(pattern!);
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.value === 'RegExp')
      found.push(MADE);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(text, { syntax: 'typescript', target: 'es2022' }));
  return found;
}

/** An atom with its quantifier: a class, an escape or any other character. Groups are separate atoms. */
const PIECE = /(\[\^?(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\.|.)([*+]|\{\d+,\})?/gsu;

/**
 * Whether the engine's time is linear in the text, by a simple, conservative rule: nothing repeats without a bound, or
 * only a single character or class does, and the pattern is anchored at the start of the text or ends with that
 * repetition.
 */
export function isBounded(source: string): boolean {
  if (source === MADE) return false;
  const pieces = [...source.matchAll(PIECE)];
  const endless = pieces.filter(([, , quantifier]) => quantifier !== undefined);
  if (endless.length === 0) return true;
  const [only] = endless;
  if (endless.length > 1 || only === undefined || only[1] === ')') return false;
  // An alternative may start elsewhere, and a group around the repetition may repeat it.
  if (pieces.some(([, atom]) => atom === '|')) return false;
  const isGrouped = /\)(?:[*+?]|\{\d)/.test(source);
  if (source.startsWith('^') && !isGrouped) return true;
  return pieces.length === 1;
}
