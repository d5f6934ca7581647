import { type Client, createClient } from '../../command/client.ts';
import { slugsUnder } from '../steps/customer.ts';
import { type Desk, dataOf, described, heading, listOf, refusalOf } from '../steps/desk.ts';
import { readAllSignals } from '../steps/report.ts';

/** An auditor who sees one framework, until the token is revoked. */
export async function inviteAuditor(desk: Desk, framework: string, other: string): Promise<void> {
  heading(`8. An auditor, for ${framework} alone`);
  const { client, show, steps } = desk;
  const auditor = dataOf(
    await client.call('POST', '/evidence/auditors', {
      name: 'Carol of Example Audits',
      permissions: ['READ_ATTESTATIONS', 'READ_SIGNALS', 'VERIFY_HASH_CHAIN'],
      frameworks: [framework],
    }),
  );
  const id = String(auditor.id);
  const theirs = createClient(client.baseUrl, { authorization: `Bearer ${String(auditor.token)}` });
  const calls = await lookAround(desk, theirs, { framework, other });
  await client.call('DELETE', `/evidence/auditors/${id}`);
  const revoked = await refusalOf(theirs.call('GET', '/auditor/attestations'));
  show(`revoked, her next call is answered ${described(revoked)}`, revoked?.statusCode === 401);
  steps.push({
    what: 'an auditor’s token, made and revoked',
    entries: [1, 2].map((version) => ({ kind: 'KEY_EVENT', id: `auditor:${id}:${version}` })),
  });
  steps.push({
    what: `${calls} calls of the auditor, refused ones too`,
    entries: Array.from({ length: calls }, () => ({ kind: 'AUDITOR_ACCESS', id: null })),
  });
}

interface Frameworks {
  readonly framework: string;
  readonly other: string;
}

/** What the auditor sees and does not; returns how many calls with an active token that took. */
async function lookAround(
  { client, show }: Desk,
  theirs: Client,
  { framework, other }: Frameworks,
): Promise<number> {
  const controls = listOf(await theirs.call('GET', '/auditor/attestations'));
  show(
    `she sees ${controls.length} controls, all of ${framework}`,
    controls.length > 0 && controls.every((one) => one.framework === framework),
  );
  const slugs = slugsUnder(framework);
  const all = await readAllSignals(client);
  const within = all.filter(({ sandboxSlug }) => slugs.includes(sandboxSlug)).length;
  const { total } = (await theirs.call('GET', '/auditor/signals?limit=1')).body.pagination as unknown as {
    total: number;
  };
  show(
    `she sees ${total} of ${all.length} signals: those of sandboxes under ${framework}`,
    total === within && within < all.length,
  );
  const verification = dataOf(await theirs.call('GET', '/auditor/hash-chain/verify'));
  show(`the chain that she verifies is ${String(verification.status)}`, verification.valid === true);
  for (const [what, path] of [
    [`attestations of ${other} are not hers`, `/auditor/attestations?framework=${other}`],
    ['incidents were not granted', '/auditor/incidents'],
  ] as const) {
    const refused = await refusalOf(theirs.call('GET', path));
    show(`${what}: ${described(refused)}`, refused?.statusCode === 403);
  }
  return 5;
}
