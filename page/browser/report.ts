import { type PackageVerdict, STEPS, type Step } from '#core/evidence/package/verify-package.ts';
import type { Manifest } from '#schemas/api/evidence/evidence-package.ts';

/** What the page says, in words: a function of what the verifier found. */

type StepState = 'waiting' | 'running' | 'passed' | 'failed' | 'left out' | 'not checked';

export interface StepLine {
  readonly step: Step;
  readonly title: string;
  readonly text: string;
  readonly state: StepState;
}

/** Written as what has to hold, so that a text reads right beside every state. */
const TITLES: Readonly<Record<Step, readonly [title: string, text: string]>> = {
  archive: [
    'The archive',
    'It has to be a zip file as the service writes it: known names only, nothing compressed, nothing hidden between the files.',
  ],
  signature: [
    'The signature',
    'The list of all files, manifest.json, has to be signed with the key that you pasted.',
  ],
  files: [
    'The files',
    'Every file has to have the size and the SHA-256 of the signed list. None may be missing, none may be added.',
  ],
  checkpoint: [
    'The checkpoint',
    'Size and root of the ledger from which everything here was taken have to be signed with the same key.',
  ],
  chain: [
    'The hash chain',
    'Each entry has to be linked to the one before it, and together they have to lead to the signed root.',
  ],
  content: [
    'Signals and incidents',
    'Each has to have the hash that its entry of the chain says, and each signal has to be of the period.',
  ],
  attestations: [
    'The attestations',
    'Their numbers have to come out the same when they are counted again from the signals and incidents of this package.',
  ],
};

const CHAIN_LEFT_OUT =
  'It was left out of this package when that was asked for, so that signals cannot be traced to the checkpoint one by one.';
const CONTENT_WITHOUT_CHAIN =
  'There have to be as many as were signed, and each signal has to be of the period.';
const NOT_RECOUNTED =
  'This page does not have the catalogue that they were made by. They are those that were signed, and were not counted again.';

/** Before anything was read, or while the step `at` is under way. */
export const stepsUnderWay = (at: Step | null): StepLine[] =>
  STEPS.map((step, number) => {
    const [title, text] = TITLES[step];
    const reached = at === null ? -1 : STEPS.indexOf(at);
    const state = number < reached ? 'passed' : number === reached ? 'running' : 'waiting';
    return { step, title, text, state };
  });

/** Broken off at the step `at`. */
export const stepsBrokenOff = (at: Step): StepLine[] =>
  stepsUnderWay(at).map((line) => (line.state === 'passed' ? line : { ...line, state: 'not checked' }));

/** At the end. `last`: the step that was reached. */
export function stepsAtEnd(last: Step, { manifest, counts, faults }: PackageVerdict): StepLine[] {
  const reached = STEPS.indexOf(last);
  return STEPS.map((step, number) => {
    const [title, text] = TITLES[step];
    if (number > reached) return { step, title, text, state: 'not checked' };
    if (number === reached && faults.length > 0) return { step, title, text, state: 'failed' };
    const other = otherText(step, manifest, counts);
    return { step, title, text: other?.text ?? text, state: other?.state ?? 'passed' };
  });
}

/** Where a step that was passed means less than it does in a whole package. */
function otherText(
  step: Step,
  manifest: Manifest | null,
  counts: PackageVerdict['counts'],
): Pick<StepLine, 'state' | 'text'> | null {
  const withChain = manifest?.includeHashChain !== false;
  if (step === 'chain' && !withChain) return { state: 'left out', text: CHAIN_LEFT_OUT };
  if (step === 'content' && !withChain) return { state: 'passed', text: CONTENT_WITHOUT_CHAIN };
  if (step === 'attestations' && counts?.areRecounted === false)
    return { state: 'left out', text: NOT_RECOUNTED };
  return null;
}

/** Rows of what was verified: names and values. */
type Rows = readonly (readonly [name: string, value: string])[];

const NUMBERS = new Intl.NumberFormat('en');

export function checkpointRows({ checkpoint, manifest }: PackageVerdict): Rows {
  if (checkpoint === null || manifest === null) return [];
  return [
    ['Ledger', checkpoint.origin],
    ['Size', `${NUMBERS.format(checkpoint.size)} entries`],
    ['Root', checkpoint.root.toString('hex')],
    ['Signed at', manifest.generatedAt],
  ];
}

export function packageRows({ manifest, counts }: PackageVerdict): Rows {
  if (manifest === null || counts === null) return [];
  const { framework, periodStart, periodEnd, customerId, scope, includeIncidents } = manifest;
  return [
    ['Framework', framework],
    ['Period', `${periodStart} to ${periodEnd}`],
    ['Customer', customerId],
    ['Scope', scope === 'NAMED' ? `signals of the sandboxes that name ${framework}` : 'all signals'],
    ['Signals', NUMBERS.format(counts.signals)],
    ['Incidents', includeIncidents ? NUMBERS.format(counts.incidents) : 'left out of this package'],
    ['Attestations', NUMBERS.format(counts.attestations)],
  ];
}

/** How far a verification is, 0 to 1: all files are read twice, once for their digests and once for what they say. */
export const progressOf = (bytesRead: number, size: number): number =>
  size === 0 ? 1 : Math.min(1, bytesRead / (2 * size));
