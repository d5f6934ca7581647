import { isAsciiLetter, isSpace } from '../../read/characters.ts';
import type { TextSource } from '../../read/texts.ts';
import type { Candidate, WholeDetector } from '../detector.ts';
import { hashOf, longestPeriod, type RepeatedUnit } from '../repetition.ts';
import { toolCallsIn } from '../tool-calls.ts';
import { progresses, type TraceCall, traceCallsIn } from '../trace-lines.ts';

/** Minimum repetitions of a call, or of an alternating pair of calls. */
const SAME_CALLS = 4;
const SAME_COMMANDS = 6;
const CALL_CYCLES = 3;
/** The same call with a different result each time: polling, or an advancing cursor. */
const PROGRESS = 0.35;
const BARE_NAMES = 0.6;
/** Minimum consecutive repetitions of a sentence; a poem's refrain or a list has fewer. */
const SAME_SENTENCES = 5;
const BLOCK_CYCLES = 4;
/** Minimum repetitions of single words, as when a model stammers. */
const WORD_CYCLES = 12;
const RETRIES = 4;
/** Shorter texts are not checked. */
const MIN_LENGTH = 60;
/** Compared code units of a sentence. */
const LONGEST = 400;

const candidateOf = (start: number, end: number, confidence: number): Candidate => ({
  code: 'AGENT_LOOP',
  entity: null,
  start,
  end,
  confidence,
});

function loopOfCalls(text: string, calls: readonly RepeatedUnit[]): Candidate | null {
  const row = longestPeriod(calls, 1, 1);
  if (row !== null && row.cycles >= SAME_CALLS) {
    const isIn = ({ start, end }: RepeatedUnit): boolean => start >= row.start && end <= row.end;
    if (progresses(text, calls.filter(isIn))) return candidateOf(row.start, row.end, PROGRESS);
    // Manuals repeat commands, too.
    const isShell = /^\s{0,4}(?:\S{1,97}[^\n$#]{0,40})?\$ /.test(text.slice(row.start, row.start + 150));
    return candidateOf(row.start, row.end, isShell && row.cycles < SAME_COMMANDS ? 0.45 : 0.88);
  }
  const turns = longestPeriod(calls, 2, 6);
  if (turns !== null && turns.cycles >= CALL_CYCLES) return candidateOf(turns.start, turns.end, 0.8);
  const callsByKey = new Map<number, RepeatedUnit[]>();
  for (const call of calls) {
    const same = callsByKey.get(call.key);
    if (same === undefined) callsByKey.set(call.key, [call]);
    else same.push(call);
  }
  const most = [...callsByKey.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  if (most.length < SAME_CALLS) return null;
  // A call repeated occasionally in a long run may be legitimate, such as polling.
  return candidateOf(most[0]!.start, most.at(-1)!.end, most.length * 3 >= calls.length ? 0.7 : 0.4);
}

/** The same for trace lines. Calls without arguments may differ in what the trace omits. */
function loopOfLines(text: string, calls: readonly TraceCall[]): Candidate | null {
  const loop = loopOfCalls(text, calls);
  if (loop === null || calls.some(({ hasArguments }) => hasArguments)) return loop;
  return { ...loop, confidence: Math.min(loop.confidence, BARE_NAMES) };
}

/** Whether the next character may follow a full stop that ends a sentence; "2.6" and "file.txt" continue. */
const endsSentence = (next: number): boolean => isSpace(next) || next === 34;

/** Never reads beyond the text: V8 makes loops that ever do so twice as slow. */
function endsUnit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit === 10) return true;
  const isStop = unit === 33 || unit === 46 || unit === 63;
  return isStop && (at + 1 === text.length || endsSentence(text.charCodeAt(at + 1)));
}

/** Splits a text into sentences, which also end at line breaks. */
function sentencesIn(text: string): RepeatedUnit[] {
  const units: RepeatedUnit[] = [];
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && !endsUnit(text, i)) continue;
    const sentence = text.slice(start, Math.min(i, start + LONGEST)).trim();
    if (sentence.length >= 4)
      units.push({ key: hashOf(sentence.toLowerCase()), start, end: Math.min(i + 1, text.length) });
    start = i + 1;
  }
  return units;
}

/** A loop has at least this many stops, because all its sentences but the last end with one. */
const FEWEST_STOPS = SAME_SENTENCES - 1;

/** Counts sentence-ending marks and line breaks. */
function stopsIn(text: string): number {
  let stops = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10 || unit === 33 || unit === 46 || unit === 63) stops++;
  }
  return stops;
}

/** Only prose counts: code, tables, lists and logs are naturally repetitive. */
const PROSE = /^[\p{L}\p{M}\d ,'"’:;()%-]+[.!?]?$/u;

/** Two or more numbers: a line of a log, table or list. */
const MEASURED = /\d\D{1,40}\d/;

function loopOfSentences(text: string): Candidate | null {
  const units = sentencesIn(text);
  const isProse = ({ start, end }: RepeatedUnit): boolean => {
    const sentence = text.slice(start, Math.min(end, start + LONGEST)).trim();
    return (
      PROSE.test(sentence) && !MEASURED.test(sentence) && (sentence.match(/\p{L}{2,}/gu)?.length ?? 0) >= 4
    );
  };
  const row = longestPeriod(units, 1, 1, isProse);
  if (row !== null && row.cycles >= SAME_SENTENCES) return candidateOf(row.start, row.end, 0.65);
  const block = longestPeriod(units, 2, 8, isProse);
  return block !== null && block.cycles >= BLOCK_CYCLES ? candidateOf(block.start, block.end, 0.65) : null;
}

/** Approximates letters of any script: ASCII letters, the apostrophe, and everything beyond ASCII. */
const isWordPart = (unit: number): boolean => isAsciiLetter(unit) || unit === 39 || unit > 127;

/** Lengths, in words, of the periods that count as a loop. */
const [SHORTEST_PERIOD, LONGEST_PERIOD] = [2, 8];

const SLOTS = 256;
/** For the current text: the last word whose key has this slot. */
const lastOfSlot = new Int32Array(SLOTS);

/**
 * Whether some words repeat consecutively as often as in a loop, whatever separates them. A quick check without a list
 * of words; it hashes a word like `loopOfWords`.
 */
function repeatsWords(text: string): boolean {
  const last = new Int32Array(LONGEST_PERIOD);
  const runs = new Int32Array(LONGEST_PERIOD + 1);
  lastOfSlot.fill(-LONGEST_PERIOD - 1);
  let words = 0;
  let isRunning = false;
  for (let i = 0; i < text.length; ) {
    if (!isWordPart(text.charCodeAt(i))) {
      i++;
      continue;
    }
    let key = 0;
    for (; i < text.length && isWordPart(text.charCodeAt(i)); i++)
      key = (Math.imul(key, 31) + (text.charCodeAt(i) | 32)) | 0;
    // A single look-up shows that most words are none of the last eight.
    const mayRepeat = words - lastOfSlot[key & (SLOTS - 1)]! <= LONGEST_PERIOD;
    lastOfSlot[key & (SLOTS - 1)] = words;
    if (!mayRepeat && isRunning) runs.fill(0);
    isRunning = mayRepeat;
    for (let period = SHORTEST_PERIOD; mayRepeat && period <= LONGEST_PERIOD; period++) {
      // The ring buffer holds the last eight words.
      const isSame = words >= period && last[(words - period) % LONGEST_PERIOD] === key;
      runs[period] = isSame ? runs[period]! + 1 : 0;
      if (runs[period]! >= (WORD_CYCLES - 1) * period) return true;
    }
    last[words++ % LONGEST_PERIOD] = key;
  }
  return false;
}

function loopOfWords(text: string): Candidate | null {
  const units: RepeatedUnit[] = [];
  for (let i = 0; i < text.length; ) {
    if (!isWordPart(text.charCodeAt(i))) {
      i++;
      continue;
    }
    const start = i;
    const last = units.at(-1)?.end ?? 0;
    // In tables, links and code, other characters separate words than in sentences.
    if (!/^[\s,.!?;"]{0,8}$/.test(text.slice(last, Math.min(start, last + 9))))
      units.push({ key: -1 - start, start: last, end: last });
    let key = 0;
    for (; i < text.length && isWordPart(text.charCodeAt(i)); i++)
      key = (Math.imul(key, 31) + (text.charCodeAt(i) | 32)) | 0;
    units.push({ key, start, end: i });
  }
  const period = longestPeriod(units, SHORTEST_PERIOD, LONGEST_PERIOD, ({ start, end }) => end - start > 1);
  return period !== null && period.cycles >= WORD_CYCLES ? candidateOf(period.start, period.end, 0.6) : null;
}

const RETRY =
  /\b(?:let me (?:try|retry)(?: (?:that|this|it))?(?: once)?(?: again)?|trying (?:again|once more)|i(?:'ll| will) (?:try (?:it |this |that )?(?:again|once more)|retry)|retrying|attempting again|try(?:ing)? the same (?:call|command|request|action) again)\b/giu;

/** Every retry contains one of these words, which are faster to find. */
const MAY_RETRY = /try|attempting/gi;

function loopOfRetries(text: string): Candidate | null {
  if ((text.match(MAY_RETRY)?.length ?? 0) < RETRIES - 1) return null;
  const callsByKey = [...text.matchAll(RETRY)];
  if (callsByKey.length < RETRIES - 1) return null;
  const last = callsByKey.at(-1)!;
  const enough = callsByKey.length >= RETRIES;
  return candidateOf(callsByKey[0]!.index, last.index + last[0].length, enough ? 0.6 : 0.4);
}

/** Repeated sentences, words and retries indicate a loop only in a model's own text; a prompt may quote anything. */
const WRITTEN: readonly TextSource[] = ['response', 'thinkingBlock'];

/** Agents in a loop: the same calls, sentences, blocks or retries over and over. Linear in the text. */
export const agentLoop: WholeDetector = {
  name: 'agent-loop',
  version: 2,
  searchWhole: (text, source) => {
    if (text.length < MIN_LENGTH) return [];
    const matches = [
      loopOfCalls(text, toolCallsIn(text)) ?? loopOfLines(text, traceCallsIn(text, SAME_CALLS)),
    ];
    if (!WRITTEN.includes(source)) return matches.filter((one) => one !== null);
    if (stopsIn(text) >= FEWEST_STOPS) matches.push(loopOfSentences(text));
    if (repeatsWords(text)) matches.push(loopOfWords(text));
    matches.push(loopOfRetries(text));
    return matches.filter((one) => one !== null);
  },
};
