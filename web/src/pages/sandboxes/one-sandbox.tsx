import { getSandbox } from '#schemas/endpoints.ts';
import { useGet } from '../../api/use-get.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Time } from '../../ui/time.tsx';
import { EditSandbox } from './form/edit-sandbox.tsx';
import { TryIt } from './try-it/try-it.tsx';
import { Versions } from './versions/versions.tsx';

/** One sandbox, by slug: its settings, a prompt to try them with, and earlier versions. */
export function OneSandbox({ slug, onLeave }: { readonly slug: string; readonly onLeave: () => void }) {
  const { data, error, refetch } = useGet(getSandbox, {
    params: { id: slug },
    query: { includeDeleted: 'true' },
  });
  const sandbox = data?.data;
  return (
    <>
      <p className="back">
        <PageLink to="/sandboxes">All sandboxes</PageLink>
      </p>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      {sandbox === undefined && error === null && (
        <p className="muted" role="status">
          Loading…
        </p>
      )}
      {sandbox !== undefined && (
        <>
          <p className="sheet-summary">
            <strong>{sandbox.name}</strong> <code>{sandbox.slug}</code>
            <PageLink to={`/signals?sandboxSlug=${encodeURIComponent(sandbox.slug)}`}>View signals</PageLink>
            <PageLink to={`/audits?sandboxSlug=${encodeURIComponent(sandbox.slug)}`}>View audits</PageLink>
          </p>
          {sandbox.deletedAt !== undefined && (
            <p className="stale-note">
              Deleted <Time at={sandbox.deletedAt} withAge />. Its signals and versions are kept.
            </p>
          )}
          <div className="two">
            <div className="one-of-two">
              <EditSandbox sandbox={sandbox} onDeleted={onLeave} />
            </div>
            <div className="one-of-two">
              {sandbox.deletedAt === undefined && <TryIt sandbox={sandbox} />}
              <Versions slug={sandbox.slug} />
            </div>
          </div>
        </>
      )}
    </>
  );
}
