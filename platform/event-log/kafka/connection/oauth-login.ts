/** The broker rejected the token. */
export class TokenRefused extends Error {
  constructor(status: string) {
    super(`the broker rejected the token${status}`);
    this.name = 'TokenRefused';
  }
}

/** What the client passes to a custom login. */
interface SaslExchange {
  /** Sends the bytes and returns the broker's; both are prefixed with their length. */
  saslAuthenticate(exchange: {
    readonly request: { encode(): Promise<Buffer> };
    readonly response: {
      decode(bytes: Buffer): Promise<Buffer>;
      parse(bytes: Buffer): Promise<string>;
    };
  }): Promise<string>;
}

const SEPARATOR = '\u0001';
const LENGTH_BYTES = 4;
/** Only statuses of RFC 7628 and RFC 6750 are shown. */
const STATUS = /^[a-z_]{1,40}$/;

/**
 * Login with a token (RFC 7628). A broker rejects a token with a challenge that is not a protocol error. The client's
 * own login takes it for success, and the next request would then be answered as if no topic existed.
 */
export const oauthLogin = (token: () => Promise<string>): object => ({
  mechanism: 'oauthbearer',
  authenticationProvider: ({ saslAuthenticate }: SaslExchange) => ({
    authenticate: async (): Promise<void> => {
      const message = `n,,${SEPARATOR}auth=Bearer ${await token()}${SEPARATOR}${SEPARATOR}`;
      const challenge = await saslAuthenticate({
        request: { encode: async () => lengthPrefixed(message) },
        response: {
          decode: async (bytes) => bytes,
          parse: async (bytes) => bytes.subarray(LENGTH_BYTES).toString('utf8'),
        },
      });
      if (challenge !== '') throw new TokenRefused(statusOf(challenge));
    },
  }),
});

function lengthPrefixed(message: string): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(Buffer.byteLength(message));
  return Buffer.concat([length, Buffer.from(message)]);
}

function statusOf(challenge: string): string {
  try {
    const { status } = JSON.parse(challenge) as { status?: unknown };
    return typeof status === 'string' && STATUS.test(status) ? ` (${status})` : '';
  } catch {
    return '';
  }
}
