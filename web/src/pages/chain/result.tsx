import type { ReactNode } from 'react';
import type { ChainFault, Verification } from '#schemas/api/evidence/hash-chain.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
import { counted, exactNumber, percent } from '../../format/numbers.ts';
import { inSentence, label } from '../../labels/label.ts';
import { SigningKeyNotice } from '../../ui/evidence/signing-key-notice.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { entriesOf, isSignalId, reasonOf } from './reasons.ts';

const LISTED = 20;

function EntryLink({ id }: { readonly id: string | null }) {
  if (id === null) return <>unknown</>;
  if (!isSignalId(id)) return <code>{id}</code>;
  return <PageLink to={signalsAddress({ open: id })}>{id}</PageLink>;
}

function Faults({ errors }: { readonly errors: readonly ChainFault[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="scroll" aria-label="Faults" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col" className="number">
              Entry
            </th>
            <th scope="col">Problem</th>
            <th scope="col">Signal or record</th>
          </tr>
        </thead>
        <tbody>
          {errors.slice(0, LISTED).map(({ index, toIndex, id, reason }) => (
            <tr key={`${index} ${reason} ${id}`}>
              <td className="number">{entriesOf({ index, toIndex })}</td>
              <td>{reasonOf(reason)}</td>
              <td>
                <EntryLink id={id} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {errors.length > LISTED && <p>and {counted(errors.length - LISTED, 'more fault', 'more faults')}</p>}
    </section>
  );
}

function Headline({ data }: { readonly data: Verification }) {
  const { status, brokenAt, checkedEntries, treeSize } = data;
  if (status === 'EMPTY') return <p>No ledger entries yet, so there is nothing to verify.</p>;
  if (brokenAt === null)
    return (
      <Verdict isGood={status === 'VALID'}>
        {label('verificationResult', status)} · {exactNumber(checkedEntries)} of{' '}
        {counted(treeSize, 'entry', 'entries')} checked
      </Verdict>
    );
  return (
    <>
      <Verdict isGood={false}>
        Broken at entry {entriesOf(brokenAt)}: {inSentence(reasonOf(brokenAt.reason))}
      </Verdict>
      <p>
        Signal or record: <EntryLink id={brokenAt.id} />
      </p>
    </>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A verification's result, what it covered, and what it cannot find. */
export function Result({ data }: { readonly data: Verification }) {
  const { verifiedFrom, verifiedTo, lastFullVerificationAt, errors, notCovered } = data;
  return (
    <>
      <Headline data={data} />
      <SigningKeyNotice signingKey={data.signingKey} />
      {errors.length > 0 && <Faults errors={errors} />}
      <dl className="facts">
        <Fact name="Entries checked">
          {exactNumber(data.checkedEntries)} of {exactNumber(data.treeSize)}
          {verifiedFrom !== null && verifiedTo !== null && (
            <span className="muted">
              {' '}
              {data.mode === 'incremental' && data.checkedEntries < verifiedTo - verifiedFrom + 1
                ? '(new entries and a random sample of older ones)'
                : `(entries ${exactNumber(verifiedFrom)} to ${exactNumber(verifiedTo)})`}
            </span>
          )}
        </Fact>
        <Fact name="Records compared">{exactNumber(data.checkedDocuments)}</Fact>
        <Fact name="24-hour coverage">{percent(data.coverage)}</Fact>
        <Fact name="Last full check">
          {lastFullVerificationAt === null ? 'never' : <Time at={lastFullVerificationAt} withAge />}
        </Fact>
        <Fact name="Erased signals">{exactNumber(data.erasedSignals)}</Fact>
        <Fact name="Mode">{label('verificationMode', data.mode)}</Fact>
        <Fact name="Duration">{exactNumber(Math.round(data.durationMs))} ms</Fact>
      </dl>
      {notCovered.length > 0 && (
        <details>
          <summary>What this check can’t detect</summary>
          <ul className="limits">
            {notCovered.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
