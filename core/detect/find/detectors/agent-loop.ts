import { isAsciiLetter, isSpace } from '../../read/characters.ts';
import type { TextSource } from '../../read/texts.ts';
import type { Candidate, WholeDetector } from '../detector.ts';
import { hashOf, longestPeriod, type RepeatedUnit } from '../repetition.ts';
import { toolCallsIn } from '../tool-calls.ts';
import { progresses, type TraceCall, traceCallsIn } from '../trace-lines.ts';

/** This many repetitions of a call, or of an alternating pair of calls. */
const SAME_CALLS = 4;
const SAME_COMMANDS = 6;
const CALL_CYCLES = 3;
/** The same call with another result each time: polling, or a cursor that moves. */
const PROGRESS = 0.35;
const BARE_NAMES = 0.6;
/** This many consecutive repetitions of a sentence; a poem's refrain or a list has fewer. */
const SAME_SENTENCES = 5;
const BLOCK_CYCLES = 4;
/** For single words: the stammering of a model that has lost its way. */
const WORD_CYCLES = 12;
const RETRIES = 4;
/** Shorter texts contain no loop. */
const MIN_LENGTH = 60;
/** Code units of a sentence that are compared. */
const LONGEST = 400;

const find = (start: number, end: number, confidence: number): Candidate => ({
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
    if (progresses(text, calls.filter(isIn))) return find(row.start, row.end, PROGRESS);
    // A manual repeats the same command too.
    const isShell = /^\s{0,4}(?:\S{1,97}[^\n$#]{0,40})?\$ /.test(text.slice(row.start, row.start + 150));
    return find(row.start, row.end, isShell && row.cycles < SAME_COMMANDS ? 0.45 : 0.88);
  }
  const turns = longestPeriod(calls, 2, 6);
  if (turns !== null && turns.cycles >= CALL_CYCLES) return find(turns.start, turns.end, 0.8);
  const places = new Map<number, RepeatedUnit[]>();
  for (const call of calls) {
    const same = places.get(call.key);
    if (same === undefined) places.set(call.key, [call]);
    else same.push(call);
  }
  const most = [...places.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  if (most.length < SAME_CALLS) return null;
  // A call repeated now and then in a long run may have a good reason, such as polling a state.
  return find(most[0]!.start, most.at(-1)!.end, most.length * 3 >= calls.length ? 0.7 : 0.4);
}

/** The same in the lines of a trace; calls without arguments may differ in what is not shown. */
function loopOfLines(text: string, calls: readonly TraceCall[]): Candidate | null {
  const loop = loopOfCalls(text, calls);
  if (loop === null || calls.some(({ hasArguments }) => hasArguments)) return loop;
  return { ...loop, confidence: Math.min(loop.confidence, BARE_NAMES) };
}

/** What may follow a full stop; "2.6" and "file.txt" continue. */
const endsSentence = (next: number): boolean => isSpace(next) || next === 34;

/** What is beyond the text is not read: V8 makes a loop that ever does so twice as slow. */
function endsUnit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit === 10) return true;
  const isStop = unit === 33 || unit === 46 || unit === 63;
  return isStop && (at + 1 === text.length || endsSentence(text.charCodeAt(at + 1)));
}

/** Sentences; a line ends one, too. */
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

/** A loop has as many sentences or more; all but the last end with a stop. */
const FEWEST_STOPS = SAME_SENTENCES - 1;

/** Full stops, other marks that end a sentence, and ends of lines. */
function stopsIn(text: string): number {
  let stops = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10 || unit === 33 || unit === 46 || unit === 63) stops++;
  }
  return stops;
}

/** Code, tables, lists and logs repeat themselves for good reason. */
const PROSE = /^[\p{L}\p{M}\d ,'"’:;()%-]+[.!?]?$/u;

/** Two or more numbers: a line of a log, a table or a list. */
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
  if (row !== null && row.cycles >= SAME_SENTENCES) return find(row.start, row.end, 0.65);
  const block = longestPeriod(units, 2, 8, isProse);
  return block !== null && block.cycles >= BLOCK_CYCLES ? find(block.start, block.end, 0.65) : null;
}

/** Letters of any script, roughly: ASCII letters, the apostrophe, and all beyond ASCII. */
const isWordPart = (unit: number): boolean => isAsciiLetter(unit) || unit === 39 || unit > 127;

/** Periods of words that are a loop. */
const [SHORTEST_PERIOD, LONGEST_PERIOD] = [2, 8];

const SLOTS = 256;
/** For the current text: the last word with a key of this slot. */
const lastOfSlot = new Int32Array(SLOTS);

/**
 * Whether some words occur in a row as often as in a loop, whatever is between them: needs no list of the words. A word
 * has the hash that `loopOfWords` gives it.
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
    // Most words are none of the last eight, which one look tells.
    const mayRepeat = words - lastOfSlot[key & (SLOTS - 1)]! <= LONGEST_PERIOD;
    lastOfSlot[key & (SLOTS - 1)] = words;
    if (!mayRepeat && isRunning) runs.fill(0);
    isRunning = mayRepeat;
    for (let period = SHORTEST_PERIOD; mayRepeat && period <= LONGEST_PERIOD; period++) {
      // The ring has the last eight words.
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
    // Tables, links and code have other characters between words than sentences do.
    if (!/^[\s,.!?;"]{0,8}$/.test(text.slice(last, Math.min(start, last + 9))))
      units.push({ key: -1 - start, start: last, end: last });
    let key = 0;
    for (; i < text.length && isWordPart(text.charCodeAt(i)); i++)
      key = (Math.imul(key, 31) + (text.charCodeAt(i) | 32)) | 0;
    units.push({ key, start, end: i });
  }
  const period = longestPeriod(units, SHORTEST_PERIOD, LONGEST_PERIOD, ({ start, end }) => end - start > 1);
  return period !== null && period.cycles >= WORD_CYCLES ? find(period.start, period.end, 0.6) : null;
}

const RETRY =
  /\b(?:let me (?:try|retry)(?: (?:that|this|it))?(?: once)?(?: again)?|trying (?:again|once more)|i(?:'ll| will) (?:try (?:it |this |that )?(?:again|once more)|retry)|retrying|attempting again|try(?:ing)? the same (?:call|command|request|action) again)\b/giu;

/** Each retry has one of these words; looking for them is cheaper. */
const MAY_RETRY = /try|attempting/gi;

function loopOfRetries(text: string): Candidate | null {
  if ((text.match(MAY_RETRY)?.length ?? 0) < RETRIES - 1) return null;
  const places = [...text.matchAll(RETRY)];
  if (places.length < RETRIES - 1) return null;
  const last = places.at(-1)!;
  const enough = places.length >= RETRIES;
  return find(places[0]!.index, last.index + last[0].length, enough ? 0.6 : 0.4);
}

/** Repeated sentences, words and retries indicate a loop in what a model wrote; a prompt may quote anything. */
const WRITTEN: readonly TextSource[] = ['response', 'thinkingBlock'];

/**
 * Agents that go round in circles: the same calls, sentences, blocks or retries again and again. Linear in the text.
 */
export const agentLoop: WholeDetector = {
  name: 'agent-loop',
  version: 2,
  searchWhole: (text, source) => {
    if (text.length < MIN_LENGTH) return [];
    const finds = [loopOfCalls(text, toolCallsIn(text)) ?? loopOfLines(text, traceCallsIn(text, SAME_CALLS))];
    if (!WRITTEN.includes(source)) return finds.filter((one) => one !== null);
    if (stopsIn(text) >= FEWEST_STOPS) finds.push(loopOfSentences(text));
    if (repeatsWords(text)) finds.push(loopOfWords(text));
    finds.push(loopOfRetries(text));
    return finds.filter((one) => one !== null);
  },
};
