import { createRequire } from 'node:module';
import type { WireRecord } from './requests.ts';

/**
 * The parts of kafkajs that are used: its socket, authentication, encoding of requests (except Metadata), and decoding
 * of answers and record batches. Everything above them is ours (producer, group membership, fetching): the client's own
 * consumer commits a default when an offset is out of range and lets one slow partition delay the others, and its
 * producer does not say which records a failed request stored. They are internals of a package with a pinned version;
 * only this file names them, and it patches one of them. docs/adr/0007-implement-kafka-clients-and-check-servers.md
 * describes how to replace them.
 */
const require = createRequire(import.meta.url);

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const queues: { readonly prototype: RequestQueue } = require('kafkajs/src/network/requestQueue');

/**
 * After each answer the client sets a timer for throttled requests, even when none is pending: its delay is then
 * negative, minus the time since 1970. Node 24 warns about that, and it costs a timer per request. This patch sets no
 * timer when nothing is pending. The local stack and tests use the client itself and import this file for the patch.
 */
const schedule = queues.prototype.scheduleCheckPendingRequests;
queues.prototype.scheduleCheckPendingRequests = function scheduleWhenPending(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
};

export interface WireLogger {
  namespace(name: string): WireLogger;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

interface WireEncoder {
  writeInt32(value: number): WireEncoder;
  writeBoolean(value: boolean): WireEncoder;
  writeBuffer(value: Buffer): WireEncoder;
  writeUVarInt(value: number): WireEncoder;
  writeUVarIntString(value: string | null): WireEncoder;
}

export interface WireDecoder {
  readInt8(): number;
  readInt16(): number;
  readInt32(): number;
  readInt64(): { toString(): string };
  readString(): string;
  readBoolean(): boolean;
  readBytes(length: number): Buffer;
  readUVarIntString(): string | null;
  readUVarIntArray<Item>(read: (decoder: WireDecoder) => Item): Item[] | null;
  readTaggedFields(): unknown;
  /** Position of the next byte. */
  readonly offset: number;
  forward(bytes: number): void;
}

interface EncodedRequest {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly apiName: string;
  readonly encode: () => Promise<WireEncoder>;
}

export interface RequestDefinition {
  readonly request: EncodedRequest;
  readonly response: { decode(payload: Buffer): Promise<unknown> };
}

interface RequestVersions {
  readonly versions: readonly string[];
  protocol(options: { version: number }): (payload?: object) => RequestDefinition;
}

export type BrokerVersions = Readonly<
  Record<number, { readonly minVersion: number; readonly maxVersion: number }>
>;

export interface WireSocket {
  isConnected(): boolean;
  connect(): Promise<unknown>;
  setVersions(versions: BrokerVersions): void;
  setSupportAuthenticationProtocol(supported: boolean): void;
  authenticate(): Promise<void>;
  send(
    request: RequestDefinition & {
      readonly response: { parse(decoded: unknown): Promise<unknown> };
      readonly requestTimeout?: number;
      readonly logResponseError: boolean;
    },
  ): Promise<unknown>;
  rejectRequests(error: Error): void;
  disconnect(): Promise<unknown>;
  readonly socket?: { destroy(): void; once(event: 'close', listener: () => void): void };
}

interface WireSocketOptions {
  readonly host: string;
  readonly port: number;
  readonly clientId: string;
  readonly ssl: object | null;
  readonly sasl: object | null;
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
  readonly logger: WireLogger;
  readonly socketFactory: unknown;
}

export const Socket: new (
  options: WireSocketOptions,
) => WireSocket = require('kafkajs/src/network/connection');

export const createSocketFactory: () => unknown = require('kafkajs/src/network/socketFactory');

export const Encoder: new () => WireEncoder = require('kafkajs/src/protocol/encoder');
export const Decoder: new (payload: Buffer) => WireDecoder = require('kafkajs/src/protocol/decoder');

/** Decodes one complete record batch of format 2. */
export const decodeBatch: (decoder: WireDecoder) => Promise<{ readonly records: readonly WireRecord[] }> =
  require('kafkajs/src/protocol/recordBatch/v0/decoder');

/** Decodes a length and that many bytes of records in any format; a record cut off at the end is left out. */
export const decodeMessages: (
  decoder: WireDecoder,
) => Promise<WireRecord[]> = require('kafkajs/src/protocol/requests/fetch/v4/decodeMessages');

export const apiKeys: Readonly<Record<string, number>> = require('kafkajs/src/protocol/requests/apiKeys');

const protocol: {
  readonly requests: Readonly<Record<string, RequestVersions>>;
  readonly lookup: (
    versions: BrokerVersions,
  ) => (apiKey: number, definition: RequestVersions) => (payload?: object) => RequestDefinition;
} = require('kafkajs/src/protocol/requests');
export const { requests, lookup } = protocol;

const errors: {
  readonly errorCodes: readonly { readonly code: number; readonly type: string; readonly message: string }[];
} = require('kafkajs/src/protocol/error');
export const { errorCodes } = errors;

/** Encodes group membership messages in the format that Kafka's own tools can display. */
export const groupProtocol: {
  readonly MemberMetadata: {
    encode(metadata: { version: number; topics: readonly string[]; userData: Buffer }): Buffer;
    decode(bytes: Buffer): { topics: string[]; userData: Buffer | null };
  };
  readonly MemberAssignment: {
    encode(assignment: { version: number; assignment: Record<string, number[]>; userData?: Buffer }): Buffer;
    decode(bytes: Buffer): { assignment: Record<string, number[]>; userData: Buffer | null } | null;
  };
} = require('kafkajs/src/consumer/assignerProtocol');
