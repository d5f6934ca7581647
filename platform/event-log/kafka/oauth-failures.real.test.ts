import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '#jest';
import { createLogger } from '#platform/telemetry/logger.ts';
import { TOPICS, TRIPLETS } from '#schemas/topics.ts';
import { kafkaServer, newClusterId } from '../../../deploy/local/kafka/kafka.ts';
import { prepareBroker } from '../../../deploy/local/kafka/kafka-program.ts';
import { kafkaSettings } from '../../../deploy/local/kafka/kafka-settings.ts';
import {
  type LocalServer,
  type ServerKind,
  startLocalServer,
} from '../../../deploy/local/server/local-server.ts';
import { freePort } from '../../../deploy/local/server/ports.ts';
import { describeOn } from '../../../test/helpers/real-servers.ts';
import { makeRunFolder } from '../../../test/real/run-folder.ts';
import { oauthTokens } from './connection/oauth-tokens.ts';
import { openKafkaLog } from './event-log.ts';
import { createKafkaTopics } from './topics.ts';

const CLIENT = { clientId: 'audit', clientSecret: 'of the audit', scope: 'kafka' };

/** A broker whose last port takes logins with unsigned tokens. */
const tokenBroker = (ports: readonly number[]): ServerKind => ({
  ...kafkaServer,
  portCount: ports.length,
  ports,
  prepare: (folder) => {
    const node = { id: 1, ports: ports.slice(0, 2) };
    const plain = kafkaSettings({ folder, node, nodes: [node], certificates: null });
    const client = `CLIENT://127.0.0.1:${ports[2]}`;
    const settings = {
      ...plain,
      listeners: `${plain.listeners},${client}`,
      'advertised.listeners': `${plain['advertised.listeners']},${client}`,
      'listener.security.protocol.map': `${plain['listener.security.protocol.map']},CLIENT:SASL_PLAINTEXT`,
      'listener.name.client.sasl.enabled.mechanisms': 'OAUTHBEARER',
      'listener.name.client.oauthbearer.sasl.jaas.config':
        'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
    };
    return prepareBroker(folder, settings, { clusterId: newClusterId() });
  },
});

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An unsigned token, as this broker accepts it. */
const tokenUntil = (exp: number): string =>
  `${part({ alg: 'none' })}.${part({ sub: CLIENT.clientId, iat: exp - 7_200, exp })}.`;

describeOn('kafka', 'a broker that requires tokens', () => {
  const logger = createLogger('silent');
  const folder = makeRunFolder();
  let broker: LocalServer;
  let ports: number[];
  let provider: Server;
  let lifetimeS: number;
  let secrets: string[];

  beforeAll(async () => {
    [lifetimeS, secrets] = [3_600, []];
    provider = createServer((request, response) => {
      request.resume();
      secrets.push(Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString());
      const access_token = tokenUntil(Math.floor(Date.now() / 1_000) + lifetimeS);
      response.end(JSON.stringify({ access_token, token_type: 'Bearer', expires_in: 3_600 }));
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    ports = [await freePort(), await freePort(), await freePort()];
    broker = await startLocalServer(tokenBroker(ports), { folder: path.join(folder, 'kafka') });
  }, 240_000);
  afterAll(async () => {
    provider.closeAllConnections();
    provider.close();
    await broker?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const options = () => {
    const tokenUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/token`;
    const sasl = { mechanism: 'oauthbearer' as const, token: oauthTokens({ ...CLIENT, tokenUrl }) };
    const brokers = [`127.0.0.1:${ports[2]}`];
    return { brokers, sasl, clientId: 'test', topics: TOPICS, logger };
  };

  test('gets a token from the identity provider for each login, and appends records', async () => {
    const opened = options();
    await createKafkaTopics(opened, 1);
    const log = await openKafkaLog(opened);
    await log.append([{ topic: TRIPLETS.name, key: 'c', value: Buffer.from('text'), headers: {} }]);
    const ends = await Promise.all(
      Array.from({ length: TRIPLETS.partitions }, (_, partition) => log.bounds(TRIPLETS.name, partition)),
    );
    expect(ends.reduce((sum, { end }) => sum + end, 0)).toBe(1);
    await log.close();
    expect(new Set(secrets)).toEqual(new Set(['audit:of%20the%20audit']));
  }, 120_000);

  test('a token that the broker refuses is reported as such, without showing it', async () => {
    lifetimeS = -60;
    const error = await openKafkaLog(options()).catch((caught: Error) => caught);
    expect((error as Error).message).toMatch(
      /rejected the login \(oauthbearer\).*the broker rejected the token \(invalid_token\)/,
    );
    expect(`${(error as Error).message} ${String((error as Error).cause)}`).not.toContain('eyJ');
  }, 120_000);

  test('an unreachable provider is named, with advice what to check', async () => {
    const opened = options();
    const sasl = { ...opened.sasl, token: oauthTokens({ ...CLIENT, tokenUrl: 'http://127.0.0.1:9/token' }) };
    await expect(openKafkaLog({ ...opened, sasl })).rejects.toThrow(
      /the token endpoint at 127\.0\.0\.1:9 is unreachable .*KAFKA_OAUTH_TOKEN_URL/,
    );
  }, 120_000);
});
