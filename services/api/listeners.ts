import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { hostCheck } from '#platform/config/allowed-hosts.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Lifecycle } from '#platform/process/lifecycle.ts';
import { SURFACES, type Surface } from '#schemas/api/contract.ts';
import { buildApp } from './app.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { ApiSettings } from './operations/dependencies.ts';

export interface ApiAddresses {
  /** Including the path under which a proxy serves the service. */
  readonly url: string;
  /** Where /internal, /metrics and /health/ready are served; the same URL unless they have a separate listener. */
  readonly adminUrl: string;
}

type ListenerSettings = Pick<
  Settings,
  'host' | 'port' | 'basePath' | 'adminHost' | 'adminPort' | 'internalOnPublic' | 'allowedHosts'
>;

/** Dependencies that all listeners share. */
type SharedDependencies = Omit<AppDependencies, 'surfaces' | 'settings'> & {
  readonly settings: Omit<ApiSettings, 'isAllowedHost'>;
};

/** What the public listener serves and, if there is one, the operators' listener. */
export function surfacesOfListeners({
  adminPort,
  internalOnPublic,
}: Pick<ListenerSettings, 'adminPort' | 'internalOnPublic'>): {
  readonly client: readonly Surface[];
  readonly admin: readonly Surface[] | null;
} {
  if (adminPort === null) return { client: SURFACES, admin: null };
  return {
    client: internalOnPublic ? ['client', 'internal'] : ['client'],
    admin: ['internal', 'operation'],
  };
}

/**
 * Listens according to the settings. Each listener is a server with its own routes, so a proxy in front of the public
 * one has nothing to filter. The operators' listener opens first and closes last, so that it reports how the other one
 * drains.
 */
export async function listen(
  settings: ListenerSettings,
  lifecycle: Lifecycle,
  dependencies: SharedDependencies,
): Promise<ApiAddresses> {
  const surfaces = surfacesOfListeners(settings);
  const open = async (name: string, served: readonly Surface[], address: ListenAddress): Promise<string> => {
    const isAllowedHost = hostCheck(address.host, settings.allowedHosts);
    const app = buildApp({
      ...dependencies,
      surfaces: served,
      settings: { ...dependencies.settings, isAllowedHost },
    });
    const url = await listenOn(app, address);
    lifecycle.add(name, () => app.close());
    return url;
  };
  const { host, port, adminHost, adminPort } = settings;
  const adminUrl =
    surfaces.admin === null
      ? null
      : await open('admin listener', surfaces.admin, {
          host: adminHost,
          port: adminPort ?? 0,
          setting: 'ADMIN_PORT',
        });
  const url = (await open('api', surfaces.client, { host, port, setting: 'PORT' })) + settings.basePath;
  return { url, adminUrl: adminUrl ?? url };
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Name of the port's setting. */
  readonly setting: string;
}

const listenOn = (app: FastifyInstance, address: ListenAddress): Promise<string> =>
  app.listen({ host: address.host, port: address.port }).catch((error: unknown) => {
    throw listenError(error as NodeJS.ErrnoException, address);
  });

function listenError(error: NodeJS.ErrnoException, { host, port, setting }: ListenAddress): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(
        `port ${port} of ${host} is in use; stop the program that listens there or set ${setting}`,
      );
    case 'EACCES':
      return new Error(`this user may not listen on port ${port} of ${host}; set ${setting} to another port`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`${host} is not an address of this machine; set ${setting.replace('PORT', 'HOST')}`);
    default:
      return error;
  }
}

/** Throws the error that listening would, before anything is created. Port 0 is always free. */
export async function demandFreePorts({
  host,
  port,
  adminHost,
  adminPort,
}: Pick<ListenerSettings, 'host' | 'port' | 'adminHost' | 'adminPort'>): Promise<void> {
  await demandFreePort({ host, port, setting: 'PORT' });
  await demandFreePort({ host: adminHost, port: adminPort ?? 0, setting: 'ADMIN_PORT' });
}

async function demandFreePort(address: ListenAddress): Promise<void> {
  if (address.port === 0) return;
  const probe = createServer();
  try {
    await once(probe.listen({ host: address.host, port: address.port }), 'listening');
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, address);
  }
  probe.close();
  await once(probe, 'close');
}
