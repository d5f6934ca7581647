import { z } from 'zod';
import { JUDGED_CODES } from '#schemas/vocabulary.ts';
import { described } from './setting-description.ts';
import { confidentialAddress, integer, someOf, text } from './setting-schemas.ts';

const OWN_FIELDS = ['model', 'messages', 'stream'];
const FIELDS = z
  .record(z.string(), z.unknown())
  .refine((fields) => OWN_FIELDS.every((own) => !(own in fields)));

/** The fields of a JSON object; refuses fields that the service itself fills in. */
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

/** Whether there is a judge, its address, and what it may be asked. */
export const JUDGE_SETTINGS = described({
  JUDGE_URL: {
    description:
      'Base URL of an OpenAI-compatible chat completions API, without /chat/completions. Must be https, or http on this machine. If set, a language model judges custom rules that are sentences. Detected values are replaced before texts are sent. The model can only add violations. Scans do not use it.',
    byDefault: 'no judge',
    schema: confidentialAddress('https://host/v1', 'the key goes into JUDGE_API_KEY'),
  },
  JUDGE_MODEL: { description: 'Name of the model.', byDefault: 'none', schema: text() },
  JUDGE_API_KEY: {
    description: 'Bearer token for the endpoint.',
    byDefault: 'none',
    schema: text(),
    secret: true,
  },
  JUDGE_CODES: {
    description: `Violation codes that the model also checks, for every audit in sandboxes whose type reports them. Separated by commas, from ${JUDGED_CODES.join(', ')}.`,
    byDefault: 'none',
    schema: someOf(JUDGED_CODES).optional(),
  },
  JUDGE_ON_OUTAGE: {
    description:
      'While the endpoint is unavailable: `pause` makes all audits wait, and the analyzer is not ready (embedded: degraded). `skip` continues, and signals say what was not judged.',
    byDefault: 'pause',
    schema: z.enum(['pause', 'skip'], { error: 'must be pause or skip' }).default('pause'),
  },
  JUDGE_CALLS_PER_MINUTE: {
    description:
      'Maximum calls per minute and process. Audits above it are not judged, and their signals say so. Set it below the rate limit of the endpoint divided by the number of analyzers.',
    byDefault: '60',
    schema: integer(1, 100_000).default(60),
  },
  JUDGE_MAX_CHARACTERS: {
    description:
      'Maximum characters of the texts of an audit in one call, not counting rules. For longer texts, only the start and the end are sent, and the signal says so.',
    byDefault: '24000',
    schema: integer(1_000, 1_000_000).default(24_000),
  },
  JUDGE_TIMEOUT_MS: {
    description: 'Timeout of one call, in ms.',
    byDefault: '10000',
    schema: integer(100, 20_000).default(10_000),
  },
  JUDGE_CONCURRENCY: {
    description: 'Maximum concurrent calls per process.',
    byDefault: '4',
    schema: integer(1, 64).default(4),
  },
  JUDGE_PARAMETERS: {
    description:
      'Additional fields of each request, as a JSON object. Use `{}` for models that do not support temperature.',
    byDefault: '`{"temperature":0}`',
    schema: z.string().transform(requestFields).prefault('{"temperature":0}'),
  },
});
