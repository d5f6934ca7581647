import {
  auditAttestations,
  auditHashChain,
  auditIncidents,
  auditSignals,
  createAuditor,
  revokeAuditor,
} from '#schemas/endpoints.ts';
import { type Client, createClient } from '../../command/client.ts';
import { slugsUnder } from '../steps/customer.ts';
import { type Desk, dataOf, described, heading, listOf, refusalOf } from '../steps/desk.ts';
import { readAllSignals } from '../steps/report.ts';

/** An auditor who sees one framework, until the token is revoked. */
export async function inviteAuditor(desk: Desk, framework: string, other: string): Promise<void> {
  heading(`8. An auditor, for ${framework} alone`);
  const { client, show, steps } = desk;
  const auditor = dataOf(
    await client.call(createAuditor, {
      body: {
        name: 'Carol of Example Audits',
        permissions: ['READ_ATTESTATIONS', 'READ_SIGNALS', 'VERIFY_HASH_CHAIN'],
        frameworks: [framework],
      },
    }),
  );
  const id = String(auditor.id);
  const theirs = createClient(client.baseUrl, { authorization: `Bearer ${String(auditor.token)}` });
  const calls = await lookAround(desk, theirs, { framework, other });
  await client.call(revokeAuditor, { params: { id } });
  const revoked = await refusalOf(theirs.call(auditAttestations));
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
  const controls = listOf(await theirs.call(auditAttestations));
  show(
    `she sees ${controls.length} controls, all of ${framework}`,
    controls.length > 0 && controls.every((one) => one.framework === framework),
  );
  const slugs = slugsUnder(framework);
  const all = await readAllSignals(client);
  const within = all.filter(({ sandboxSlug }) => slugs.includes(sandboxSlug)).length;
  const { total } = (await theirs.call(auditSignals, { query: { limit: 1 } })).body.pagination as unknown as {
    total: number;
  };
  show(
    `she sees ${total} of ${all.length} signals: those of sandboxes under ${framework}`,
    total === within && within < all.length,
  );
  const verification = dataOf(await theirs.call(auditHashChain));
  show(`the chain that she verifies is ${String(verification.status)}`, verification.valid === true);
  for (const [what, call] of [
    [
      `attestations of ${other} are not hers`,
      () => theirs.call(auditAttestations, { query: { framework: other } }),
    ],
    ['incidents were not granted', () => theirs.call(auditIncidents)],
  ] as const) {
    const refused = await refusalOf(call());
    show(`${what}: ${described(refused)}`, refused?.statusCode === 403);
  }
  return 5;
}
