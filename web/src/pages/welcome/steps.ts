import { ingestAudit } from '#schemas/endpoints.ts';

/** What there is by now; null: not known yet. */
interface Begun {
  readonly sandboxes: number | null;
  readonly activeKeys: number | null;
  readonly audits: number | null;
  readonly signals: number | null;
}

export type StepId = 'sandbox' | 'key' | 'audit' | 'signal';

interface FirstStep {
  readonly id: StepId;
  readonly isDone: boolean;
  /** The first that is not done. */
  readonly isNext: boolean;
}

/** Steps in the order in which they are taken; each ticks itself by what there is, whoever made it. */
export function firstSteps({ sandboxes, activeKeys, audits, signals }: Begun): FirstStep[] {
  const isThere = (count: number | null): boolean => count !== null && count > 0;
  const steps = [
    { id: 'sandbox', isDone: isThere(sandboxes) },
    // A key that did its work may be revoked by now.
    { id: 'key', isDone: isThere(activeKeys) || isThere(audits) },
    { id: 'audit', isDone: isThere(audits) },
    { id: 'signal', isDone: isThere(signals) },
  ] as const;
  const next = steps.find(({ isDone }) => !isDone)?.id;
  return steps.map((step) => ({ ...step, isNext: step.id === next }));
}

/** A text inside single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A command that sends an audit. Without `key` it takes the key from a variable. */
export function curlExample(origin: string, sandboxSlug: string, key: string | null): string {
  const body = {
    sandboxSlug,
    provider: 'openai',
    model: 'gpt-4o',
    prompt: 'My email is jane.roe@example.org. When will my order arrive?',
    response: 'On Friday.',
  };
  return [
    `curl ${quoted(`${origin}${ingestAudit.path}`)} \\`,
    key === null ? '  -H "x-service-key: $KEY" \\' : `  -H 'x-service-key: ${key}' \\`,
    "  -H 'content-type: application/json' \\",
    `  -d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join('\n');
}
