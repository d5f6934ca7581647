import type { Source } from './sources.ts';
import { lineCounter, type Node, nameOf, parse, textOf, walk } from './syntax.ts';
import { isLogCall } from './texts.ts';

export interface LogMessage {
  /** Location of the phrase: the call, or the declaration of its constant. */
  readonly location: string;
  readonly level: string;
  /** Null if it is not a fixed phrase. */
  readonly message: string | null;
}

type Constants = ReadonlyMap<string, { readonly location: string; readonly text: string }>;

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
      const location = `${file}:${lineOf(branch.start)}`;
      const phrase =
        branch.type === 'Identifier' ? constants.get(nameOf(branch)) : { location, text: fixedText(branch) };
      const shown = { location: phrase?.location ?? location, message: phrase?.text ?? null };
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
  const constants = new Map<string, { location: string; text: string }>();
  for (const { file, text } of sources)
    for (const { 1: name, 2: value } of text.matchAll(DECLARATION))
      constants.set(name!, { location: `${file} ${name}`, text: value! });
  return constants;
}
