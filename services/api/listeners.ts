import type { FastifyInstance } from 'fastify';
import { hostCheck } from '../../platform/runtime/allowed-hosts.ts';
import type { Lifecycle } from '../../platform/runtime/lifecycle.ts';
import type { Settings } from '../../platform/runtime/settings.ts';
import { SURFACES, type Surface } from '../../schemas/api/contract.ts';
import { buildApp } from './app.ts';
import type { ApiParts, ApiSettings } from './parts.ts';

export interface ApiAddresses {
  readonly url: string;
  /** Of /internal, /metrics and /health/ready; the same unless they have a listener of their own. */
  readonly adminUrl: string;
}

type ListenerSettings = Pick<
  Settings,
  'host' | 'port' | 'adminHost' | 'adminPort' | 'internalOnPublic' | 'allowedHosts'
>;

/** What all listeners have in common. */
type SharedParts = Omit<ApiParts, 'surfaces' | 'settings'> & {
  readonly settings: Omit<ApiSettings, 'isAllowedHost'>;
};

/** What the public listener serves, and what the one of operators does where there is one. */
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
 * Listens where the settings say. Each listener is a server with routes of its own, so that a proxy before the public
 * one has nothing to filter. The operators' opens first and closes last: it tells how the other one drains.
 */
export async function listen(
  settings: ListenerSettings,
  lifecycle: Lifecycle,
  parts: SharedParts,
): Promise<ApiAddresses> {
  const surfaces = surfacesOfListeners(settings);
  const open = async (name: string, served: readonly Surface[], place: ListenPlace): Promise<string> => {
    const isAllowedHost = hostCheck(place.host, settings.allowedHosts);
    const app = buildApp({ ...parts, surfaces: served, settings: { ...parts.settings, isAllowedHost } });
    const url = await listenOn(app, place);
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
  const url = await open('api', surfaces.client, { host, port, setting: 'PORT' });
  return { url, adminUrl: adminUrl ?? url };
}

interface ListenPlace {
  readonly host: string;
  readonly port: number;
  /** Names the port. */
  readonly setting: string;
}

const listenOn = (app: FastifyInstance, { host, port, setting }: ListenPlace): Promise<string> =>
  app.listen({ host, port }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${port} of ${host} is in use; stop what listens there or set ${setting}`);
  });
