import { openArchive } from '#core/evidence/package/archive.ts';
import { linesOf } from '#core/evidence/package/read-files.ts';
import { type ContentLine, contentLine } from '#schemas/api/evidence/evidence-package.ts';
import { explanationText } from '../../web/src/labels/explanation.ts';
import { CLEAN, label } from '../../web/src/labels/label.ts';
import { elementOf, textElement } from './elements.ts';
import { packageText } from './package-text.ts';
import { slicedFile } from './sliced-file.ts';

const SIGNALS_AT_ONCE = 25;

/** Signals of a verified package, page by page. */
interface SignalsTable {
  clear(): void;
  /** Shows the first signals of a package that has `count`. */
  open(file: File, count: number): Promise<void>;
}

/** Values in a file may have any shape: only those that look like codes get a label. */
const CODE = /^[A-Z][A-Z0-9_]*$/;
const codeText = (kind: 'riskLevel' | 'violation', value: unknown): string =>
  typeof value === 'string' && CODE.test(value) ? label(kind, value) : packageText(value);

const violationsOf = (value: unknown): string => {
  if (!Array.isArray(value)) return packageText(value);
  return value.length === 0 ? CLEAN : value.map((code) => codeText('violation', code)).join(', ');
};

const cellsOf = ({ index, at, core, detail }: ContentLine): string[] => [
  String(index),
  at,
  codeText('riskLevel', core.riskLevel),
  violationsOf(core.violations),
  packageText(core.model),
  detail === null ? 'Erased' : explanationText(packageText(detail.reasoning)),
];

export function signalsTable(giveWay: () => Promise<void>): SignalsTable {
  const section = elementOf('signals', HTMLElement);
  const body = elementOf('signal-rows', HTMLTableSectionElement);
  const shown = elementOf('signals-shown', HTMLParagraphElement);
  const more = elementOf('more-signals', HTMLButtonElement);
  let total = 0;
  let lines: AsyncGenerator<{ readonly value: ContentLine }> | null = null;

  const showMore = async (): Promise<void> => {
    const reading = lines;
    if (reading === null) return;
    more.disabled = true;
    for (let count = 0; count < SIGNALS_AT_ONCE; count += 1) {
      const { done, value } = await reading.next();
      // Another file was chosen meanwhile.
      if (reading !== lines) return;
      if (done === true) break;
      const row = document.createElement('tr');
      row.append(...cellsOf(value.value).map((text) => textElement('td', text)));
      body.append(row);
    }
    const count = body.rows.length;
    shown.textContent = `Showing ${count} of ${total}.`;
    more.hidden = count >= total;
    more.disabled = false;
  };
  const failed = (): void => {
    shown.textContent = 'The rest of the file can’t be read. Choose it again.';
    more.hidden = true;
  };
  more.addEventListener('click', () => void showMore().catch(failed));
  return {
    clear: () => {
      lines = null;
      body.replaceChildren();
      section.hidden = true;
    },
    open: async (file, count) => {
      const stop = new AbortController().signal;
      const archive = await openArchive(slicedFile(file, { giveWay, onRead: () => undefined, stop }));
      total = count;
      lines = linesOf(archive, 'signals.ndjson', contentLine);
      section.hidden = false;
      await showMore().catch(failed);
    },
  };
}
