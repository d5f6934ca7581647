import type { RedisConnection } from './connection/connection.ts';
import type { ReplicatedWrites } from './connection/replication.ts';
import type { RedisKeys } from './keys.ts';

/** Dependencies of the state's calls. */
export interface RedisState {
  readonly connection: RedisConnection;
  readonly writes: ReplicatedWrites;
  readonly keys: RedisKeys;
  /** First argument of every script: the time, or '' for the server's clock. */
  readonly now: () => number | '';
}
