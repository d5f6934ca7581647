import type { Command } from 'commander';
import { customerId } from './command/arguments.ts';
import { internalClient, serviceUrl } from './command/client.ts';
import { print } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';
import { dashboardUrl, signInToken } from './command/sign-in-link.ts';

/** `cas login`: requests a sign-in link from the running service, with the secret in the data folder. */
export function loginCommand(program: Command, settings: SettingsReader): void {
  program
    .command('login')
    .description('print a one-time sign-in link for the dashboard')
    .argument(
      '[customer-id]',
      'the customer to sign in to (default: the workspace that the first start made)',
      customerId,
    )
    .action(async (id?: string) => {
      const read = settings();
      const url = serviceUrl(read);
      const token = await signInToken(internalClient(read), id);
      print(dashboardUrl(url, token));
      print(
        token === null
          ? 'Sign in with email and password, or name a customer: cas login <customer-id>'
          : 'Works once, within an hour, in a browser on the machine that runs the service.',
      );
    });
}
