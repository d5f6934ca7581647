import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Download, downloadFolder, provideDownload } from '../server/downloads.ts';
import type { ServerKind } from '../server/local-server.ts';
import { requireJava } from '../server/tools.ts';

/** The version is repeated in s3proxy/pom.xml. */
const S3PROXY: Download = { name: 's3proxy', version: '4.1.0', goal: 'copy-dependencies', size: '19 MB' };

const USER = 'local';
const ASK_LIMIT_MS = 5_000;

const fileIn = (folder: string, name: string): string => path.join(folder, name);

const configuration = (folder: string, port: number | undefined, password: string): string =>
  [
    `s3proxy.endpoint=http://127.0.0.1:${port}`,
    's3proxy.authorization=aws-v4',
    `s3proxy.identity=${USER}`,
    `s3proxy.credential=${password}`,
    'jclouds.provider=filesystem-nio2',
    `jclouds.filesystem.basedir=${fileIn(folder, 'data')}`,
    '',
  ].join('\n');

const LOG = `<configuration>
  <appender name="out" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%d %level %msg%n</pattern></encoder></appender>
  <root level="warn"><appender-ref ref="out"/></root>
</configuration>
`;

/**
 * An S3 server over a folder that checks signatures and checksums: S3Proxy from Maven Central. User and password of its
 * address are the access key. Needs Java 17, and Maven once.
 */
export const s3proxyServer: ServerKind = {
  name: 's3proxy',
  portCount: 1,
  startLimitMs: 60_000,
  stopLimitMs: 10_000,
  provide: async (report) => {
    requireJava(`S3Proxy ${S3PROXY.version}`);
    await provideDownload(S3PROXY, report);
  },
  address: ({ ports, password }) => `http://${USER}:${password}@127.0.0.1:${ports[0]}`,
  prepare: async (folder, { ports, password }) => {
    mkdirSync(fileIn(folder, 'data'), { recursive: true, mode: 0o700 });
    writeFileSync(fileIn(folder, 'log.xml'), LOG);
    writeFileSync(fileIn(folder, 's3proxy.conf'), configuration(folder, ports[0], password), { mode: 0o600 });
  },
  program: (folder) => ({
    file: 'java',
    args: [
      '-Xmx256m',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-XX:ActiveProcessorCount=2',
      `-Dlogback.configurationFile=${fileIn(folder, 'log.xml')}`,
      '-cp',
      fileIn(downloadFolder(S3PROXY), '*'),
      'org.gaul.s3proxy.Main',
      '--properties',
      fileIn(folder, 's3proxy.conf'),
    ],
  }),
  ask: async ({ address }) => {
    const { origin } = new URL(address);
    const response = await fetch(origin, { signal: AbortSignal.timeout(ASK_LIMIT_MS) });
    await response.arrayBuffer();
    // Unsigned requests are refused.
    if (response.status !== 403) throw new Error(`it answers ${response.status}`);
  },
};
