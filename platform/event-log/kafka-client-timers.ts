import { createRequire } from 'node:module';

/**
 * Imported for its effect: by `kafka-wire.ts`, through which the service uses kafkajs, and by what talks to Kafka beside it
 * in the local stack and in tests. After each answer the client sets a timer for requests that
 * the broker has throttled, also when none waits: its length is then the time since 1970, below zero. Node 24 warns
 * of that, and it costs a timer per request. With nothing pending there is nothing to look at again, so none is set.
 */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const require = createRequire(import.meta.url);
const queues: { readonly prototype: RequestQueue } = require('kafkajs/src/network/requestQueue');

const schedule = queues.prototype.scheduleCheckPendingRequests;
queues.prototype.scheduleCheckPendingRequests = function scheduleWhenPending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};
