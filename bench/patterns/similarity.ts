import { bandsOf, digitsOf, similarityOf } from '#core/similarity/compare.ts';
import { FINGERPRINT_KEY_BYTES, fingerprintOf } from '#core/similarity/fingerprint.ts';
import { print, printTable } from '../../cli/command/output.ts';
import { randomFrom } from '../load/random.ts';
import { variedTexts } from '../load/varied-texts.ts';

/**
 * What fingerprints of texts cost, each text another one:
 *
 *   node --single-threaded --single-threaded-gc dist/bench/patterns/similarity.js
 *
 * CPU time of the process; with these flags that is the time of its one thread, garbage collection included.
 */
const SEED = 18;
const ROUNDS = 5;
/** Of each size as many characters a round, so that short texts are measured over many calls. */
const ROUND_CHARACTERS = 4 * 2 ** 20;
const KEY = Buffer.alloc(FINGERPRINT_KEY_BYTES, 7);
const LENGTHS = [64, 200, 600, 1_200, 4_096, 16_384, 65_536, 2 ** 21];
/** Texts beyond ASCII and texts that are meant to be slow, all of this length. */
const LENGTH = 65_536;

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** CPU microseconds a call, the median of the rounds; the first one warms up. */
function usPerCall(calls: number, work: (call: number) => unknown): number {
  const rounds = Array.from({ length: ROUNDS + 1 }, () => {
    const begun = cpuUs();
    for (let call = 0; call < calls; call += 1) work(call);
    return (cpuUs() - begun) / calls;
  });
  return median(rounds.slice(1));
}

/** Joined pieces are flat strings, as those that were read from JSON are. */
const flat = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

const varied = variedTexts(SEED);
const callsFor = (length: number): number => Math.max(4, Math.ceil(ROUND_CHARACTERS / length));
printTable(
  ['characters of varied text', 'us', 'ns per character'],
  LENGTHS.map((length) => {
    const texts = Array.from({ length: callsFor(length) }, () => flat(varied.text(length)));
    const us = usPerCall(texts.length, (call) => fingerprintOf(KEY, texts[call]!));
    return [String(length), us.toFixed(1), ((us * 1e3) / length).toFixed(2)];
  }),
);

const random = randomFrom(SEED);
const repeated = (piece: string): string => flat(piece.repeat(LENGTH / piece.length + 1).slice(0, LENGTH));
const drawn = (letter: () => number): string =>
  String.fromCharCode(...Array.from({ length: 2_048 }, letter)).repeat(LENGTH / 2_048);
const HOSTILE: readonly (readonly [string, string])[] = [
  ['spaces', repeated(' ')],
  ['one word', repeated('a')],
  ['words of a letter', repeated('a b c d e f g h i ')],
  ['numbers', repeated('1 ')],
  ['ideographs', drawn(() => 0x4e00 + random.upTo(20_000))],
  ['marks above and below', repeated('\u0301\u0316')],
  ['halves of surrogates', repeated('\ud83d')],
  ['any unit', drawn(() => random.upTo(0xffff))],
];
printTable(
  [`${LENGTH} characters of`, 'us'],
  HOSTILE.map(([name, text]) => [name, usPerCall(100, () => fingerprintOf(KEY, text)).toFixed(0)]),
);

const fingerprints = Array.from({ length: 1_000 }, () => digitsOf(fingerprintOf(KEY, varied.text(1_200))!));
const compared = usPerCall(200_000, (call) =>
  similarityOf(fingerprints[call % 1_000]!, fingerprints[(call * 7 + 1) % 1_000]!),
);
const keyed = usPerCall(200_000, (call) => bandsOf(fingerprints[call % 1_000]!));
print(`a comparison: ${compared.toFixed(3)} us, the keys of a fingerprint: ${keyed.toFixed(3)} us`);
