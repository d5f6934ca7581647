import { createClient } from '../../cli/command/client.ts';
import { customerClient, type TestCustomer } from './customer.ts';
import type { TestService } from './service.ts';

/** Password of every account in the tests and in the examples of the API description. */
const PASSWORD = 'seven quiet grey herons';

export interface TestSession {
  /** Value of the cookie. */
  readonly token: string;
  readonly csrfToken: string;
}

export interface TestAccount extends TestCustomer {
  readonly email: string;
  /** Headers of every request in its session. */
  readonly sessionHeaders: Readonly<Record<string, string>>;
}

async function post(url: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${url} was answered with ${answer.status}`);
  const { customer, csrfToken } = (await answer.json()) as { customer: { id: string }; csrfToken: string };
  const token = /^[^=]+=([^;]+);/.exec(answer.headers.get('set-cookie') ?? '')?.[1];
  if (token === undefined) throw new Error('no session was given');
  return { customer, token, csrfToken };
}

/**
 * A customer whose user signed up over HTTP, with an API key. Plan ENTERPRISE. One IP address may sign up five an hour.
 */
export async function makeAccount(
  { url, internalSecret }: Pick<TestService, 'url' | 'internalSecret'>,
  name: string,
): Promise<TestAccount> {
  const email = `${name}@example.org`;
  const account = { email, password: PASSWORD, name, type: 'COMPANY' };
  const { customer, token, csrfToken } = await post(`${url}/accounts`, account);
  const sessionHeaders = { cookie: `cas_session=${token}`, 'x-csrf-token': csrfToken };
  const internal = createClient(url, { 'x-internal-secret': internalSecret });
  await internal.request('PATCH', `/internal/customers/${customer.id}`, { plan: 'ENTERPRISE' });
  const made = await createClient(url, sessionHeaders).request('POST', '/api-keys', { name: 'test' });
  const key = String(made.body.key);
  return { id: customer.id, key, client: customerClient(url, key), email, sessionHeaders };
}

/** Opens another session of the account. */
export const signIn = (url: string, email: string): Promise<TestSession> =>
  post(`${url}/sessions`, { email, password: PASSWORD });
