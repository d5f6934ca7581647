import { openArchive } from '#core/evidence/package/archive.ts';
import { linesOf } from '#core/evidence/package/read-files.ts';
import { type ContentLine, contentLine } from '#schemas/api/evidence/evidence-package.ts';
import { elementOf, textElement } from './elements.ts';
import { packageText } from './package-text.ts';
import { slicedFile } from './sliced-file.ts';

const SIGNALS_AT_ONCE = 25;

/** Signals of a verified package, some at a time. */
interface SignalsTable {
  clear(): void;
  /** Shows the first ones of a package with so many. */
  open(file: File, count: number): Promise<void>;
}

const cellsOf = ({ index, at, core, detail }: ContentLine): string[] => [
  String(index),
  at,
  packageText(core.riskLevel),
  packageText(core.violations),
  packageText(core.model),
  detail === null ? 'erased' : packageText(detail.reasoning),
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
    shown.textContent = `${count} of ${total} shown.`;
    more.hidden = count >= total;
    more.disabled = false;
  };
  const failed = (): void => {
    shown.textContent = 'The file could not be read any further. Choose it again.';
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
