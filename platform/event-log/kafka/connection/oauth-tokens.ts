import { singleFlight } from '#platform/flow/single-flight.ts';

interface OAuthClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** null: no scope is requested. */
  readonly scope: string | null;
}

/** The identity provider returned no token. The message says what to check and contains neither secret nor token. */
export class NoToken extends Error {
  constructor(host: string, what: string) {
    super(`the token endpoint at ${host} ${what}`);
    this.name = 'NoToken';
  }
}

/** Within the time that a connection has to log in. */
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** A token is replaced after this share of its lifetime, so that none expires on its way to a broker. */
const USED_PART = 0.8;
/** Lifetime of a token whose provider does not state one; RFC 6749 only recommends it. */
const DEFAULT_LIFETIME_S = 300;

/**
 * Requests tokens with client credentials (RFC 6749, section 4.4) and reuses each until it is about to expire. Rejects
 * with `NoToken`. `clock`: monotonic, ms.
 */
export function oauthTokens(
  { tokenUrl, clientId, clientSecret, scope }: OAuthClient,
  clock: () => number = () => performance.now(),
): () => Promise<string> {
  const { host } = new URL(tokenUrl);
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === null ? {} : { scope }),
  });
  let cached: { readonly token: string; readonly until: number } | null = null;

  const ask = singleFlight(async (): Promise<string> => {
    const requested = clock();
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      body,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: Error & { cause?: { code?: string } }) => {
      throw new NoToken(
        host,
        `is unreachable (${error.cause?.code ?? error.name}); check KAFKA_OAUTH_TOKEN_URL`,
      );
    });
    const found = tokenOf(await answerOf(answer, host));
    if (!answer.ok)
      throw new NoToken(
        host,
        `returned ${answer.status}${found.error}; check KAFKA_OAUTH_CLIENT_ID, KAFKA_OAUTH_CLIENT_SECRET and KAFKA_OAUTH_SCOPE`,
      );
    if (found.token === null)
      throw new NoToken(host, 'returned no access_token; check KAFKA_OAUTH_TOKEN_URL');
    cached = { token: found.token, until: requested + found.lifetimeS * 1_000 * USED_PART };
    return found.token;
  });
  return async () => (cached !== null && clock() < cached.until ? cached.token : ask());
}

async function answerOf(answer: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw new NoToken(host, 'broke off its answer');
  }
  if (bytes > MAX_ANSWER_BYTES)
    throw new NoToken(host, `returned more than ${MAX_ANSWER_BYTES} bytes; check KAFKA_OAUTH_TOKEN_URL`);
  return Buffer.concat(chunks).toString('utf8');
}

/** Only error codes of RFC 6749 are shown; a description may contain anything. */
const ERROR_CODE = /^[a-z_]{1,40}$/;

function tokenOf(text: string): { token: string | null; lifetimeS: number; error: string } {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Reported as an answer without a token.
  }
  const { access_token, expires_in, error } = (parsed ?? {}) as Record<string, unknown>;
  const seconds = Number(expires_in);
  return {
    token: typeof access_token === 'string' && access_token !== '' ? access_token : null,
    lifetimeS: expires_in !== undefined && seconds > 0 ? seconds : DEFAULT_LIFETIME_S,
    error: typeof error === 'string' && ERROR_CODE.test(error) ? ` (${error})` : '',
  };
}
