import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { defineRoute } from './contract.ts';
import { isoTime, single, uuid } from './fields/fields.ts';

const newSignInLink = z.object({
  customerId: uuid.optional().meta({ description: 'absent: the workspace that the first start made' }),
});
export type NewSignInLink = z.output<typeof newSignInLink>;

const signInLink = z
  .object({
    customerId: uuid,
    linkToken: z
      .string()
      .meta({ description: 'for the fragment of the address of the dashboard: `#token=…`' }),
    expiresAt: isoTime,
  })
  .meta({ id: 'SignInLink' });
export type SignInLink = z.output<typeof signInLink>;

export const createSignInLink = defineRoute({
  ...endpoints.createSignInLink,
  operationId: 'createSignInLink',
  summary: 'Create a one-time sign-in link for the dashboard',
  description:
    'The link signs in the user of a customer in which no user has a password. It works once, within an hour, in a browser on the machine that runs the service. A named customer without users gets one.',
  tag: 'Customers',
  auth: 'internal',
  body: newSignInLink,
  noStore: true,
  successStatus: 201,
  responses: { 201: single(signInLink) },
  errors: ['NOT_FOUND', 'CUSTOMER_ERASED', 'CONFLICT'],
});
