import { z } from 'zod';
import type { RouteContract } from '#schemas/api/contract.ts';
import { isEndless } from '#schemas/api/contract.ts';
import { ROUTES } from '#schemas/api/openapi/routes.ts';
import type { World } from '../world/world.ts';
import { type Shape, shapeOf } from './shapes.ts';

/** A request that reads served data. */
export interface Question {
  readonly contract: RouteContract;
  /** Its name on the page. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null when the response is a file. */
  readonly shape: Shape | null;
}

export const operationName = ({ method, path }: RouteContract): string => `${method} ${path}`;

/** Read operations that respond with JSON or a file of records. */
export const READS: readonly RouteContract[] = ROUTES.filter(
  (contract) => contract.method === 'GET' && contract.auth !== 'none' && !isEndless(contract),
);

/** The record whose id an operation's path takes. */
const ID_OF: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:auditor\/)?incidents\/|\/evidence\/incidents\//, 'incident'],
  [/\/sandboxes\//, 'sandbox'],
  [/^\/(?:audits|dashboard\/signals)\//, 'audit'],
  [/\/verifications\//, 'verification'],
  [/\/packages\//, 'package'],
  [/\/retention\/policies\//, 'retentionPolicy'],
  [/\/retention\/erasures\//, 'erased'],
  [/\/evidence\/policies\//, 'policy'],
  [/\/correlations\//, 'correlation'],
  [/^\/internal\/customers\//, 'customer'],
  [/^\/auditor\/incidents\//, 'incident'],
];

/** Required query of operations. */
const QUERIES: Readonly<Record<string, string>> = {
  '/proofs/inclusion': 'auditId={audit}',
  '/proofs/consistency': 'fromSize=10',
  '/hash-chain/verify': 'mode=full',
  '/signals/export': 'format=ndjson&from=2023-01-01',
};
const VERSION = '2';

export function questionsOf(world: World): Question[] {
  const ids: Readonly<Record<string, string>> = { ...world.ids, customer: world.customerId };
  let auditor = 0;
  return READS.map((contract) => {
    const { path, auth } = contract;
    const id = ids[ID_OF.find(([pattern]) => pattern.test(path))?.[1] ?? ''];
    const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
      name === 'version' ? VERSION : (id ?? `no-${name}`),
    );
    const own = Object.entries(QUERIES).find(([end]) => path.endsWith(end))?.[1];
    const query = [limitOf(contract), own?.replace('{audit}', ids.audit!)].filter(Boolean).join('&');
    if (auth === 'auditor') auditor = (auditor + 1) % world.auditors.length;
    const headers =
      auth === 'auditor'
        ? { authorization: `Bearer ${world.auditors[auditor]}` }
        : world.headers[auth as 'key' | 'session' | 'internal'];
    const url = query === '' ? filled : `${filled}?${query}`;
    return { contract, name: operationName(contract), url, headers, shape: shapeOfAnswer(contract) };
  });
}

function limitOf({ query }: RouteContract): string {
  if (query === undefined) return '';
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as {
    properties?: object;
  };
  return 'limit' in properties ? 'limit=100' : '';
}

export function shapeOfAnswer({ mediaTypes, responses, successStatus }: RouteContract): Shape | null {
  return mediaTypes === undefined ? shapeOf(responses[successStatus]!) : null;
}
