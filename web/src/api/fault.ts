/** A failed call, as reported by the service or the network. */
export class Fault extends Error {
  /** 0: no response. */
  readonly status: number;
  readonly code: string;
  /** Identifies the call in the service's log. */
  readonly requestId: string | null;
  readonly details: readonly { readonly path: string; readonly message: string }[];

  constructor(said: {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly requestId?: string | null;
    readonly details?: readonly { readonly path: string; readonly message: string }[];
  }) {
    super(said.message);
    this.name = 'Fault';
    this.status = said.status;
    this.code = said.code;
    this.requestId = said.requestId ?? null;
    this.details = said.details ?? [];
  }
}

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

const detailsIn = (value: unknown): { path: string; message: string }[] =>
  Array.isArray(value)
    ? value.map((one) => ({ path: text(one?.path, ''), message: text(one?.message, '') }))
    : [];

/** The fault in a response of any form: a proxy may have responded. */
export function faultOf(status: number, body: unknown): Fault {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  return new Fault({
    status,
    code: text(said.code, 'UNKNOWN'),
    message: text(said.message, `The service responded with status ${status}`),
    requestId: typeof said.requestId === 'string' ? said.requestId : null,
    details: detailsIn(said.details),
  });
}

export const noAnswer = (): Fault =>
  new Fault({
    status: 0,
    code: 'NO_ANSWER',
    message: 'Can’t reach the service. It may be restarting, or you’re offline.',
  });
