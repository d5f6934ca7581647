import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A text of an audit, in a form that every release accepts. */
export interface ComparedText {
  readonly source: 'prompt' | 'response' | 'thinkingBlock' | 'systemPrompt' | 'userInput';
  readonly text: string;
}

export interface ComparedAudit {
  readonly texts: readonly ComparedText[];
  readonly customRules: readonly string[];
}

/** The service's result for an audit. */
export interface Verdict {
  readonly findings: readonly unknown[];
  readonly assessment: unknown;
  readonly explanation: string;
}

/** A compiled release of detection. */
export interface Release {
  detect(audit: ComparedAudit): readonly unknown[];
  judge(audit: ComparedAudit, matches: readonly unknown[]): Verdict;
}

export const POLICY = {
  sandboxType: 'FULL_SPECTRUM',
  regulations: ['GDPR', 'HIPAA'],
  alertThreshold: 'HIGH',
} as const;

interface Modules {
  readonly detect: (texts: readonly ComparedText[], options: object) => readonly unknown[];
  readonly assess: (matches: readonly unknown[], policy: object) => object;
  readonly explain: (
    texts: readonly ComparedText[],
    matches: readonly unknown[],
    assessment: object,
  ) => string;
}

/**
 * Opens a build of a release: the `dist` folder that `npm run build` made in a copy of the project with package.json.
 */
export async function openRelease(dist: string): Promise<Release> {
  const load = async <Name extends keyof Modules>(file: string, name: Name): Promise<Modules[Name]> => {
    const url = pathToFileURL(path.resolve(dist, 'core/detect', file)).href;
    return ((await import(url)) as Modules)[name];
  };
  const detect = await load('detect.js', 'detect');
  const assess = await load('judge/assess.js', 'assess');
  const explain = await load('report/explain.js', 'explain');
  return {
    detect: ({ texts, customRules }) => detect(texts, { customRules }),
    judge: ({ texts }, matches) => {
      const assessment = assess(matches, POLICY);
      return { findings: matches, assessment, explanation: explain(texts, matches, assessment) };
    },
  };
}
