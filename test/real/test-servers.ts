import { s3proxyServer } from '../../deploy/local/s3proxy/s3proxy.ts';
import type { ServerKind } from '../../deploy/local/server/local-server.ts';
import { SERVER_SETTINGS } from '../../deploy/local/server-names.ts';
import { SERVERS } from '../../deploy/local/servers.ts';

/** The servers of the stack, and those used only by an optional part of the service. */
export const TEST_SERVERS = { ...SERVERS, bucket: s3proxyServer } satisfies Record<string, ServerKind>;

export type TestServerName = keyof typeof TEST_SERVERS;

export const TEST_SERVER_NAMES = Object.keys(TEST_SERVERS) as TestServerName[];

/** The setting of the program with each server's address. */
export const TEST_SERVER_SETTINGS: Readonly<Record<TestServerName, string>> = {
  ...SERVER_SETTINGS,
  bucket: 'PACKAGES_S3_ENDPOINT',
};
