import { ingestAudit } from '#schemas/endpoints.ts';

/** What exists so far; null: not known yet. */
interface Existing {
  readonly sandboxes: number | null;
  readonly activeKeys: number | null;
  readonly audits: number | null;
  readonly signals: number | null;
}

export type StepId = 'sandbox' | 'key' | 'audit' | 'signal';

interface FirstStep {
  readonly id: StepId;
  readonly isDone: boolean;
  /** The first step that is not done. */
  readonly isNext: boolean;
}

/** The steps in order; each is done once its records exist, whoever created them. */
export function firstSteps({ sandboxes, activeKeys, audits, signals }: Existing): FirstStep[] {
  const isThere = (count: number | null): boolean => count !== null && count > 0;
  const steps = [
    { id: 'sandbox', isDone: isThere(sandboxes) },
    // A key that has been used may be revoked by now.
    { id: 'key', isDone: isThere(activeKeys) || isThere(audits) },
    { id: 'audit', isDone: isThere(audits) },
    { id: 'signal', isDone: isThere(signals) },
  ] as const;
  const next = steps.find(({ isDone }) => !isDone)?.id;
  return steps.map((step) => ({ ...step, isNext: step.id === next }));
}

/** Sandboxes that suit the example's prompt: that of a new account, and one of the demo workspace. */
const SUITABLE = ['my-app', 'customer-support'];

/** The sandbox that the example audit is sent to. */
export const exampleSlug = (active: readonly string[]): string | undefined =>
  SUITABLE.find((slug) => active.includes(slug)) ?? active[0];

/** Text in single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A command that sends an audit. Without `key` it reads the key from a variable. */
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
