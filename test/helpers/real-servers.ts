import { describe } from '@jest/globals';
import type { ServerName } from '../../deploy/local/server-names.ts';
import { announcedServer } from '../real/addresses.ts';

/**
 * Tests against a real server that the global set-up of `jest.real.json` started. If it could not be started they are
 * reported as skipped, with the reason in their name (the build counts a skipped test as failed). `address` is the
 * value of the server's setting. The server is shared: names of topics, keys and tables have to be unique.
 */
export function describeOn(server: ServerName, name: string, body: (address: string) => void): void {
  const found = announcedServer(server);
  if ('address' in found) describe(name, () => body(found.address));
  else describe.skip(`${name} (skipped: ${found.missing})`, () => body('nowhere'));
}
