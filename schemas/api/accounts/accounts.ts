import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { CUSTOMER_TYPES, PLANS } from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { displayName, emailAddress, isoTime, MAX_EMAIL, single, uuid } from '../fields/fields.ts';
import { isGuessable } from './guessable-password.ts';

const MIN_PASSWORD = 12;
const MAX_PASSWORD = 128;

/** Counts code points, so that a character outside the basic plane counts once. */
const lengthOf = (text: string): number => [...text].length;

const newPassword = z
  .string()
  // Checked first, because the exact count walks the whole text.
  .max(2 * MAX_PASSWORD, `Expected at most ${MAX_PASSWORD} characters`)
  .refine(
    (text) => lengthOf(text) >= MIN_PASSWORD && lengthOf(text) <= MAX_PASSWORD,
    `Expected ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`,
  )
  .meta({ minLength: MIN_PASSWORD, maxLength: MAX_PASSWORD, format: 'password' });

const emailAndPassword = {
  email: emailAddress.meta({ description: 'email of the account, case-insensitive' }),
  password: newPassword.meta({
    description: 'password of the user, stored as a hash; common passwords are rejected',
  }),
};
const isSafe = ({ password, email }: { readonly password: string; readonly email: string }): boolean =>
  !isGuessable(password, email);
const UNSAFE = {
  path: ['password'],
  error: 'this password is too easy to guess; use several unrelated words',
};

export const newAccount = z
  .object({
    ...emailAndPassword,
    name: displayName.meta({ description: 'name of the customer: a person or a company' }),
    type: z.enum(CUSTOMER_TYPES),
  })
  .refine(isSafe, UNSAFE);
export type NewAccount = z.output<typeof newAccount>;

export const newCredentials = z.object(emailAndPassword).refine(isSafe, UNSAFE);
export type NewCredentials = z.output<typeof newCredentials>;

const credentials = z.object({
  email: z.string().min(1).max(MAX_EMAIL),
  // Checks only the length, so that a wrong password is refused like any other.
  password: z
    .string()
    .min(1)
    .max(2 * MAX_PASSWORD)
    .meta({ format: 'password' }),
});
export type Credentials = z.output<typeof credentials>;

const link = z.object({
  linkToken: z.string().min(1).max(128).meta({ description: 'token from the fragment of a sign-in link' }),
});

export const newSession = z.union([credentials, link], {
  error: 'send email and password, or linkToken',
});
export type NewSession = z.output<typeof newSession>;

const user = z
  .object({
    id: uuid,
    email: z
      .string()
      .nullable()
      .meta({ description: 'null: the user signs in with a link, e.g. the demo user' }),
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
      description: 'value of x-csrf-token for every request of this session that is not a GET',
    }),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.output<typeof signedIn>;

const cookie =
  'Sets the session as an HttpOnly cookie. Sessions end after 12 hours of inactivity, at the latest after 30 days.';

export const createAccount = defineRoute({
  ...endpoints.createAccount,
  operationId: 'createAccount',
  summary: 'Create an account',
  description: `Creates a customer with a user and signs in. The plan is DEV. The setting \`SIGNUP\` controls whether sign-up is open; each address can create 5 accounts per hour. ${cookie} An existing session of the request ends.`,
  tag: 'Accounts',
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
  summary: 'Sign in',
  description: `${cookie} Signing in ends the previous session of the request. Unknown emails and wrong passwords get the same response. Attempts are limited per address and account. A link works once, and only from the machine of the service.`,
  tag: 'Accounts',
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
  summary: 'Get the current session',
  description: 'Returns the same data as signing in, including the CSRF token, e.g. after a page reload.',
  tag: 'Accounts',
  auth: 'session',
  noStore: true,
  successStatus: 200,
  responses: { 200: single(signedIn) },
  errors: [],
});

export const deleteSession = defineRoute({
  ...endpoints.deleteSession,
  operationId: 'deleteSession',
  summary: 'Sign out',
  description: 'Ends the session of the request immediately. Other sessions of the user continue.',
  tag: 'Accounts',
  auth: 'session',
  setsCookie: true,
  noStore: true,
  successStatus: 204,
  responses: { 204: z.undefined() },
  errors: [],
});

export const setCredentials = defineRoute({
  ...endpoints.setCredentials,
  operationId: 'setCredentials',
  summary: 'Set an email and password, once',
  description:
    'For a user who signed in by a one-time link and has no password yet. The session must be less than 30 minutes old. Afterwards the user signs in with this email and password. Sessions that are open stay open.',
  tag: 'Accounts',
  auth: 'session',
  body: newCredentials,
  noStore: true,
  successStatus: 200,
  responses: { 200: single(signedIn) },
  errors: ['FRESH_LINK_REQUIRED', 'CONFLICT', 'EMAIL_TAKEN', 'TOO_MANY_AT_ONCE', 'UNAVAILABLE'],
});
