import { SERVER_SETTINGS, type ServerName } from '../../deploy/local/server-names.ts';

const addressVariable = (server: ServerName): string => `TEST_${SERVER_SETTINGS[server]}`;
const reasonVariable = (server: ServerName): string => `${addressVariable(server)}_MISSING`;

export type FoundServer = { readonly address: string } | { readonly missing: string };

/** Passes a server's address to the tests, or why it could not be started. The workers of jest inherit it. */
export function announceServer(server: ServerName, found: FoundServer): void {
  if ('address' in found) process.env[addressVariable(server)] = found.address;
  else process.env[reasonVariable(server)] = found.missing;
}

export function announcedServer(server: ServerName): FoundServer {
  const address = process.env[addressVariable(server)];
  if (address !== undefined) return { address };
  return { missing: process.env[reasonVariable(server)] ?? 'run it with "npm run test:real"' };
}
