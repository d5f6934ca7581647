import type {
  AuditorVerification,
  AuditorVerificationJob,
} from '#schemas/api/evidence/auditors/auditor-view.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { SigningKeyNotice } from '../../ui/evidence/signing-key-notice.tsx';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';

/** Faults that are named; a broken chain may have one for each entry. */
const NAMED = 20;

const verdictOf = ({ status, brokenAt }: AuditorVerification): string => {
  if (status === 'EMPTY') return 'There is no entry yet';
  return brokenAt === null ? 'Valid' : `Broken at entry ${exactNumber(brokenAt.index)}: ${brokenAt.reason}`;
};

function Result({ result }: { readonly result: AuditorVerification }) {
  const { valid, treeSize, checkedEntries, coverage, lastFullVerificationAt, errors, notCovered } = result;
  return (
    <>
      <Verdict isGood={valid}>{verdictOf(result)}</Verdict>
      <SigningKeyNotice signingKey={result.signingKey} />
      <dl className="facts">
        <div>
          <dt>entries checked</dt>
          <dd>
            {exactNumber(checkedEntries)} of {exactNumber(treeSize)}
          </dd>
        </div>
        <div>
          <dt>hashed again within a day</dt>
          <dd>{percent(coverage)}</dd>
        </div>
        <div>
          <dt>all of it at once</dt>
          <dd>{lastFullVerificationAt === null ? 'never yet' : <Time at={lastFullVerificationAt} />}</dd>
        </div>
        <div>
          <dt>root</dt>
          <dd>
            <code>{result.rootHash ?? 'none'}</code>
          </dd>
        </div>
      </dl>
      {errors.length > 0 && (
        <ul className="plain rows">
          {errors.slice(0, NAMED).map(({ index, reason }) => (
            <li key={`${index} ${reason}`}>
              Entry {exactNumber(index)}: {reason}
            </li>
          ))}
          {errors.length > NAMED && <li className="muted">and {errors.length - NAMED} more</li>}
        </ul>
      )}
      {notCovered.length > 0 && (
        <div className="muted">
          No verification by the service itself finds:
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

/** What a verification came to; one that came to nothing says why. */
export function Verified({ verified }: { readonly verified: AuditorVerification | AuditorVerificationJob }) {
  if (!('progress' in verified)) return <Result result={verified} />;
  return <Verdict isGood={false}>No result: {verified.failure ?? 'the job ended'}. Ask again.</Verdict>;
}
