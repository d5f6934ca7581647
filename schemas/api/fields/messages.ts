import { z } from 'zod';

/**
 * Texts as applications store them: a string, or the messages of a chat with a model. Messages are rendered as one
 * text, so that every part that a model read or wrote is analysed. Unknown shapes are written as JSON, never dropped.
 */

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An item of a message list: a text, a message, or a part of one. */
const isRendered = (item: unknown): boolean =>
  (typeof item === 'string' && item !== '') ||
  (isObject(item) &&
    (typeof item.role === 'string' ||
      typeof item.type === 'string' ||
      typeof item.text === 'string' ||
      Array.isArray(item.parts)));

/** The text of messages; any other value is returned unchanged. */
export function textOf(sent: unknown): unknown {
  if (typeof sent === 'string') return sent;
  const items = Array.isArray(sent) ? sent : [sent];
  if (!items.every(isRendered)) return sent;
  const text = items.map(renderItem).join('\n\n');
  return text === '' && items.length > 0 ? JSON.stringify(sent) : text;
}

const joined = (lines: readonly string[]): string => lines.filter((line) => line !== '').join('\n');

function renderItem(item: unknown): string {
  return isObject(item) && (typeof item.role === 'string' || Array.isArray(item.parts))
    ? renderMessage(item)
    : renderPart(item);
}

/** Fields of a message that its heading shows, that repeat others, or that contain no text. */
const NOT_SHOWN = new Set([
  'role',
  'name',
  'content',
  'parts',
  'tool_calls',
  'tool_call_id',
  'type',
  'id',
  'status',
]);

function renderMessage(message: Json): string {
  const { role, name, content, parts, tool_calls: calls } = message;
  const heading = [role, name].filter((word) => typeof word === 'string' && word !== '').join(' ');
  const others = Object.entries(message).filter(([key, value]) => !NOT_SHOWN.has(key) && value !== null);
  return joined([
    heading === '' ? '' : `[${heading}]`,
    renderContent(content),
    renderContent(parts),
    renderContent(calls),
    // A refusal, reasoning, audio, or a call in an older format.
    ...others.map(([key, value]) =>
      typeof value === 'string' ? value : renderPart({ type: key, [key]: value }),
    ),
  ]);
}

function renderContent(content: unknown): string {
  if (content === undefined || content === null) return '';
  return joined((Array.isArray(content) ? content : [content]).map(renderPart));
}

function renderPart(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isObject(part)) return JSON.stringify(part) ?? '';
  return callText(part) ?? resultText(part) ?? plainText(part) ?? mediaText(part) ?? JSON.stringify(part);
}

/** The object that the part wraps under one of these names, or the part itself. */
const unwrapped = (part: Json, names: readonly string[]): Json =>
  names.map((name) => part[name]).find(isObject) ?? part;

/** The first of these fields that is present. */
const firstOf = (part: Json, names: readonly string[]): unknown =>
  names.map((name) => part[name]).find((value) => value !== undefined && value !== null);

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function callText(part: Json): string | null {
  const call = unwrapped(part, ['function', 'functionCall', 'function_call', 'toolUse']);
  const name = firstOf(call, ['name', 'toolName']);
  const input = firstOf(call, ['arguments', 'input', 'args']);
  if (typeof name !== 'string' || (input === undefined && call === part)) return null;
  return `[tool call: ${name}]${input === undefined ? '' : ` ${asText(input)}`}`;
}

const RESULT_TYPE = /(?:result|output|response)$/i;

function resultText(part: Json): string | null {
  const result = unwrapped(part, ['toolResult', 'functionResponse', 'function_response']);
  if (result === part && !(typeof part.type === 'string' && RESULT_TYPE.test(part.type))) return null;
  const name = firstOf(result, ['name', 'toolName']);
  const content = firstOf(result, ['content', 'output', 'result', 'response']);
  if (content === undefined) return null;
  return joined([`[tool result${typeof name === 'string' ? `: ${name}` : ''}]`, renderContent(content)]);
}

/** Text of a text, thinking or refusal part: its field is named like the part's type, or `text`. */
function plainText(part: Json): string | null {
  const text = firstOf(part, ['text', 'thinking', 'reasoning', 'refusal', 'summary']);
  if (typeof text === 'string') return text;
  return Array.isArray(text) ? renderContent(text) : null;
}

const MEDIA = /image|audio|video|file|document|media|inline_?data/i;
/** Fields that say how media are encoded, which the reference says too, or how to read them. */
const NO_TEXT = new Set(['type', 'media_type', 'mediaType', 'mime_type', 'mimeType', 'format', 'detail']);

function mediaText(part: Json): string | null {
  const { type } = part;
  const kind = typeof type === 'string' ? type : Object.keys(part).find((name) => MEDIA.test(name));
  if (kind === undefined || !MEDIA.test(kind)) return null;
  const texts = textsIn(part);
  return texts.length === 1 && texts[0]!.startsWith('[') ? texts[0]! : `[${kind}: ${texts.join(' ')}]`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => (NO_TEXT.has(name) ? [] : textsIn(child)));
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list of something else';
  return typeof value === 'object' ? 'another object' : `a ${typeof value}`;
};

const EXPECTED = 'Expected a string, or a list of messages {role, content}';

/** The caller reports missing fields. */
const error = ({ input }: { readonly input?: unknown }): string | undefined =>
  input === undefined ? undefined : `${EXPECTED}; ${kindOf(input)} was sent`;

const MESSAGE = {
  type: 'object',
  anyOf: [
    { properties: { role: { type: 'string' } }, required: ['role'] },
    { properties: { type: { type: 'string' } }, required: ['type'] },
    { properties: { text: { type: 'string' } }, required: ['text'] },
    { properties: { parts: { type: 'array' } }, required: ['parts'] },
  ],
};
const LIST = { type: 'array', items: { anyOf: [{ type: 'string', minLength: 1 }, MESSAGE] } };

const RENDERED =
  'a text, or the messages as they were sent to the model: `{role, content}` with a text or parts, tool calls and their results. They are rendered as one text: each role in brackets, then its content';

/** The text sent to a model. */
export const promptText = z
  .preprocess(textOf, z.string({ error }).min(1, `${EXPECTED}; an empty one was sent`))
  .meta({
    description: RENDERED,
    anyOf: [{ type: 'string', minLength: 1 }, MESSAGE, { ...LIST, minItems: 1 }],
  });

/** A model's response; null, for a response with only tool calls, becomes an empty text. */
export const responseText = z
  .preprocess((sent) => (sent === null ? '' : textOf(sent)), z.string({ error }))
  .meta({
    description: `${RENDERED}. Null or empty if the model only made tool calls that are sent elsewhere`,
    anyOf: [{ type: 'string' }, { type: 'null' }, MESSAGE, LIST],
  });

/** A text to scan. */
export const scannedText = z
  .preprocess(textOf, z.string({ error }))
  .meta({ description: RENDERED, anyOf: [{ type: 'string' }, MESSAGE, LIST] });
