import { CSRF_HEADER } from '#schemas/api/accounts/cookie.ts';
import type { Answered, Harness } from './harness.ts';

export const PASSWORD = 'seven quiet grey herons';

interface Sent {
  readonly remoteAddress?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let made = 0;
/** A unique email. */
export const newEmail = (): string => `user-${++made}@example.org`;
let addresses = 0;
/** A unique address. */
export const newAddress = (): string => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

export const signUp = (harness: Harness, fields: object = {}, sent: Sent = {}): Promise<Answered> =>
  harness.call({
    method: 'POST',
    url: '/accounts',
    remoteAddress: newAddress(),
    ...sent,
    payload: { email: newEmail(), password: PASSWORD, name: 'Ann Roe', type: 'INDIVIDUAL', ...fields },
  });

export const signIn = (
  harness: Harness,
  email: string,
  password = PASSWORD,
  sent: Sent = {},
): Promise<Answered> =>
  harness.call({
    method: 'POST',
    url: '/sessions',
    remoteAddress: newAddress(),
    ...sent,
    payload: { email, password },
  });

/** The cookie of an answer, as a browser returns it. */
export const cookieOf = ({ headers }: Answered): string => String(headers['set-cookie']).split(';', 1)[0]!;

/** The headers of a signed-in page. */
export const pageOf = (answer: Answered): Readonly<Record<string, string>> => ({
  cookie: cookieOf(answer),
  [CSRF_HEADER]: answer.body.csrfToken,
});
