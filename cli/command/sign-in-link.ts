import { createSignInLink, getUiIndex } from '#schemas/endpoints.ts';
import { type Client, RequestFailed } from './client.ts';

/** How a user gets another link. */
export const ANOTHER_LINK = '`npm run cas -- login` prints another';

/** Address of the dashboard. The token is in the fragment, which browsers send to no server: the page posts it. */
export const dashboardUrl = (url: string, token: string | null, query = ''): string =>
  url + getUiIndex.path + query + (token === null ? '' : `#token=${token}`);

/**
 * Sign-in token for the user of the first start's workspace, or of the customer; null when there is no such user, or
 * the user has a password.
 */
export async function signInToken(internal: Client, customerId?: string): Promise<string | null> {
  const body = customerId === undefined ? {} : { customerId };
  try {
    return String((await internal.call(createSignInLink, { body })).body.linkToken);
  } catch (error) {
    const { statusCode } = error instanceof RequestFailed ? error : { statusCode: null };
    if (customerId === undefined && (statusCode === 404 || statusCode === 409)) return null;
    throw error;
  }
}
