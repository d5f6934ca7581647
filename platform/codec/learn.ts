import { type Codec, UnknownSchema } from './port.ts';

/**
 * Decodes a record that a newer release may have written: looks up an unknown schema id once. Rejects with
 * `Undecodable` if the id remains unknown, and with `RegistryUnavailable`, an outage, if the registry does not answer.
 * Refused ids are not cached: the partition stops before many consecutive records are dead-lettered, so a flood of them
 * never reaches the registry.
 */
export async function decodeLearning<Event>(
  codec: Pick<Codec, 'learn'>,
  decode: (bytes: Buffer) => Event,
  bytes: Buffer,
): Promise<Event> {
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof UnknownSchema) || !(await codec.learn(bytes))) throw error;
    return decode(bytes);
  }
}
