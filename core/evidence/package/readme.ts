import { NOTICE } from '#schemas/api/evidence/attestations.ts';
import {
  MANIFEST,
  type Manifest,
  type PackageFile,
  SIGNATURE,
} from '#schemas/api/evidence/evidence-package.ts';

const EXPLAINED: Readonly<Record<PackageFile, string>> = {
  'README.txt': 'this text',
  'attestations.json': 'what the evidence shows for each control of the framework',
  'checkpoint.txt': 'a signed note: size and root of the ledger that everything here was taken from',
  'coverage.json': 'of how many controls there is evidence, and of which there is none',
  'hash-chain/entries.ndjson': 'the entries of the ledger, one a line, with their hashes',
  'hash-chain/range.json': 'the subtrees next to them, which complete the tree up to the signed root',
  'incidents.ndjson':
    'every move of the incidents of these signals, one a line, with the salts of its hashes',
  'oscal/assessment-results.json': 'the same attestations for programs that read OSCAL assessment results',
  'signals.ndjson': 'every signal in scope, one a line, with the salts of its hashes',
  'verify.html': 'a page that verifies this archive in a browser with the network off',
};

const PAGE = [
  'or take verify.html out of the archive, open it in a browser, and give it the archive and the key.',
  'An attacker who changed an archive could have changed its page too. The page is the same in all packages',
  'of a release: keep a copy that you trust, and check other packages with it.',
  '',
];

/** The first file for a person who opens the archive. */
export function readmeText(
  of: Omit<Manifest, 'format' | 'notice' | 'files'>,
  names: readonly PackageFile[],
): string {
  const { framework, periodStart, periodEnd, treeSize, generatedAt, scope, counts } = of;
  const scoped =
    scope === 'NAMED'
      ? `signals of the sandboxes that name ${framework}`
      : `all signals, for no sandbox names ${framework}`;
  const width = Math.max(...[...names, MANIFEST, SIGNATURE].map(({ length }) => length));
  const row = (name: string, text: string): string => `  ${name.padEnd(width)}  ${text}`;
  return `${[
    `Evidence package: ${framework}, ${periodStart} to ${periodEnd}`,
    '',
    `This is ${NOTICE}. It supports record-keeping.`,
    `It holds ${counts.signals} signals (${scoped}), as the ledger had them at its`,
    `checkpoint of ${treeSize} entries, which was signed at ${generatedAt}.`,
    'Signals that were erased before are not in it; their entries in the hash chain are.',
    'Users and roles in incidents are what the holder of the API key said (assertedByKeyId), except where that names a',
    'user ("user:" and an id), who was signed in; roles are said by the user itself then.',
    '',
    'To verify it, with no service and no network:',
    '',
    '  cas verify package.zip --key <verifier key>',
    '',
    ...(names.includes('verify.html') ? PAGE : []),
    'The verifier key is the field vkey of GET /evidence/hash-chain/keys. Use a copy that you',
    'saved earlier, or one from a source that you trust: a key that comes with the archive proves nothing.',
    '',
    'Files:',
    '',
    ...names.map((name) => row(name, EXPLAINED[name])),
    row(MANIFEST, 'what the archive is, and SHA-256 and size of every file'),
    row(SIGNATURE, `a signed note (C2SP) whose text is ${MANIFEST}`),
  ].join('\n')}\n`;
}
