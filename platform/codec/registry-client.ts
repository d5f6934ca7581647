import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import avro from 'avsc';
import forge from 'mappersmith';
import BasicAuth from 'mappersmith/middleware/basic-auth';
import EncodeJson from 'mappersmith/middleware/encode-json';
import { addressOf, type RegistryOptions } from './registry-address.ts';
import { CLIENT_ID, notRegistry, RegistryRefusal } from './registry-faults.ts';
import { boundedAgent, guarded } from './registry-requests.ts';

/** The calls that this service makes to a Confluent-compatible registry. All reject with `RegistryUnavailable`. */
export interface RegistryClient {
  /** Id of exactly this schema under the subject, or null if it is not registered there. */
  idOf(subject: string, schema: string): Promise<number | null>;
  /**
   * Id of the schema, after registering it if necessary. Requires full compatibility first. Rejects with
   * `RegistryRefusal` (409: incompatible).
   */
  register(subject: string, schema: string): Promise<number>;
  /** From then on, every version under the subject must be able to read every other. */
  requireFullCompatibility(subject: string): Promise<void>;
  /** The schema with this id, or null if the id was never assigned or does not belong to an Avro schema. */
  schemaOf(id: number): Promise<avro.Type | null>;
}

type LibraryOptions = Required<ConstructorParameters<typeof SchemaRegistry>[0]>;

const DEFAULT_TIMEOUT_MS = 10_000;
const compatibility = COMPATIBILITY.FULL_TRANSITIVE;

export function registryClient(options: RegistryOptions): RegistryClient {
  const { host, auth } = addressOf(options);
  const agent = boundedAgent(host, options.ca);
  const guard = guarded(host, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const registry = new SchemaRegistry({
    host,
    clientId: CLIENT_ID,
    agent,
    ...(auth === null ? {} : { auth }),
    // Callers retry.
    retry: { retries: 0 },
    // Mappersmith declares the same types twice, for `import` and for `require`.
    middlewares: [guard] as unknown as LibraryOptions['middlewares'],
  });
  /** Not offered by the library, which sets compatibility only after the first version, and lists no subjects. */
  const { Subjects, Compatibility } = forge({
    host,
    clientId: CLIENT_ID,
    gatewayConfigs: { HTTP: { configure: () => ({ agent }) } },
    middleware: [EncodeJson, ...(auth === null ? [] : [BasicAuth(auth)]), guard],
    resources: {
      Subjects: { list: { method: 'get', path: '/subjects' } },
      Compatibility: { require: { method: 'put', path: '/config/{subject}' } },
    },
  });

  /** Confirms that a 404 comes from the registry: from anything else it means a wrong address. */
  const confirmMissing = async (): Promise<null> => {
    await Subjects.list().catch((fault: unknown) => {
      throw isMissing(fault) ? notRegistry(host) : fault;
    });
    return null;
  };

  return {
    idOf: (subject, schema) =>
      registry.getRegistryIdBySchema(subject, avroSchema(schema)).catch((fault: unknown) => {
        if (isMissing(fault)) return confirmMissing();
        throw fault;
      }),
    register: async (subject, schema) => {
      const { id } = await registry.register(avroSchema(schema), { subject, compatibility });
      return id;
    },
    requireFullCompatibility: async (subject) => {
      await Compatibility.require({ subject, body: { compatibility } });
    },
    schemaOf: async (id) => {
      try {
        const schema: unknown = await registry.getSchema(id);
        return avro.Type.isType(schema) ? (schema as avro.Type) : null;
      } catch (fault) {
        if (isMissing(fault)) return confirmMissing();
        // The registry stores something there that is not a valid Avro schema.
        if (fault instanceof Error && fault.name === 'ConfluentSchemaRegistryArgumentError') return null;
        throw fault;
      }
    },
  };
}

const avroSchema = (schema: string) => ({ type: SchemaType.AVRO as const, schema });

const isMissing = (fault: unknown): boolean => fault instanceof RegistryRefusal && fault.statusCode === 404;
