import { Refusal } from '#platform/flow/refusal.ts';
import type { Documents } from '#platform/state/port.ts';
import { hasSlug, nearestSlug } from '#records/sandboxes/nearest-slug.ts';
import type { RouteContract } from '#schemas/api/contract.ts';
import type { ErrorDetail } from '#schemas/api/errors.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import { getSandbox, listSandboxes } from '#schemas/endpoints.ts';
import { ERRORS } from '#schemas/errors.ts';
import { shownName } from '#schemas/nearest-name.ts';

interface Named {
  readonly params: unknown;
  readonly body: unknown;
  readonly caller: { readonly customerId: string } | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Maximum number of slugs that are looked up for one refusal. */
const MAX_EXPLAINED = 5;

/** Rejects with the error; if it reports something missing, adds what was probably meant. */
export type ExplainMissing = (error: unknown, contract: RouteContract, named: Named) => Promise<never>;

/** Suggests only sandboxes of the caller's customer. The message is fixed, so the suggestion is a detail. */
export const explainMissing =
  (documents: Documents): ExplainMissing =>
  async (error, contract, named) => {
    if (!(error instanceof Refusal) || error.details !== undefined) throw error;
    if (error.code === 'SANDBOX_NOT_FOUND' && named.caller !== null) {
      const details = await explainSlugs(documents, named.caller.customerId, slugsIn(named.body));
      throw details.length === 0 ? error : new Refusal('SANDBOX_NOT_FOUND', { details });
    }
    if (error.code === 'NOT_FOUND' && error.message === ERRORS.NOT_FOUND.message)
      throw await explainId(documents, error, contract, named);
    throw error;
  };

/** Every path where a body names a sandbox, with its slug. */
function slugsIn(body: unknown): readonly (readonly [path: string, slug: string])[] {
  const { sandbox, sandboxSlug, sandboxSlugs = [], filter } = (body ?? {}) as Fields;
  const named: (readonly [string, unknown])[] = [
    ['sandbox', sandbox],
    ['sandboxSlug', sandboxSlug],
    ['filter.sandboxSlug', (filter as Fields | undefined)?.sandboxSlug],
    ...(sandboxSlugs as readonly unknown[]).map((slug, index) => [`sandboxSlugs.${index}`, slug] as const),
  ];
  return named.flatMap(([path, slug]) => (typeof slug === 'string' ? [[path, slug] as const] : []));
}

async function explainSlugs(
  documents: Documents,
  customerId: string,
  slugs: readonly (readonly [path: string, slug: string])[],
): Promise<ErrorDetail[]> {
  const details: ErrorDetail[] = [];
  for (const [path, slug] of slugs) {
    if (details.length === MAX_EXPLAINED) break;
    if (await hasSlug(documents, customerId, slug)) continue;
    details.push({ path, message: await sayNoSandbox(documents, customerId, slug) });
  }
  return details;
}

async function sayNoSandbox(documents: Documents, customerId: string, slug: string): Promise<string> {
  const shown = shownName(slug);
  const missing = shown === null ? 'No sandbox has this slug' : `No sandbox "${shown}"`;
  const nearest = await nearestSlug(documents, customerId, slug);
  return nearest === null
    ? `${missing}. ${listSandboxes.method} ${listSandboxes.path} lists yours`
    : `${missing}. Did you mean "${nearest}"?`;
}

async function explainId(
  documents: Documents,
  error: Refusal,
  { path }: RouteContract,
  { params, caller }: Named,
): Promise<Refusal> {
  const { id } = (params ?? {}) as Fields;
  if (typeof id !== 'string' || isId(id)) return error;
  if (!path.startsWith(getSandbox.path))
    return new Refusal('NOT_FOUND', {
      message: 'Not found: ids are UUIDs in lower case, and this one is not',
    });
  if (caller === null || (await hasSlug(documents, caller.customerId, id))) return error;
  return new Refusal('NOT_FOUND', {
    message: `Not found. ${await sayNoSandbox(documents, caller.customerId, id)}`,
  });
}
