import { type Codec, UnknownSchema } from './port.ts';

/**
 * Decodes a record that a newer release may have written: a schema id that is not known yet is looked up once. Rejects
 * with `Undecodable` when nobody knows it either, and with `RegistryUnavailable`, an outage, when the registry does not
 * answer. Refused ids are not cached: the partition stops before many records in a row are dead-lettered, so a flood of
 * them never reaches the registry.
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
