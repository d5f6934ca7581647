import { detectInSteps } from '#core/detect/detect.ts';
import { createCompiledCache, createRuleCache } from '#core/detect/find/rule-cache.ts';
import { compileSettings } from '#core/detect/judge/settings/detection-settings.ts';
import { finish } from '#core/detect/steps.ts';
import { answerTasks } from '#platform/threads/task-thread.ts';
import { lowerPriority } from '#platform/wiring/lower-priority.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import { sameLists } from './rule-lists.ts';
import { readTasks, type Task, writeSearched } from './task-bytes.ts';

/** Main module of a thread that searches lists of texts, or a long one. */
const rulesOf = createRuleCache();
const sameList = sameLists();
const settingsOf = createCompiledCache(compileSettings);
const sameSettings = sameLists<DetectionSettings>();
// Requests go first when cores are short.
lowerPriority();

const compiled = ({ texts, customRules, settings }: Task) => ({
  texts,
  rules: finish(rulesOf(sameList(customRules))),
  settings: settings === undefined ? null : finish(settingsOf(sameSettings(settings))),
});

answerTasks((bytes) => {
  const since = performance.now();
  const audits = readTasks(bytes).map(compiled);
  const found = finish(detectInSteps(audits));
  return writeSearched({ found, durationMs: performance.now() - since });
});
