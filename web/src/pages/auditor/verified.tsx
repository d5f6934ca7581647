import type {
  AuditorVerification,
  AuditorVerificationJob,
} from '#schemas/api/evidence/auditors/auditor-view.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { inSentence } from '../../labels/label.ts';
import { SigningKeyNotice } from '../../ui/evidence/signing-key-notice.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { reasonOf } from '../chain/reasons.ts';

/** Maximum number of faults listed; a broken chain may have one per entry. */
const NAMED = 20;

const verdictOf = ({ status, brokenAt }: AuditorVerification): string => {
  if (status === 'EMPTY') return 'No ledger entries yet';
  return brokenAt === null
    ? 'Valid'
    : `Broken at entry ${exactNumber(brokenAt.index)}: ${inSentence(reasonOf(brokenAt.reason))}`;
};

function Result({ result }: { readonly result: AuditorVerification }) {
  const { valid, treeSize, checkedEntries, coverage, lastFullVerificationAt, errors, notCovered } = result;
  return (
    <>
      <Verdict isGood={valid}>{verdictOf(result)}</Verdict>
      <SigningKeyNotice signingKey={result.signingKey} />
      <dl className="facts">
        <div>
          <dt>Entries checked</dt>
          <dd>
            {exactNumber(checkedEntries)} of {exactNumber(treeSize)}
          </dd>
        </div>
        <div>
          <dt>24-hour coverage</dt>
          <dd>{percent(coverage)}</dd>
        </div>
        <div>
          <dt>Last full check</dt>
          <dd>{lastFullVerificationAt === null ? 'never' : <Time at={lastFullVerificationAt} />}</dd>
        </div>
        <div>
          <dt>Root hash</dt>
          <dd>
            <code>{result.rootHash ?? 'none'}</code>
          </dd>
        </div>
      </dl>
      {errors.length > 0 && (
        <ul className="plain rows">
          {errors.slice(0, NAMED).map(({ index, reason }) => (
            <li key={`${index} ${reason}`}>
              Entry {exactNumber(index)}: {inSentence(reasonOf(reason))}
            </li>
          ))}
          {errors.length > NAMED && <li className="muted">and {errors.length - NAMED} more</li>}
        </ul>
      )}
      {notCovered.length > 0 && (
        <div className="muted">
          This check can’t detect:
          <ul>
            {notCovered.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** The result of a verification, or why it has none. */
export function Verified({ verified }: { readonly verified: AuditorVerification | AuditorVerificationJob }) {
  if (!('progress' in verified)) return <Result result={verified} />;
  return (
    <Verdict isGood={false}>
      Verification didn’t finish: {verified.failure ?? 'the job ended'}. Try again.
    </Verdict>
  );
}
