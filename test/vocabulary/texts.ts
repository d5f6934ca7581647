import type { Source } from './sources.ts';
import { childrenOf, lineCounter, type Node, nameOf, parse, textOf } from './syntax.ts';

/** Where people read a text. `other`: sentences of the service that reach responses, reports or records. */
export type Kind = 'dashboard' | 'cli' | 'error' | 'log' | 'openapi' | 'setting' | 'metric' | 'other';

export interface Text {
  readonly file: string;
  readonly line: number;
  readonly kind: Kind;
  readonly text: string;
}

/** Attributes that are not read by people. */
const UNREAD_ATTRIBUTES =
  /^(className|class|id|href|to|type|name|role|rel|target|key|style|htmlFor|method|viewBox|d|fill|points|transform|autoComplete|inputMode|lang|data-.*|aria-(controls|labelledby|describedby|owns|live|current|haspopup))$/;

/** Types and module names. */
const UNREAD_NODES =
  /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|^Import(?!Expression)|^Export(All|Specifier)/;

export const LOG_LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** A call of a logger: `logger.warn(...)`, `options.logger?.info(...)`, `logger[level](...)`. */
export function isLogCall(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  const callee = node.callee as Node;
  if (callee.type !== 'MemberExpression' || !/^#?logger$/.test(nameOf(callee.object))) return false;
  return callee.computed === true || LOG_LEVELS.includes(nameOf(callee.property));
}

/** A capitalised word, or several words: a single lower-case word is a code, a name or a key. */
const isRead = (text: string): boolean =>
  /\p{L}\S*\s+\S*\p{L}/u.test(text) || /^[A-Z][a-z’']+[.:!?…]?$/.test(text.trim());

/** Every text of a source that people may read. */
export function textsOf(source: Source, errors: ReadonlySet<string>): Text[] {
  if (source.file.endsWith('.html')) return htmlTexts(source);
  const found: Text[] = [];
  const lineOf = lineCounter(source.text);
  const add = (node: Node, kind: Kind, text: string): void => {
    const words = text.replace(/\s+/g, ' ').trim();
    if (words !== '') found.push({ file: source.file, line: lineOf(node.start), kind, text: words });
  };
  const visit = (node: Node, kind: Kind): void => {
    if (UNREAD_NODES.test(node.type)) return;
    if (node.type === 'JSXText') {
      if (/\p{L}/u.test(String(node.value))) add(node, kind, String(node.value));
      return;
    }
    if (node.type === 'JSXAttribute' && UNREAD_ATTRIBUTES.test(nameOf(node.name))) return;
    const text = textOf(node);
    if (text !== null && (isRead(text) || (kind === 'log' && node.type === 'Literal'))) add(node, kind, text);
    const inner = kindWithin(node, kind, source.file, errors);
    for (const child of childrenOf(node)) {
      // The literal parts of a sum or template were read with it, but its expressions were not.
      if (text !== null && (child.type === 'TemplateElement' || textOf(child) !== null)) continue;
      visit(child, inner);
    }
  };
  visit(parse(source.file, source.text).program, kindOfFile(source.file));
  return found;
}

function kindOfFile(file: string): Kind {
  if (/^(web|page\/(browser|template))\//.test(file)) return 'dashboard';
  if (file.startsWith('cli/')) return 'cli';
  return file === 'schemas/errors.ts' ? 'error' : 'other';
}

function kindWithin(node: Node, kind: Kind, file: string, errors: ReadonlySet<string>): Kind {
  if (kind === 'dashboard') return kind;
  if (isLogCall(node)) return 'log';
  if (node.type === 'ThrowStatement') return 'error';
  if (node.type === 'NewExpression' && isErrorName(nameOf(node.callee), errors)) return 'error';
  if (node.type === 'CallExpression' && (node.callee as Node).type === 'Super') return 'error';
  if (node.type !== 'Property') return kind;
  const key = nameOf(node.key);
  if (key === 'help') return 'metric';
  if (file.startsWith('platform/config/') && key === 'description') return 'setting';
  if (!file.startsWith('schemas/')) return kind;
  if (key === 'summary' || key === 'description') return 'openapi';
  return key === 'error' || key === 'message' ? 'error' : kind;
}

const isErrorName = (name: string, errors: ReadonlySet<string>): boolean =>
  /(Error|Refusal)$/.test(name) || errors.has(name);

/** Texts between tags, and user-facing attributes. */
function htmlTexts({ file, text }: Source): Text[] {
  const lineOf = lineCounter(text);
  const spans = text.matchAll(
    /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1>|(?:title|alt|placeholder|aria-label)="([^"]*)"|>([^<>]+)(?=<)/g,
  );
  return [...spans].flatMap(({ index, 2: attribute, 3: between }) => {
    const words = (attribute ?? between ?? '').replace(/\s+/g, ' ').trim();
    return /\p{L}/u.test(words)
      ? [{ file, line: lineOf(index), kind: 'dashboard' as const, text: words }]
      : [];
  });
}
