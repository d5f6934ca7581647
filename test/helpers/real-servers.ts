import { describe } from '#jest';
import { announcedServer } from '../real/addresses.ts';
import type { TestServerName } from '../real/test-servers.ts';

/**
 * Tests against a real server started by the global set-up of `test/suites/real.json`. If it could not be started, they
 * are reported as skipped with the reason in their name (the build counts a skipped test as failed). `address` is the
 * value of the server's setting. The server is shared: names of topics, keys and tables must be unique.
 */
export function describeOn(server: TestServerName, name: string, body: (address: string) => void): void {
  const found = announcedServer(server);
  if ('address' in found) describe(name, () => body(found.address));
  else describe.skip(`${name} (skipped: ${found.missing})`, () => body('nowhere'));
}
