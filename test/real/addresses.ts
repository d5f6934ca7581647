import { TEST_SERVER_SETTINGS, type TestServerName } from './test-servers.ts';

const addressVariable = (server: TestServerName): string => `TEST_${TEST_SERVER_SETTINGS[server]}`;
const reasonVariable = (server: TestServerName): string => `${addressVariable(server)}_MISSING`;

export type FoundServer = { readonly address: string } | { readonly missing: string };

/** Passes a server's address, or why it could not be started, to the tests. jest's workers inherit it. */
export function announceServer(server: TestServerName, found: FoundServer): void {
  if ('address' in found) process.env[addressVariable(server)] = found.address;
  else process.env[reasonVariable(server)] = found.missing;
}

export function announcedServer(server: TestServerName): FoundServer {
  const address = process.env[addressVariable(server)];
  if (address !== undefined) return { address };
  return { missing: process.env[reasonVariable(server)] ?? 'run it with "npm run test:real"' };
}
