import path from 'node:path';
import { isLoopback } from '#platform/config/allowed-hosts.ts';
import { localUrl } from '#platform/config/host-in-url.ts';
import type { Settings } from '#platform/config/settings.ts';
import { getDocs } from '#schemas/endpoints.ts';
import type { ApiAddresses } from '#services/api/listeners.ts';
import { internalClient } from './command/client.ts';
import { ANOTHER_LINK, dashboardUrl, signInToken } from './command/sign-in-link.ts';
import { makeDemoAccount } from './demo-account.ts';
import type { BlockLine, StartScreen } from './start-screen.ts';

/**
 * Shows the block. The first start creates the demo workspace; every start prints a link while no user has a password.
 */
export async function greet(screen: StartScreen, settings: Settings, addresses: ApiAddresses): Promise<void> {
  const { host, basePath, dataDir } = settings;
  const url = localUrl(host, Number(new URL(addresses.url).port)) + basePath;
  const lines = isLoopback(host) ? await ownLines(url, settings, addresses) : sharedLines(url, host);
  screen.ready(lines, `Data in ${shownFolder(dataDir)} · Ctrl-C to stop · logs: LOG_FORMAT=json`);
}

async function ownLines(url: string, settings: Settings, addresses: ApiAddresses): Promise<BlockLine[]> {
  const account = await makeDemoAccount(settings, addresses);
  const token = await signInToken(internalClient(settings, addresses.adminUrl), account?.customerId);
  const made: BlockLine[] =
    account === null
      ? []
      : [
          ['API key', account.key, 'shown only once; for the workspace "Demo"'],
          ['Try', 'npm run demo', 'fills this workspace with examples'],
        ];
  return [
    ['Dashboard', dashboardUrl(url, token), token === null ? undefined : `works once; ${ANOTHER_LINK}`],
    ...apiLines(url),
    ...made,
  ];
}

/** If others can reach the service, they may also read its output: no workspace, no key, no link. */
const sharedLines = (url: string, host: string): BlockLine[] => [
  ['Dashboard', dashboardUrl(url, null)],
  ...apiLines(url),
  ['Customers', 'npm run cas -- accounts create "Acme"', `not made where HOST is ${host}`],
];

const apiLines = (url: string): BlockLine[] => [
  ['API', url],
  ['API docs', url + getDocs.path],
];

const shownFolder = (folder: string): string => {
  const relative = path.relative(process.cwd(), folder);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? folder : `./${relative}`;
};
