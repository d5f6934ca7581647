import { useSearch } from '../../address/use-search.ts';
import { CheckpointTile } from './checkpoint-tile.tsx';
import { Consistency } from './consistency.tsx';
import { KeysTile } from './keys-tile.tsx';
import { Verification } from './verification.tsx';

/** Whether stored records are unchanged, and how others can check that. `open`: a verification's job. */
export function Page() {
  const { search, change } = useSearch();
  return (
    <>
      <header className="page-head">
        <h1>Ledger</h1>
      </header>
      <p className="page-intro muted">
        Every signal, decision and erasure is recorded in a hash-chained ledger. Verification recomputes the
        hashes and compares them with the last signed checkpoint.
      </p>
      <Verification jobId={search.get('open')} onJob={(id) => change({ open: id })} />
      <div className="tiles chain-tiles">
        <CheckpointTile />
        <KeysTile />
        <Consistency />
      </div>
    </>
  );
}
