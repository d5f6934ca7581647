import './zod-without-eval.ts';
import { type Step, verifyPackage } from '#core/evidence/package/verify-package.ts';
import { dropTarget } from './drop-target.ts';
import { elementOf } from './elements.ts';
import { keysIn } from './pasted-keys.ts';
import { progressOf } from './report.ts';
import { resultView } from './result-view.ts';
import { signalsTable } from './signals-table.ts';
import { slicedFile } from './sliced-file.ts';
import { messageTurn, turns } from './turns.ts';

/** The page inside an evidence package: verifies the chosen archive, by the rules of `cas verify`. */

const file = elementOf('file', HTMLInputElement);
const key = elementOf('key', HTMLTextAreaElement);
const stopButton = elementOf('stop', HTMLButtonElement);
const giveWay = turns(() => performance.now(), messageTurn);
const view = resultView();
const signals = signalsTable(giveWay);
let inProgress: AbortController | null = null;

const STOPPED = 'You stopped the check. It says nothing about the package.';
const UNREADABLE =
  'The check couldn’t finish: the file can’t be read, or is too large for this browser’s memory. Try `cas verify` instead.';

async function verify(chosen: File, keys: Parameters<typeof verifyPackage>[1]): Promise<void> {
  inProgress?.abort();
  const run = new AbortController();
  inProgress = run;
  signals.clear();
  view.start(chosen.name);
  let read = 0;
  const onRead = (bytes: number): void => {
    read += bytes;
    view.progress(progressOf(read, chosen.size));
  };
  let last: Step = 'archive';
  const onStep = (step: Step): void => {
    last = step;
    view.step(step);
  };
  try {
    const verdict = await verifyPackage(
      slicedFile(chosen, { giveWay, onRead, stop: run.signal }),
      keys,
      onStep,
    );
    if (inProgress !== run) return;
    view.end(last, verdict);
    if (verdict.faults.length === 0) await signals.open(chosen, verdict.counts?.signals ?? 0);
  } catch {
    // The error may quote the file, and its message is not meant for people.
    if (inProgress === run) view.giveUp(last, run.signal.aborted ? STOPPED : UNREADABLE);
  }
}

/** Marks an input as faulty or valid. */
function mark(input: HTMLElement, fault: string | null): void {
  const error = elementOf(`${input.id}-error`, HTMLParagraphElement);
  error.textContent = fault ?? '';
  input.setAttribute('aria-invalid', String(fault !== null));
}

elementOf('form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  const chosen = file.files?.[0];
  const keys = keysIn(key.value);
  mark(
    file,
    chosen === undefined ? 'Choose the package first: the .zip file, not a file from inside it.' : null,
  );
  mark(
    key,
    keys === null
      ? 'This isn’t a verifier key. A key is one line with three parts joined by plus signs: name+0123abcd+base64.'
      : null,
  );
  if (chosen === undefined) file.focus();
  else if (keys === null) key.focus();
  else void verify(chosen, keys);
});
stopButton.addEventListener('click', () => inProgress?.abort());
dropTarget(document.body, (files) => {
  file.files = files;
  mark(file, null);
  key.focus();
});
