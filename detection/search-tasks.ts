import { detectInSteps } from '#core/detect/detect.ts';
import { createCompiledCache, createRuleCache } from '#core/detect/find/rule-cache.ts';
import { finish } from '#core/detect/find/steps.ts';
import { compileSettings } from '#core/detect/judge/settings/detection-settings.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import { sameLists } from './rule-lists.ts';
import { readTasks, type Task, writeSearched } from './task-bytes.ts';

/** A thread's work on a list of texts, or on a long one. Caches compiled rules and settings between tasks. */
export function searchTasks(clock: () => number): (bytes: Uint8Array) => Uint8Array {
  const rulesOf = createRuleCache();
  const sameList = sameLists();
  const settingsOf = createCompiledCache(compileSettings);
  const sameSettings = sameLists<DetectionSettings>();
  const compiled = ({ texts, customRules, settings }: Task) => ({
    texts,
    rules: finish(rulesOf(sameList(customRules))),
    settings: settings === undefined ? null : finish(settingsOf(sameSettings(settings))),
  });
  return (bytes) => {
    const since = clock();
    const found = finish(detectInSteps(readTasks(bytes).map(compiled)));
    return writeSearched({ found, durationMs: clock() - since });
  };
}
