import { detectInSteps } from '#core/detect/detect.ts';
import { createCompiledCache, createRuleCache } from '#core/detect/find/rule-cache.ts';
import { compileSettings } from '#core/detect/judge/settings/detection-settings.ts';
import { finish } from '#core/detect/steps.ts';
import { answerTasks } from '#platform/threads/task-thread.ts';
import { lowerPriority } from '#platform/wiring/lower-priority.ts';
import type { DetectionSettings } from '#schemas/ledger/policy-event.v1.ts';
import { sameLists } from './rule-lists.ts';
import { readTask, writeFound } from './task-bytes.ts';

/** Main module of a thread that searches long texts. */
const rulesOf = createRuleCache();
const sameList = sameLists();
const settingsOf = createCompiledCache(compileSettings);
const sameSettings = sameLists<DetectionSettings>();
// Short texts and requests go first when cores are short.
lowerPriority();

answerTasks((task) => {
  const { texts, customRules, settings } = readTask(task);
  const rules = finish(rulesOf(sameList(customRules)));
  const compiled = settings === undefined ? null : finish(settingsOf(sameSettings(settings)));
  const [found] = finish(detectInSteps([{ texts, rules, settings: compiled }]));
  return writeFound(found!);
});
