import path from 'node:path';
import { compiledModule } from '#platform/config/package-root.ts';
import type { ServerKind } from './server/local-server.ts';

const ASK_LIMIT_MS = 5_000;
/** Each running statement uses a thread of this pool; with the default of 4, file access would wait for queries. */
const THREADS = '16';

/**
 * ClickHouse's engine as a separate server, with ClickHouse's HTTP interface on loopback. Needs the compiled program.
 */
export const clickhouseServer: ServerKind = {
  name: 'clickhouse',
  portCount: 1,
  startLimitMs: 60_000,
  stopLimitMs: 10_000,
  provide: async () => {},
  address: ({ ports, password }) => `http://default:${password}@127.0.0.1:${ports[0]}`,
  prepare: async () => {},
  program: (folder, { ports, password }) => ({
    file: process.execPath,
    args: [compiledModule('platform/warehouse/embedded/server.ts')],
    env: {
      CLICKHOUSE_PATH: path.join(folder, 'data'),
      CLICKHOUSE_PORT: String(ports[0]),
      CLICKHOUSE_PASSWORD: password,
      UV_THREADPOOL_SIZE: THREADS,
    },
  }),
  ask: async ({ ports, password }) => {
    const response = await fetch(`http://127.0.0.1:${ports[0]}/?query=SELECT%201`, {
      headers: { authorization: `Basic ${Buffer.from(`default:${password}`).toString('base64')}` },
      signal: AbortSignal.timeout(ASK_LIMIT_MS),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`it answers ${response.status}: ${answer.slice(0, 200)}`);
  },
};
