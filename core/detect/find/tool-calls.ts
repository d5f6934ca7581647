import { hashOf, type RepeatedUnit } from './repetition.ts';

/** Compared code units of a call's arguments. */
const MAX_CHARACTERS = 600;

/**
 * Start of a call in any notation: arguments in JSON (OpenAI, Anthropic), ReAct's action, tags, "Calling f(x)", a shell
 * prompt.
 */
const CALL =
  /"(?:arguments|input|args)"\s{0,4}:\s{0,4}(?=["{[])|(?:^|\n)[ \t]{0,8}action:[ \t]{0,4}(?=\S)|<invoke name=|<tool_call>|(?:^|\n)[^\n(]{0,40}\b(?:calling|called|call|invoking|executing|running|tool|action|tool_call|->)\]?[: ]{1,3}`?(?=[\w.]{2,60}\([^\n)]{0,200}\))|(?:^|\n)[ \t]{0,4}(?:[\w.-]{1,32}@[\w.-]{1,64}[^\n$#]{0,40})?\$[ \t](?=\S)/gi;

/** A cheap check before the full one. */
const MAY_CALL =
  /"(?:arguments|input|args)"|action:|<invoke|<tool_call|\$ |\b(?:call|invok|execut|running|tool|->)/i;

/** Every match of `MAY_CALL` contains one of these; searching for them one by one is even cheaper. */
const SIGNS = [
  ...['"arguments"', '"input"', '"args"', 'action:', '<invoke', '<tool_call>', '$ '],
  ...['call', 'invok', 'execut', 'running', 'tool', '->'],
];

function mayCall(text: string): boolean {
  const lower = text.toLowerCase();
  return SIGNS.some((sign) => lower.includes(sign)) && MAY_CALL.test(text);
}

/** End of the JSON string or bracketed value that starts at `start`; at most `limit`. */
function endOfValue(text: string, start: number, limit: number): number {
  if (text[start] === '"') {
    for (let i = start + 1; i < limit; i++) {
      if (text[i] === '\\') i++;
      else if (text[i] === '"') return i + 1;
    }
    return limit;
  }
  let depth = 0;
  for (let i = start; i < limit; i++) {
    const unit = text[i]!;
    if (unit === '{' || unit === '[') depth++;
    else if ((unit === '}' || unit === ']') && --depth === 0) return i + 1;
  }
  return limit;
}

function endOf(text: string, start: number, closing: string): number {
  const end = text.slice(start, start + MAX_CHARACTERS).indexOf(closing);
  return end === -1 ? Math.min(start + MAX_CHARACTERS, text.length) : start + end;
}

const NAME_BEFORE = /"(?:name|tool|tool_name|function|action)"\s{0,4}:\s{0,4}"([^"\n]{1,64})"[^{}]{0,120}$/;
const NAME_AFTER = /\s{0,4},\s{0,8}"(?:name|tool)"\s{0,4}:\s{0,4}"([^"\n]{1,64})"/y;

function nameAround(text: string, start: number, end: number): string {
  NAME_AFTER.lastIndex = end;
  const after = NAME_AFTER.exec(text);
  return after?.[1] ?? NAME_BEFORE.exec(text.slice(Math.max(0, start - 160), start))?.[1] ?? '';
}

const plain = (text: string): string => text.replaceAll(/[\s\\]+/g, '');

/** The tool calls in a text, in order. The key combines the name with the arguments. */
export function toolCallsIn(text: string): RepeatedUnit[] {
  const calls: RepeatedUnit[] = [];
  if (!mayCall(text)) return calls;
  CALL.lastIndex = 0;
  for (let match = CALL.exec(text); match !== null; match = CALL.exec(text)) {
    const from = match.index + match[0].length;
    const limit = Math.min(from + MAX_CHARACTERS, text.length);
    let [end, key] = [from, ''];
    if (match[0].startsWith('"')) {
      end = endOfValue(text, from, limit);
      const name = nameAround(text, match.index, end);
      // A form to fill in, or some record's field named "input".
      if (name === '' || /^\{\s{0,8}"type"/.test(text.slice(from, from + 20))) continue;
      key = name + plain(text.slice(from, end));
    } else if (match[0].startsWith('<')) {
      end = endOf(text, from, match[0].startsWith('<t') ? '</tool_call>' : '</invoke>');
      key = plain(text.slice(from, end));
    } else if (/action:/i.test(match[0]) && !/\(/.test(text.slice(from, endOf(text, from, '\n')))) {
      const line = endOf(text, from, '\n');
      const input = /^\s{0,4}action input:[ \t]{0,4}/i.exec(text.slice(line, line + 40));
      end = input === null ? line : endOf(text, line + input[0].length, '\n');
      key = plain(text.slice(from, end));
    } else {
      end = endOf(text, from, '\n');
      key = plain(text.slice(from, end));
    }
    calls.push({ key: hashOf(key), start: match.index, end: Math.max(end, from) });
    CALL.lastIndex = Math.max(end, from);
  }
  return calls;
}
