import type { PackageVerdict, Step } from '#core/evidence/package/verify-package.ts';
import { withLabels } from '../../web/src/labels/explanation.ts';
import { elementOf, textElement } from './elements.ts';
import { packageText } from './package-text.ts';
import {
  checkpointRows,
  packageRows,
  type StepLine,
  stepsAtEnd,
  stepsInProgress,
  stepsStopped,
} from './report.ts';

/** Maximum number of faults listed; the first one is enough. */
const SHOWN_FAULTS = 20;

/** The display of a verification. */
interface ResultView {
  start(name: string): void;
  step(at: Step): void;
  /** 0 to 1. */
  progress(done: number): void;
  end(last: Step, verdict: PackageVerdict): void;
  /** The verification could not be completed: this says nothing about the package. */
  giveUp(last: Step, reason: string): void;
}

export function resultView(): ResultView {
  const section = elementOf('result', HTMLElement);
  const heading = elementOf('verdict', HTMLHeadingElement);
  const reason = elementOf('verdict-reason', HTMLParagraphElement);
  const faults = elementOf('faults', HTMLUListElement);
  const facts = elementOf('facts', HTMLUListElement);
  const progress = elementOf('progress', HTMLProgressElement);
  const waiting = elementOf('under-way', HTMLElement);

  const say = (state: string, title: string, text: string): void => {
    section.dataset.state = state;
    heading.textContent = title;
    reason.replaceChildren(...textElement('span', text).childNodes);
  };
  const finish = (): void => {
    waiting.hidden = true;
    heading.focus();
  };
  return {
    start: (name) => {
      section.hidden = false;
      waiting.hidden = false;
      progress.value = 0;
      for (const list of [faults, facts]) list.replaceChildren();
      say('running', 'Checking…', packageText(name));
      showSteps(stepsInProgress(null));
      showRows('checkpoint', []);
      showRows('package', []);
    },
    step: (at) => showSteps(stepsInProgress(at)),
    progress: (done) => {
      progress.value = done;
    },
    end: (last, verdict) => {
      const holds = verdict.faults.length === 0;
      if (holds) say('verified', 'Verified', VERIFIED);
      else say('refused', 'Not verified', REFUSED);
      const shown = verdict.faults.slice(0, SHOWN_FAULTS);
      faults.append(
        ...shown.map(({ file, reason: why }) => textElement('li', packageText(`${file}: ${why}`))),
      );
      if (holds)
        facts.append(...verdict.facts.map((fact) => textElement('li', withLabels(packageText(fact)))));
      showSteps(stepsAtEnd(last, verdict));
      showRows('checkpoint', holds ? checkpointRows(verdict) : []);
      showRows('package', holds ? packageRows(verdict) : []);
      finish();
    },
    giveUp: (last, why) => {
      showSteps(stepsStopped(last));
      say('refused', 'Not verified', why);
      finish();
    },
  };
}

const VERIFIED =
  'This package is exactly what the owner of the key signed. Nothing was changed, removed or added since.';
const REFUSED = 'Don’t rely on this package. These checks failed:';

const STATE_TEXTS: Readonly<Record<StepLine['state'], string>> = {
  waiting: 'Waiting',
  running: 'Running',
  passed: 'Passed',
  failed: 'Failed',
  'left out': 'Not included',
  'not checked': 'Not checked',
};

function showSteps(lines: readonly StepLine[]): void {
  const items = lines.map(({ title, text, state }) => {
    const item = document.createElement('li');
    item.dataset.state = state;
    const head = textElement('strong', title);
    const mark = textElement('span', state === 'waiting' ? '' : STATE_TEXTS[state]);
    mark.className = 'state';
    item.append(head, ' ', mark, textElement('p', text));
    return item;
  });
  elementOf('steps', HTMLOListElement).replaceChildren(...items);
}

/** A table of names and values; hidden while there are none. */
function showRows(id: 'checkpoint' | 'package', rows: readonly (readonly [string, string])[]): void {
  elementOf(id, HTMLElement).hidden = rows.length === 0;
  elementOf(`${id}-rows`, HTMLDListElement).replaceChildren(
    ...rows.flatMap(([name, value]) => [textElement('dt', name), textElement('dd', packageText(value))]),
  );
}
