import type { Source } from './sources.ts';
import { lineCounter, type Node, nameOf, parse, textOf, walk } from './syntax.ts';
import { isLogCall } from './texts.ts';

export interface LogMessage {
  /** Where the phrase stands: at the call, or where its constant is declared. */
  readonly place: string;
  readonly level: string;
  /** null: not a fixed phrase. */
  readonly message: string | null;
}

type Constants = ReadonlyMap<string, { readonly place: string; readonly text: string }>;

/** Every message that the sources log, with its level. */
export function logMessages(sources: readonly Source[]): LogMessage[] {
  const constants = stringConstants(sources);
  return sources
    .filter(({ file, text }) => file.endsWith('.ts') && text.includes('logger'))
    .flatMap((source) => messagesOf(source, constants));
}

function messagesOf({ file, text }: Source, constants: Constants): LogMessage[] {
  const found: LogMessage[] = [];
  const lineOf = lineCounter(text);
  walk(parse(file, text).program, (node) => {
    if (!isLogCall(node)) return;
    const { computed, property } = node.callee as Node;
    const levels = computed === true ? branchesOf(property as Node).map(textOf) : [nameOf(property)];
    const message = (node.arguments as Node[]).at(-1);
    for (const branch of message === undefined ? [] : branchesOf(message)) {
      const place = `${file}:${lineOf(branch.start)}`;
      const phrase =
        branch.type === 'Identifier' ? constants.get(nameOf(branch)) : { place, text: fixedText(branch) };
      const shown = { place: phrase?.place ?? place, message: phrase?.text ?? null };
      for (const level of levels) found.push({ ...shown, level: level ?? '' });
    }
  });
  return found;
}

const fixedText = (node: Node): string | null => (node.type === 'Literal' ? textOf(node) : null);

const branchesOf = (node: Node): Node[] =>
  node.type === 'ConditionalExpression' ? [node.consequent as Node, node.alternate as Node] : [node];

const DECLARATION = /^(?:export )?const ([A-Z][A-Z_]*) = '([^'\n]*)';$/gm;

function stringConstants(sources: readonly Source[]): Constants {
  const constants = new Map<string, { place: string; text: string }>();
  for (const { file, text } of sources)
    for (const { 1: name, 2: value } of text.matchAll(DECLARATION))
      constants.set(name!, { place: `${file} ${name}`, text: value! });
  return constants;
}
