import { type PackageVerdict, STEPS, type Step } from '#core/evidence/package/verify-package.ts';
import type { Manifest } from '#schemas/api/evidence/evidence-package.ts';
import { label } from '../../web/src/labels/label.ts';

/** The page's texts: a function of the verifier’s result. */

type StepState = 'waiting' | 'running' | 'passed' | 'failed' | 'left out' | 'not checked';

export interface StepLine {
  readonly step: Step;
  readonly title: string;
  readonly text: string;
  readonly state: StepState;
}

/** Phrased as requirements, so that each text suits every state. */
const TITLES: Readonly<Record<Step, readonly [title: string, text: string]>> = {
  archive: [
    'Archive',
    'The zip file must be in the format the service writes: only known files, nothing compressed, nothing hidden between files.',
  ],
  signature: ['Signature', 'The list of files, manifest.json, must be signed with your key.'],
  files: [
    'Files',
    'Every file must have the size and SHA-256 hash of the signed list. No file may be missing or added.',
  ],
  checkpoint: ['Checkpoint', 'The ledger’s size and root hash must be signed with the same key.'],
  chain: [
    'Ledger',
    'Each entry must link to the one before it, and together they must produce the signed root hash.',
  ],
  content: [
    'Signals and incidents',
    'Each must match the hash in its ledger entry, and each signal must be within the period.',
  ],
  attestations: [
    'Control attestations',
    'Recounting from the signals and incidents in this package must give the same numbers.',
  ],
};

const CHAIN_LEFT_OUT =
  'The package was requested without ledger proofs, so signals can’t be traced to the checkpoint one by one.';
const CONTENT_WITHOUT_CHAIN =
  'Their number must match the signed number, and each signal must be within the period.';
const NOT_RECOUNTED =
  'This page doesn’t have the control catalog they were based on. They are what was signed, but weren’t recounted.';

/** Steps before anything was read, or while the step `at` is running. */
export const stepsInProgress = (at: Step | null): StepLine[] =>
  STEPS.map((step, number) => {
    const [title, text] = TITLES[step];
    const reached = at === null ? -1 : STEPS.indexOf(at);
    const state = number < reached ? 'passed' : number === reached ? 'running' : 'waiting';
    return { step, title, text, state };
  });

/** Steps when stopped at the step `at`. */
export const stepsStopped = (at: Step): StepLine[] =>
  stepsInProgress(at).map((line) => (line.state === 'passed' ? line : { ...line, state: 'not checked' }));

/** Steps at the end. `last`: the last step reached. */
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

/** Where a passed step means less than it does in a complete package. */
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
    ['Root hash', checkpoint.root.toString('hex')],
    ['Signed at', manifest.generatedAt],
  ];
}

export function packageRows({ manifest, counts }: PackageVerdict): Rows {
  if (manifest === null || counts === null) return [];
  const { framework, periodStart, periodEnd, customerId, scope, includeIncidents } = manifest;
  return [
    ['Framework', label('framework', framework)],
    ['Period', `${periodStart} to ${periodEnd}`],
    ['Customer', customerId],
    ['Scope', scope === 'NAMED' ? `Sandboxes tagged ${label('framework', framework)}` : 'All sandboxes'],
    ['Signals', NUMBERS.format(counts.signals)],
    ['Incidents', includeIncidents ? NUMBERS.format(counts.incidents) : 'not included'],
    ['Control attestations', NUMBERS.format(counts.attestations)],
  ];
}

/** Progress of a verification, 0 to 1: all files are read twice, once for their digests and once for their content. */
export const progressOf = (bytesRead: number, size: number): number =>
  size === 0 ? 1 : Math.min(1, bytesRead / (2 * size));
