import type { Command } from 'commander';
import { createSignInLink, getUiIndex } from '#schemas/endpoints.ts';
import { type Client, internalClient, RequestFailed, serviceUrl } from './command/client.ts';
import { print } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

/** How a person gets another link. */
export const ANOTHER_LINK = '`npm run cas -- login` prints another';

/** Address of the dashboard. The token is in the fragment, which a browser sends to no server: the page posts it. */
export const dashboardUrl = (url: string, token: string | null): string =>
  url + getUiIndex.path + (token === null ? '' : `#token=${token}`);

/**
 * A link's token for the user of the first start's workspace, or of the customer; null: there is no such user, or it
 * has a password.
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

/** `cas login`: asks the running service for a sign-in link, with the secret that the data folder holds. */
export function loginCommand(program: Command, settings: SettingsReader): void {
  program
    .command('login')
    .description('print a one-time sign-in link for the dashboard')
    .argument(
      '[customer-id]',
      'the customer to sign in to (default: the workspace that the first start made)',
    )
    .action(async (customerId?: string) => {
      const read = settings();
      const url = serviceUrl(read);
      const token = await signInToken(internalClient(read), customerId);
      print(dashboardUrl(url, token));
      print(
        token === null
          ? 'Sign in with email and password, or name a customer: cas login <customer-id>'
          : 'Works once, within an hour, in a browser on the machine that runs the service.',
      );
    });
}
