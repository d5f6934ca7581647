import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Question } from './questions.ts';
import { changedFields, type Values, valuesOf } from './shapes.ts';

/** An operation's response. */
export interface Served {
  readonly status: number;
  /** Error code. */
  readonly code: string | null;
  readonly values: Values;
  readonly bytes: Buffer;
}
export type Snapshot = ReadonlyMap<string, Served>;

/** Field that stands for a whole response that is a file. */
export const FILE = 'the file';

/** A verification records its result, and other operations serve that. */
const notes = ({ name }: Question): boolean => name.endsWith('/hash-chain/verify');

export async function snapshotOf(app: FastifyInstance, questions: readonly Question[]): Promise<Snapshot> {
  const answer = async (question: Question) => [question.name, await served(app, question)] as const;
  const first = await Promise.all(questions.filter((one) => !notes(one)).map(answer));
  return new Map([...first, ...(await Promise.all(questions.filter(notes).map(answer)))]);
}

async function served(app: FastifyInstance, { url, headers, shape }: Question): Promise<Served> {
  const { status, bytes } = await ask(app, url, headers);
  const isError = status >= 400;
  const digest = (): Values =>
    new Map([[FILE, new Map([['', createHash('sha256').update(bytes).digest('hex')]])]]);
  const body: unknown = isError || shape !== null ? JSON.parse(bytes.toString()) : null;
  const values = isError ? new Map() : shape === null ? digest() : valuesOf(shape, body);
  return { status, code: isError ? (body as { code: string }).code : null, values, bytes };
}

/** A truncated response: its reader gets nothing valid. */
const BROKEN_OFF = { status: 599, bytes: Buffer.from('{"code":"BROKEN_OFF"}') };

const ask = (app: FastifyInstance, url: string, headers: Question['headers']) =>
  app.inject({ url, headers }).then(
    ({ statusCode, rawPayload }) => ({ status: statusCode, bytes: rawPayload }),
    () => BROKEN_OFF,
  );

/** A field with a different value in the later response. */
export interface ServedField {
  readonly operation: string;
  readonly field: string;
}

/** The whole record, no longer served. */
export const GONE = 'the record';

export function differences(before: Snapshot, after: Snapshot): ServedField[] {
  return [...before].flatMap(([operation, one]) => {
    const other = after.get(operation)!;
    if (one.status >= 400) return [];
    if (other.status === 404) return [{ operation, field: GONE }];
    if (other.status >= 400) return [];
    return changedFields(one.values, other.values).map((field) => ({ operation, field }));
  });
}

/** Operations that fail rather than report that nothing exists. */
export const refusals = (before: Snapshot, after: Snapshot): string[] =>
  [...after].flatMap(([operation, { status, code }]) =>
    status >= 400 && status !== 404 && before.get(operation)!.status < 400 ? [`${operation} ${code}`] : [],
  );
