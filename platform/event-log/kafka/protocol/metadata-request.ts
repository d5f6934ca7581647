import type { Apis, TopicMetadata } from './requests.ts';
import { apiKeys, Decoder, Encoder, type RequestDefinition, type WireDecoder } from './wire.ts';

/** The first version that identifies topics by id reliably; kafkajs only has older ones. */
const VERSION = 12;
const NO_ID = Buffer.alloc(16);
const NO_TAGS = 0;

/**
 * Requests brokers, leaders and topic ids. Only the id distinguishes a recreated topic from the deleted one. Never
 * creates a topic.
 */
export function metadataRequest({ topics }: Apis['Metadata']['request']): RequestDefinition {
  return {
    request: {
      apiKey: apiKeys.Metadata!,
      apiVersion: VERSION,
      apiName: 'Metadata',
      encode: async () => {
        const encoder = new Encoder().writeUVarInt(NO_TAGS).writeUVarInt(topics.length + 1);
        for (const topic of topics) {
          encoder.writeBuffer(NO_ID).writeUVarIntString(topic).writeUVarInt(NO_TAGS);
        }
        const [createTopics, includeOperations] = [false, false];
        return encoder.writeBoolean(createTopics).writeBoolean(includeOperations).writeUVarInt(NO_TAGS);
      },
    },
    response: { decode },
  };
}

async function decode(payload: Buffer): Promise<Apis['Metadata']['response']> {
  const decoder = new Decoder(payload);
  decoder.readTaggedFields();
  decoder.readInt32(); // throttle time
  const brokers = array(decoder, (each) => {
    const broker = { nodeId: each.readInt32(), host: each.readUVarIntString() ?? '', port: each.readInt32() };
    each.readUVarIntString(); // rack
    each.readTaggedFields();
    return broker;
  });
  decoder.readUVarIntString(); // cluster id
  decoder.readInt32(); // controller id
  return { brokers, topics: array(decoder, readTopic) };
}

function readTopic(decoder: WireDecoder): TopicMetadata {
  const errorCode = decoder.readInt16();
  const name = decoder.readUVarIntString() ?? '';
  const id = decoder.readBytes(NO_ID.length).toString('hex');
  decoder.readBoolean(); // internal
  const partitions = array(decoder, (each) => {
    const [errorCode, partition, leader] = [each.readInt16(), each.readInt32(), each.readInt32()];
    each.readInt32(); // leader epoch
    const replicas = array(each, (node) => node.readInt32()).length;
    for (let list = 0; list < 2; list += 1) array(each, (node) => node.readInt32()); // in-sync, offline
    each.readTaggedFields();
    return { errorCode, partition, leader, replicas };
  });
  decoder.readInt32(); // authorized operations
  decoder.readTaggedFields();
  return { errorCode, name, id, partitions };
}

const array = <Item>(decoder: WireDecoder, read: (decoder: WireDecoder) => Item): Item[] =>
  decoder.readUVarIntArray(read) ?? [];
