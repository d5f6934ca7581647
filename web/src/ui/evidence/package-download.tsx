import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { EvidencePackage } from '#schemas/api/evidence/packages.ts';
import type { auditPackageDownload, downloadPackage } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { FaultNote } from '../fault-note.tsx';
import { saveFile } from '../save-file.ts';
import { Verdict } from '../verdict.tsx';

interface PackageDownloadProps {
  readonly one: EvidencePackage;
  /** A customer's download, or an auditor's. */
  readonly endpoint: typeof downloadPackage | typeof auditPackageDownload;
}

/** Whether the download is the listed file; `unchecked`: the browser couldn’t hash it. */
type Download = 'same' | 'other' | 'unchecked';

/** A larger one would have to be held in memory as a whole for hashing. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;

async function compare(file: Blob, sha256: string | null): Promise<Download> {
  // Plain HTTP beyond localhost has no `crypto.subtle`.
  if (crypto.subtle === undefined || sha256 === null || file.size > MAX_HASHED_BYTES) return 'unchecked';
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === sha256 ? 'same' : 'other';
}

const dayOf = (iso: string): string => iso.slice(0, 10);

/** Downloads a package, compares it with the listed hash, and saves it as a file. */
export function PackageDownload({ one, endpoint }: PackageDownloadProps) {
  const { id, framework, startDate, endDate, sha256 } = one;
  const api = useApi();
  const fetching = useMutation<Download, Fault, void>({
    mutationFn: async () => {
      const file = await api.download(endpoint, { params: { id } });
      const result = await compare(file, sha256);
      if (result !== 'other')
        saveFile(file, `evidence-${framework}-${dayOf(startDate)}-${dayOf(endDate)}.zip`);
      return result;
    },
  });
  const { data, error, isPending, mutate } = fetching;
  return (
    <div className="how" aria-live="polite">
      <div className="buttons">
        <Button className="button primary" isDisabled={isPending} onPress={() => mutate()}>
          {isPending ? 'Downloading…' : 'Download'}
        </Button>
      </div>
      {error !== null && <FaultNote fault={error} />}
      {data === 'same' && <Verdict isGood>Downloaded. The SHA-256 hash matches.</Verdict>}
      {data === 'other' && (
        <Verdict isGood={false}>The download didn’t match this file’s hash and was discarded</Verdict>
      )}
      {data === 'unchecked' && <p>Downloaded. Compare its hash with the SHA-256 above.</p>}
    </div>
  );
}
