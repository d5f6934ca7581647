import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { suppressionShown } from '../ledger/signal.v3.ts';
import { ENTITY_TYPES, SCAN_ACTIONS, SCAN_SOURCES } from '../vocabulary.ts';
import { triplet } from './audits.ts';
import { defineRoute, KIB } from './contract.ts';
import { single } from './fields/fields.ts';
import { scannedText } from './fields/messages.ts';

const scanRequest = z.object({
  sandbox: triplet.shape.sandboxSlug.meta({ description: 'slug of the sandbox; - and _ are equivalent' }),
  provider: triplet.shape.provider.optional(),
  model: triplet.shape.model.optional(),
  systemPrompt: scannedText.optional().meta({ description: 'scanned as well' }),
  userInput: scannedText,
});
export type ScanRequest = z.output<typeof scanRequest>;

const detectedEntity = z.object({
  type: z.enum(ENTITY_TYPES),
  originalValue: z.string(),
  redactedValue: z.string(),
  start: z.int().meta({ description: 'start in its text, in UTF-16 code units' }),
  end: z.int().meta({ description: 'end in its text, exclusive, in UTF-16 code units' }),
  startCodePoint: z.int().meta({
    description: 'start in Unicode code points, as in Python; a lone surrogate is one code point',
  }),
  endCodePoint: z.int().meta({ description: 'end in Unicode code points, exclusive' }),
  confidence: z.number().min(0).max(1),
  source: z.enum(SCAN_SOURCES),
  ruleIndex: z.int().optional().meta({ description: "for a custom rule: its index in the sandbox's list" }),
});

const scanResult = z.object({
  action: z.enum(SCAN_ACTIONS),
  violations: z.array(z.string()),
  reasoning: z
    .string()
    .meta({ description: 'description of each match; values are always partially masked' }),
  cleanPrompt: z.string().meta({ description: 'userInput with matches replaced' }),
  cleanSystemPrompt: z
    .string()
    .optional()
    .meta({ description: 'systemPrompt with matches replaced, if one was sent' }),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .meta({ description: 'highest confidence of all matches; 1 without matches' }),
  detectedEntities: z.array(detectedEntity),
  suppressed: z.array(suppressionShown).optional().meta({
    description: "number of matches suppressed by the sandbox's settings, by setting; only if there are any",
  }),
  durationMs: z.number(),
});
export type ScanResult = z.output<typeof scanResult>;

export const scanPrompt = defineRoute({
  ...endpoints.scanPrompt,
  operationId: 'scanPrompt',
  summary: 'Scan a prompt',
  description: [
    'Checks a prompt before you send it to a model. Nothing is stored or counted.',
    "The sandbox's `guardianAction` determines the result: ALLOW, REDACT or BLOCK, all with status 200. Personal data and secrets are always detected; other types if the sandbox type includes them. Values are masked according to `redactionStrategy`.",
    'Both texts can be messages `{role, content}`. They are rendered as one text, which offsets and `cleanPrompt` refer to. Base64 files are not scanned and stay in place.',
  ].join('\n\n'),
  tag: 'Scans',
  auth: 'key',
  body: scanRequest,
  bodyLimitBytes: 256 * KIB,
  successStatus: 200,
  responses: { 200: single(scanResult) },
  noStore: true,
  errors: ['SANDBOX_NOT_FOUND', 'SANDBOX_INACTIVE'],
});
