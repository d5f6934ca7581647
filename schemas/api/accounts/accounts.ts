import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { CUSTOMER_TYPES, PLANS } from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { displayName, emailAddress, isoTime, MAX_EMAIL, single, uuid } from '../fields/fields.ts';
import { isGuessable } from './guessable-password.ts';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 128;

/** Characters as people count them, so that one outside the basic plane is one. */
const lengthOf = (text: string): number => [...text].length;

const newPassword = z
  .string()
  // Checked first, because the exact count walks the text.
  .max(2 * MAX_PASSWORD, `Expected at most ${MAX_PASSWORD} characters`)
  .refine(
    (text) => lengthOf(text) >= MIN_PASSWORD && lengthOf(text) <= MAX_PASSWORD,
    `Expected ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`,
  )
  .meta({ minLength: MIN_PASSWORD, maxLength: MAX_PASSWORD, format: 'password' });

export const newAccount = z
  .object({
    email: emailAddress.meta({ description: 'whom the account belongs to; case does not matter' }),
    password: newPassword.meta({
      description: 'of the user; only a hash of it is stored. Not one of those that are tried first',
    }),
    name: displayName.meta({ description: 'of the customer: a person or a company' }),
    type: z.enum(CUSTOMER_TYPES),
  })
  .refine(({ password, email }) => !isGuessable(password, email), {
    path: ['password'],
    error: 'this password is among the first that are tried; take several words that have nothing in common',
  });
export type NewAccount = z.output<typeof newAccount>;

const credentials = z.object({
  email: z.string().min(1).max(MAX_EMAIL),
  // No more than a length, so that a wrong password is refused like any other.
  password: z
    .string()
    .min(1)
    .max(2 * MAX_PASSWORD)
    .meta({ format: 'password' }),
});
export type Credentials = z.output<typeof credentials>;

const link = z.object({
  linkToken: z
    .string()
    .min(1)
    .max(128)
    .meta({ description: 'out of the fragment of the link that the first start prints' }),
});

export const newSession = z.union([credentials, link], {
  error: 'send email and password, or linkToken',
});
export type NewSession = z.output<typeof newSession>;

const user = z
  .object({
    id: uuid,
    email: z.string().nullable().meta({ description: 'null: signs in by a link, as the demo’s user does' }),
    createdAt: isoTime,
  })
  .meta({ id: 'User' });

const signedInCustomer = z
  .object({ id: uuid, name: z.string(), type: z.enum(CUSTOMER_TYPES), plan: z.enum(PLANS) })
  .meta({ id: 'SignedInCustomer' });

export const signedIn = z
  .object({
    user,
    customer: signedInCustomer,
    csrfToken: z.string().meta({
      description: 'the value of x-csrf-token for every request of this session that changes something',
    }),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.output<typeof signedIn>;

const cookie =
  'The session is a cookie that scripts cannot read. It ends after 12 hours without a request, and after 30 days.';

export const createAccount = defineRoute({
  ...endpoints.createAccount,
  operationId: 'createAccount',
  summary: 'Creates a customer with its user, and signs in',
  description: `The plan is DEV. Whether anybody may sign up is a setting (\`SIGNUP\`), and an address makes 5 accounts an hour. ${cookie} A session that the request has is ended.`,
  tag: 'account',
  auth: 'none',
  body: newAccount,
  setsCookie: true,
  noStore: true,
  successStatus: 201,
  responses: { 201: single(signedIn) },
  errors: ['SIGNUP_CLOSED', 'EMAIL_TAKEN', 'TOO_MANY_AT_ONCE', 'UNAVAILABLE'],
});

export const createSession = defineRoute({
  ...endpoints.createSession,
  operationId: 'createSession',
  summary: 'Signs in, with e-mail and password or with the token of a link',
  description: `${cookie} Each sign-in makes a new one, and ends the one that the request has. A wrong e-mail and a wrong password get the same answer; attempts are limited per address and per account. A link works once, from the service’s own machine.`,
  tag: 'account',
  auth: 'none',
  body: newSession,
  setsCookie: true,
  noStore: true,
  successStatus: 200,
  responses: { 200: single(signedIn) },
  errors: ['INVALID_CREDENTIALS', 'INVALID_LINK', 'TOO_MANY_AT_ONCE', 'UNAVAILABLE'],
});

export const getCurrentSession = defineRoute({
  ...endpoints.getCurrentSession,
  operationId: 'getCurrentSession',
  summary: 'Who is signed in',
  description:
    'The same as the answer to signing in, with the token for changes, for a page that was loaded anew.',
  tag: 'account',
  auth: 'session',
  noStore: true,
  successStatus: 200,
  responses: { 200: single(signedIn) },
  errors: [],
});

export const deleteSession = defineRoute({
  ...endpoints.deleteSession,
  operationId: 'deleteSession',
  summary: 'Signs out: the session ends at once, on every node',
  description: 'Only the session of the request; others of the user go on.',
  tag: 'account',
  auth: 'session',
  setsCookie: true,
  noStore: true,
  successStatus: 204,
  responses: { 204: z.undefined() },
  errors: [],
});
