import { Unreachable } from '../protocol/errors.ts';
import type { Apis } from '../protocol/requests.ts';
import type { KafkaAddress, KafkaConnection } from './connection.ts';

/**
 * Connections for one kind of work, one per broker. A broker answers the requests of a connection one after another, so
 * requests that may block there (fetch, join) must not share a connection with requests that may not (commit).
 */
export interface ConnectionPool {
  /** Rejects with `Unreachable` when nothing was sent, and with `ConnectionLost` when it may have been. */
  request<Name extends keyof Apis>(
    node: number,
    name: Name,
    payload: Apis[Name]['request'],
    waitMs?: number,
  ): Promise<Apis[Name]['response']>;
  close(): void;
}

interface ConnectionPoolOptions {
  readonly addressOf: (node: number) => KafkaAddress | null;
  readonly connect: (address: KafkaAddress) => Promise<KafkaConnection>;
}

const same = (a: KafkaAddress, b: KafkaAddress): boolean => a.host === b.host && a.port === b.port;

export function createConnectionPool({ addressOf, connect }: ConnectionPoolOptions): ConnectionPool {
  const connections = new Map<number, { address: KafkaAddress; opening: Promise<KafkaConnection> }>();
  let closed = false;

  function forget(node: number): void {
    const known = connections.get(node);
    connections.delete(node);
    void known?.opening.then(
      (connection) => connection.close(),
      () => undefined,
    );
  }

  async function connectionTo(node: number): Promise<KafkaConnection> {
    if (closed) throw new Unreachable('the event log is closed');
    const address = addressOf(node);
    if (address === null) throw new Unreachable(`unknown broker ${node}`);
    const known = connections.get(node);
    if (known !== undefined && same(known.address, address)) {
      const connection = await known.opening;
      if (connection.open) return connection;
      // Another request may have replaced the connection meanwhile.
      if (connections.get(node) !== known) return connectionTo(node);
    }
    forget(node);
    const opening = connect(address);
    connections.set(node, { address, opening });
    try {
      return await opening;
    } catch (error) {
      if (connections.get(node)?.opening === opening) connections.delete(node);
      throw error;
    }
  }

  return {
    async request(node, name, payload, waitMs) {
      const connection = await connectionTo(node);
      return connection.request(name, payload, waitMs);
    },
    close() {
      closed = true;
      for (const node of [...connections.keys()]) forget(node);
    },
  };
}
