import { useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import type { SandboxVersion } from '#schemas/api/sandboxes.ts';
import { getSandboxVersion, listSandboxVersions } from '#schemas/endpoints.ts';
import { useGet } from '../../../api/use-get.ts';
import { useList } from '../../../api/use-list.ts';
import { label } from '../../../labels/label.ts';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { MoreRows } from '../../../ui/list/more-rows.tsx';
import { Tile } from '../../../ui/tile.tsx';
import { Time } from '../../../ui/time.tsx';
import { differencesOf } from './differences.ts';

const ROWS_AT_ONCE = 20;

const useVersion = (slug: string, version: number) =>
  useGet(getSandboxVersion, { params: { id: slug, version }, enabled: version > 0 });

/** What a version changed compared with the previous one; for the first, all its settings. */
function Differences({ slug, version }: { readonly slug: string; readonly version: number }) {
  const [after, before] = [useVersion(slug, version), useVersion(slug, version - 1)];
  const fault = after.error ?? before.error;
  if (fault !== null)
    return (
      <FaultNote
        fault={fault}
        retry={() => {
          void after.refetch();
          if (version > 1) void before.refetch();
        }}
      />
    );
  if (after.data === undefined || (version > 1 && before.data === undefined))
    return (
      <p className="muted" role="status">
        Loading…
      </p>
    );
  const differences = differencesOf(before.data?.sandbox ?? null, after.data.sandbox);
  return (
    <dl className="differences">
      {differences.map(({ field, gone, come }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {gone.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be equal
              <del key={index}>
                <span className="hidden">before: </span>
                {text}
              </del>
            ))}
            {come.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be equal
              <ins key={index}>
                <span className="hidden">now: </span>
                {text}
              </ins>
            ))}
          </dd>
        </div>
      ))}
      {differences.length === 0 && <p className="muted">No changes.</p>}
    </dl>
  );
}

function VersionRow({ slug, version }: { readonly slug: string; readonly version: SandboxVersion }) {
  const [isOpen, setIsOpen] = useState(false);
  const { version: number, createdAt, changedFields } = version;
  return (
    <li className="key">
      <div className="key-line">
        <span className="key-name">
          <strong>Version {number}</strong>{' '}
          <span className="muted">
            {number === 1
              ? 'initial'
              : changedFields.map((field) => label('sandboxField', field)).join(', ') || 'no changes'}
            , since <Time at={createdAt} />
          </span>
        </span>
        <ToggleButton className="button" isSelected={isOpen} onChange={setIsOpen}>
          Changes<span className="hidden"> in version {number}</span>
        </ToggleButton>
      </div>
      {isOpen && <Differences slug={slug} version={number} />}
    </li>
  );
}

/** All versions; each signal names the version that judged it. */
export function Versions({ slug }: { readonly slug: string }) {
  const versions = useList(listSandboxVersions, { params: { id: slug }, rowsAtOnce: ROWS_AT_ONCE });
  return (
    <Tile title="Versions" query={versions}>
      {({ rows }) => (
        <>
          <ul className="plain keys" aria-label="Versions">
            {rows.map((version) => (
              <VersionRow key={version.version} slug={slug} version={version} />
            ))}
          </ul>
          <MoreRows unit="version" query={versions} />
        </>
      )}
    </Tile>
  );
}
