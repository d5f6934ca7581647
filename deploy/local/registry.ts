import path from 'node:path';
import { type Download, downloadFolder, provideDownload } from './server/downloads.ts';
import type { ServerKind } from './server/local-server.ts';
import { requireJava } from './server/tools.ts';

/** The version is repeated in registry/pom.xml. */
const REGISTRY: Download = {
  name: 'registry',
  version: '2.6.13.Final',
  goal: 'unpack-dependencies',
  size: '142 MB',
};

const ASK_LIMIT_MS = 5_000;

/**
 * The in-memory variant runs on a database that can also use a file, so ids persist. Without a write delay an
 * acknowledged registration survives a kill.
 */
const database = (folder: string): string =>
  `jdbc:h2:file:${path.join(folder, 'data', 'registry')};DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0`;

/** Apicurio Registry from Maven Central, with Confluent’s interface. Needs Java 17, and Maven once. */
export const registryServer: ServerKind = {
  name: 'registry',
  portCount: 1,
  startLimitMs: 90_000,
  stopLimitMs: 15_000,
  provide: async (report) => {
    requireJava(`Apicurio Registry ${REGISTRY.version}`);
    await provideDownload(REGISTRY, report);
  },
  address: ({ ports }) => `http://127.0.0.1:${ports[0]}/apis/ccompat/v7`,
  prepare: async () => {},
  program: (folder, { ports }) => ({
    file: 'java',
    args: [
      '-Xms64m',
      '-Xmx256m',
      // Halves the start time and uses a third less memory; peak speed does not matter.
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-XX:ActiveProcessorCount=2',
      '-Dquarkus.http.host=127.0.0.1',
      `-Dquarkus.http.port=${ports[0]}`,
      `-Dquarkus.datasource.jdbc.url=${database(folder)}`,
      '-Dquarkus.datasource.jdbc.initial-size=2',
      '-Dquarkus.datasource.jdbc.min-size=2',
      '-jar',
      path.join(downloadFolder(REGISTRY), `apicurio-registry-app-${REGISTRY.version}-runner.jar`),
    ],
  }),
  ask: async ({ address }) => {
    const response = await fetch(`${address}/subjects`, { signal: AbortSignal.timeout(ASK_LIMIT_MS) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`it answers ${response.status}`);
  },
};
