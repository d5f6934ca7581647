import { z } from 'zod';
import { JUDGED_CODES } from '#schemas/vocabulary.ts';
import { described } from './setting-description.ts';
import { confidentialAddress, integer, someOf, text } from './setting-schemas.ts';

const OWN_FIELDS = ['model', 'messages', 'stream'];
const FIELDS = z
  .record(z.string(), z.unknown())
  .refine((fields) => OWN_FIELDS.every((own) => !(own in fields)));

/** The fields of a JSON object; fields that the service itself fills in are refused. */
function requestFields(text: string, context: z.RefinementCtx<string>): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const fields = FIELDS.safeParse(value);
  if (fields.success) return fields.data;
  context.addIssue({ code: 'custom', message: 'must be a JSON object without model, messages and stream' });
  return z.NEVER;
}

/** Whether there is a judge, where, and what may be asked of it. */
export const JUDGE_SETTINGS = described({
  JUDGE_URL: {
    description:
      'Address of an endpoint that speaks OpenAI’s chat completions, up to and without /chat/completions: https, or http on this machine. Set: a language model judges custom rules that are sentences; texts are sent to it, with every value that was found replaced. It adds to what is found and takes nothing away. Scans never ask it.',
    byDefault: 'no judge',
    schema: confidentialAddress('https://host/v1', 'the key goes into JUDGE_API_KEY'),
  },
  JUDGE_MODEL: { description: 'Name of the model.', byDefault: 'none', schema: text() },
  JUDGE_API_KEY: {
    description: 'Key that is sent as a bearer token.',
    byDefault: 'none',
    schema: text(),
    secret: true,
  },
  JUDGE_CODES: {
    description: `Codes that the model is asked about as well, in sandboxes whose type reports them; it is then asked about every audit of these. Some of ${JUDGED_CODES.join(', ')}, comma-separated.`,
    byDefault: 'none',
    schema: someOf(JUDGED_CODES).optional(),
  },
  JUDGE_ON_OUTAGE: {
    description:
      '`pause`: while the endpoint cannot be used, audits wait, those without such rules too, and the analyzer is not ready (embedded: the service is degraded). `skip`: audits go on, and the reasoning of their signals says what was not judged.',
    byDefault: 'pause',
    schema: z.enum(['pause', 'skip'], { error: 'must be pause or skip' }).default('pause'),
  },
  JUDGE_CALLS_PER_MINUTE: {
    description:
      'Calls of one process in any minute at most. What comes on top is not judged, and its signal says so. Keep it below the endpoint’s own limit divided by the number of analyzers.',
    byDefault: '60',
    schema: integer(1, 100_000).default(60),
  },
  JUDGE_MAX_CHARACTERS: {
    description:
      'Characters of an audit’s texts that one call carries at most; of longer ones the beginning and the end are sent, and the signal says so. Rules come on top.',
    byDefault: '24000',
    schema: integer(1_000, 1_000_000).default(24_000),
  },
  JUDGE_TIMEOUT_MS: {
    description: 'Longest wait for one answer.',
    byDefault: '10000',
    schema: integer(100, 20_000).default(10_000),
  },
  JUDGE_CONCURRENCY: {
    description: 'Calls that one process makes side by side.',
    byDefault: '4',
    schema: integer(1, 64).default(4),
  },
  JUDGE_PARAMETERS: {
    description:
      'Further fields of each request, as a JSON object; `{}` for models that accept no temperature.',
    byDefault: '`{"temperature":0}`',
    schema: z.string().transform(requestFields).prefault('{"temperature":0}'),
  },
});
