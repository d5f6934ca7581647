import { useId, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Sandbox } from '#schemas/api/sandboxes.ts';
import type { ScanResult } from '#schemas/api/scan.ts';
import { percent } from '../../../format/numbers.ts';
import { span } from '../../../format/times.ts';
import { explanationText } from '../../../labels/explanation.ts';
import { label, violationsText } from '../../../labels/label.ts';
import { Suppressed } from '../../../ui/evidence/suppressed.tsx';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { AllowValue, canAllow } from './allow-value.tsx';
import { stretchesOf } from './marks.ts';
import { useScan } from './use-scan.ts';

/** A scan accepts 256 KiB; text typed by hand is shorter. */
const MAX_CHARACTERS = 20_000;

const ACTION_TEXTS: Readonly<Record<ScanResult['action'], string>> = {
  ALLOW: 'send the prompt as is',
  REDACT: 'send the redacted prompt below',
  BLOCK: 'don’t send this prompt',
};

const typesText = (types: readonly string[]): string =>
  types.map((type) => label('entityType', type)).join(', ');

function Marked({ text, result }: { readonly text: string; readonly result: ScanResult }) {
  return (
    <p className="marked" role="group" aria-label="Prompt with matches highlighted">
      {stretchesOf(text, result.detectedEntities).map(({ start, text: own, types }) =>
        types.length === 0 ? (
          <span key={start}>{own}</span>
        ) : (
          <mark key={start} title={typesText(types)}>
            {own}
            <span className="mark-type"> {typesText(types)}</span>
          </mark>
        ),
      )}
    </p>
  );
}

interface FindProps {
  readonly entity: ScanResult['detectedEntities'][number];
  readonly onAllow: () => void;
}

function Match({ entity, onAllow }: FindProps) {
  const { type, redactedValue, confidence, ruleIndex } = entity;
  return (
    <tr>
      <td>
        {label('entityType', type)}
        {ruleIndex !== undefined && <span className="muted"> rule {ruleIndex + 1}</span>}
      </td>
      <td className="becomes">{redactedValue}</td>
      <td className="number">{percent(confidence)}</td>
      <td>
        {canAllow(entity) && (
          <Button className="link-button" onPress={onAllow}>
            Not personal data
          </Button>
        )}
      </td>
    </tr>
  );
}

interface ResultProps {
  readonly sandbox: Sandbox;
  readonly result: ScanResult;
}

function Matches({ sandbox, result }: ResultProps) {
  const { detectedEntities } = result;
  const [asked, setAsked] = useState<ScanResult['detectedEntities'][number] | null>(null);
  if (detectedEntities.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="scroll" aria-label="Matches" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Replacement</th>
            <th scope="col" className="number">
              Confidence
            </th>
            <th scope="col">Allow</th>
          </tr>
        </thead>
        <tbody>
          {detectedEntities.map((entity, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: matches of one response, whose order is fixed
            <Match key={index} entity={entity} onAllow={() => setAsked(entity)} />
          ))}
        </tbody>
      </table>
      {asked !== null && <AllowValue sandbox={sandbox} entity={asked} onDone={() => setAsked(null)} />}
    </section>
  );
}

function Result({ sandbox, text, result }: ResultProps & { readonly text: string }) {
  const { action, violations, reasoning, cleanPrompt, durationMs } = result;
  return (
    <>
      <p role="status">
        <strong className="scan-action" data-action={action}>
          {label('scanAction', action)}
        </strong>
        : {Object.hasOwn(ACTION_TEXTS, action) ? ACTION_TEXTS[action] : ''}.{' '}
        {violations.length > 0 ? `${violationsText(violations)}. ` : ''}
        <span className="muted">Scanned in {span(durationMs)}.</span>
      </p>
      <Marked text={text} result={result} />
      <Matches sandbox={sandbox} result={result} />
      <Suppressed suppressed={result.suppressed} />
      {action === 'REDACT' && (
        <>
          <h3>Redacted prompt</h3>
          <p className="marked">{cleanPrompt}</p>
        </>
      )}
      <p className="reasoning muted">{explanationText(reasoning)}</p>
    </>
  );
}

/** Scans the typed text with the sandbox's saved settings. */
export function TryIt({ sandbox }: { readonly sandbox: Sandbox }) {
  const [text, setText] = useState('');
  const { scanned, fault, isPending, retry } = useScan(sandbox.slug, sandbox.version, text);
  const id = useId();
  return (
    <section className="card try-it" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>Try it</h2>
        <span className="fresh" data-behind={isPending}>
          {isPending ? 'Scanning…' : `Saved version ${sandbox.version}`}
        </span>
      </header>
      <div className="field">
        <label htmlFor={`${id}-text`}>Test prompt</label>
        <textarea
          id={`${id}-text`}
          rows={5}
          maxLength={MAX_CHARACTERS}
          value={text}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-note`}
          onChange={({ target }) => setText(target.value)}
        />
        <span id={`${id}-note`} className="muted">
          Scanned as you type. Nothing is stored.
        </span>
      </div>
      {fault !== null && <FaultNote fault={fault} retry={retry} />}
      {fault === null && scanned !== null && text !== '' && <Result sandbox={sandbox} {...scanned} />}
    </section>
  );
}
