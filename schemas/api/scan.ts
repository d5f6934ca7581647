import { z } from 'zod';
import * as endpoints from '../endpoints.ts';
import { suppressionShown } from '../ledger/signal.v3.ts';
import { ENTITY_TYPES, SCAN_ACTIONS, SCAN_SOURCES } from '../vocabulary.ts';
import { triplet } from './audits.ts';
import { defineRoute, KIB } from './contract.ts';
import { single } from './fields/fields.ts';
import { scannedText } from './fields/messages.ts';

const scanRequest = z.object({
  sandbox: triplet.shape.sandboxSlug.meta({ description: 'slug of the sandbox, in either spelling' }),
  provider: triplet.shape.provider.optional(),
  model: triplet.shape.model.optional(),
  systemPrompt: scannedText.optional().meta({ description: 'looked at too, for it is sent as well' }),
  userInput: scannedText,
});
export type ScanRequest = z.output<typeof scanRequest>;

const detectedEntity = z.object({
  type: z.enum(ENTITY_TYPES),
  originalValue: z.string(),
  redactedValue: z.string(),
  start: z.int().meta({ description: 'UTF-16 code units from the beginning of the text it was found in' }),
  end: z.int().meta({ description: 'UTF-16 code units as well, exclusive' }),
  startCodePoint: z.int().meta({
    description:
      'the same beginning counted in Unicode code points, as Python counts; a lone surrogate is one code point',
  }),
  endCodePoint: z.int().meta({ description: 'code points as well, exclusive' }),
  confidence: z.number().min(0).max(1),
  source: z.enum(SCAN_SOURCES),
  ruleIndex: z.int().optional().meta({ description: "of a custom rule: its place in the sandbox's list" }),
});

const scanResult = z.object({
  action: z.enum(SCAN_ACTIONS),
  violations: z.array(z.string()),
  reasoning: z.string().meta({ description: 'what was found where; values are always partially masked' }),
  cleanPrompt: z.string().meta({ description: 'userInput with what was found replaced' }),
  cleanSystemPrompt: z.string().optional().meta({ description: 'systemPrompt likewise, when one was sent' }),
  confidence: z.number().min(0).max(1).meta({ description: 'the highest of the finds; 1 without any' }),
  detectedEntities: z.array(detectedEntity),
  suppressed: z.array(suppressionShown).optional().meta({
    description:
      "findings that the sandbox's settings suppressed, counted by setting; only where there were any",
  }),
  durationMs: z.number(),
});
export type ScanResult = z.output<typeof scanResult>;

export const scanPrompt = defineRoute({
  ...endpoints.scanPrompt,
  operationId: 'scanPrompt',
  summary: 'Looks at a prompt before it is sent to a model',
  description:
    "The sandbox's `guardianAction` decides what a find leads to: ALLOW, REDACT or BLOCK, which is a 200 as well. Personal data and secrets are looked for whatever the sandbox's type; anything else when the type reports it. Values are replaced as its `redactionStrategy` says. Both texts may be messages `{role, content}` as they are sent to the model: they are rendered as one text, which offsets and `cleanPrompt` refer to. Pictures and other files in base64 are not searched and stay where they are. Nothing of a scan is stored or counted.",
  tag: 'guardian',
  auth: 'key',
  body: scanRequest,
  bodyLimitBytes: 256 * KIB,
  successStatus: 200,
  responses: { 200: single(scanResult) },
  noStore: true,
  errors: ['SANDBOX_NOT_FOUND', 'SANDBOX_INACTIVE'],
});
