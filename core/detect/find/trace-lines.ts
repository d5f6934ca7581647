import { hashOf, type RepeatedUnit } from './repetition.ts';

/** A call in a line of a plain-text trace, with its outcome. */
export interface TraceCall extends RepeatedUnit {
  /** Whether the line, or the lines below it, contain the tool's arguments. */
  readonly hasArguments: boolean;
}

/** Code units read per line. */
const MAX_LINE = 600;
/** Maximum lines with arguments below a call. */
const MAX_BELOW = 3;

/** "Tool call: name", "> calling tool name", "INFO Invoking function name", "[3] tool: name". */
const NAMED_CALL =
  /^[^\n]{0,60}?\b(?:(?:tool|function)[ _-](?:call|use|invocation|request)s?\]?[ \t]?[:=>-]{0,2}|(?:calling|called|invoking|invoked|executing|executed|running|using)(?: the)?(?: tool| function| action)[ \t]?:?|(?:tool|function|action|call)\]?[ \t]?:)[ \t]{0,3}["'`[]{0,2}(?=[A-Za-z_][\w.:/-]{1,60})/i;
/** "3. name(...)", "Step 3: name(...)", "- name(...)": a call alone after a list marker. */
const LISTED_CALL =
  /^[ \t]{0,8}(?:(?:step |#|\[|\()?\d{1,4}[\]).:]{1,2}|[-*>•→▶➜]|[\u2600-\u27bf]\ufe0f?|[\ud83c-\ud83e][\udc00-\udfff]\ufe0f?)[ \t]{1,3}(?:call |run )?(?=[A-Za-z_][\w.]{1,60}\([^\n]{0,400}\))/i;
/** A JSON log event without its own arguments. */
const JSON_CALL = /^[ \t]{0,8}\{(?=[^\n]{0,400}"(?:tool|tool_name|function)"\s?:\s?")/;
const NUMBER_OF_EVENT =
  /"(?:step|seq|index|turn|ts|time|timestamp|call_id|tool_call_id|attempt|duration_ms)"\s?:\s?(?:"[^"\n]{0,64}"|[\d.]{1,20}),?/g;

const ARGUMENTS_BELOW =
  /^[ \t]{0,8}(?:arguments?|args|(?:action |tool )?input|parameters?|params|query|payload|body|with)[ \t]?[:=]/i;
/** Separates the call from its outcome: "f(x) -> 3", "f(x): timeout". */
const OUTCOME = /(?:[ \t](?:->|=>|→)[ \t]?|(?<=\))[ \t]?:[ \t])[^\n]*$/;
const COUNTED_TRY = /[ \t]{1,2}\(?(?:attempt|try|retry|took|in)[ \t]?#?\d[\d.]{0,8}[ \t]?m?s?\)?$/i;

/** Every such line contains one of these; almost no other text has as many as a trace. */
const SIGNS =
  /(?:tool|function)[ _-](?:call|use|invocation|request)|(?:call|invok|execut|runn|us)(?:ing|ed)(?: the)? (?:tool|function|action)|(?:tool|function|action|call)\]?"?[ \t]?:|(?:^|\n)[ \t]{0,8}(?:[^\sA-Za-z]{1,5}|step \d{1,4}.)[ \t]{1,3}(?:call |run )?[a-z_][\w.]{1,60}\(/gi;

const WORD_OF_SIGN = /tool|function|action|call/i;

/** `count`: the required number of lines with a call. */
function hasSigns(text: string, count: number): boolean {
  let end = -1;
  for (let line = 1; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) return false;
  }
  if (!text.includes('(') && !WORD_OF_SIGN.test(text)) return false;
  SIGNS.lastIndex = 0;
  for (let found = 0; found < count; found++) if (!SIGNS.test(text)) return false;
  return true;
}

/** The part of the line after the marker of a call; null if there is no call. */
function callIn(line: string): string | null {
  const mark = NAMED_CALL.exec(line) ?? LISTED_CALL.exec(line);
  if (mark !== null) return line.slice(mark[0].length).replace(OUTCOME, '').replace(COUNTED_TRY, '');
  return JSON_CALL.test(line) ? line.replaceAll(NUMBER_OF_EVENT, '') : null;
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
};
const lineAt = (text: string, from: number, end: number): string =>
  text.slice(from, Math.min(end, from + MAX_LINE)).trimEnd();

/**
 * The calls in the lines of a trace, in order. The key combines the name with the arguments. Texts with fewer than
 * `fewest` signs of calls are skipped. Linear in the text.
 */
export function traceCallsIn(text: string, fewest: number): TraceCall[] {
  const calls: TraceCall[] = [];
  if (!hasSigns(text, fewest)) return calls;
  for (let start = 0; start < text.length; ) {
    let end = lineEnd(text, start);
    let call = callIn(lineAt(text, start, end));
    if (call !== null) {
      const lineStart = start;
      for (let below = 0; below < MAX_BELOW && end < text.length; below++) {
        const next = lineEnd(text, end + 1);
        const line = lineAt(text, end + 1, next);
        if (!ARGUMENTS_BELOW.test(line)) break;
        call += `\n${line}`;
        end = next;
      }
      const key = hashOf(call.replaceAll(/[\s\\]+/g, ''));
      calls.push({ key, start: lineStart, end, hasArguments: /[\s([{=]/.test(call.trim()) });
    }
    start = end + 1;
  }
  return calls;
}

/** Code units after a call that are searched for its outcome. */
const MAX_BETWEEN = 600;
const RESULT =
  /(?:^|\n)[ \t]{0,8}(?:(?:tool |function )?(?:result|output|response|returned|observation|status)|tool)\]?[ \t]?:[ \t]{0,4}([^\n]{1,200})|[ \t](?:->|=>|→)[ \t]?([^\n]{1,200})/i;
const FAILURE =
  /error|time(?:d )?-?out|fail|exception|denied|refused|rejected|not found|no results?|nothing|none|null|empty|unavailable|invalid|busy|again/i;

/**
 * Whether every call had a different result and none failed, as in polling or paging. Calls without a result say
 * nothing.
 */
export function progresses(text: string, calls: readonly RepeatedUnit[]): boolean {
  const results = calls.map(({ start, end }, at) => {
    const until = Math.min(calls[at + 1]?.start ?? text.length, end + MAX_BETWEEN);
    const match = RESULT.exec(text.slice(Math.max(start, end - 200), until));
    return (match?.[1] ?? match?.[2] ?? '').trim();
  });
  return (
    results.every((result) => result !== '' && !FAILURE.test(result)) &&
    new Set(results).size === calls.length
  );
}

/** A line that no person would write: the outcome of a call, or its arguments. */
const MACHINE_LINE =
  /^[ \t]{0,8}(?:(?:tool |function )?(?:result|output|response|returned|observation|status|arguments?|args|input|parameters?|params)|action input|tool|action|assistant|error)\]?[ \t]?[:=]/i;
/** This many consecutive words are a sentence, which is kept. */
const SENTENCE = /\p{L}{2,}(?:['’]\p{L}{1,3})?(?:[ ,]{1,2}\p{L}{1,}(?:['’]\p{L}{1,3})?){4}/u;
const FEWEST_CALLS = 2;

/**
 * The text without trace lines and repeated lines, because tool names and their arguments are not orders. Lines with a
 * sentence are kept. Null if the text is not a trace.
 */
export function withoutTrace(text: string): string | null {
  const calls = traceCallsIn(text, FEWEST_CALLS);
  if (calls.length < FEWEST_CALLS) return null;
  const seen = new Set<string>();
  const isCall = new Set(calls.map(({ start }) => start));
  let at = 0;
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const isTrace = (isCall.has(at) || MACHINE_LINE.test(line)) && !SENTENCE.test(line);
    if (!isTrace && !seen.has(line)) kept.push(line);
    seen.add(line);
    at += line.length + 1;
  }
  return kept.join('\n');
}
