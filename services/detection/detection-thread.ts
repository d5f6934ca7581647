import { detectAll } from '#core/detect/detect.ts';
import { createRuleCache } from '#core/detect/find/rule-cache.ts';
import { finish } from '#core/detect/steps.ts';
import { answerTasks } from '#platform/threads/task-thread.ts';
import { lowerPriority } from '#platform/wiring/lower-priority.ts';
import { sameLists } from './rule-lists.ts';
import { readTask, writeFindings } from './task-bytes.ts';

/** Main module of a thread that searches long texts. */
const rulesOf = createRuleCache();
const sameList = sameLists();
// Short texts and requests go first when cores are short.
lowerPriority();

answerTasks((task) => {
  const { texts, customRules } = readTask(task);
  const [findings = []] = detectAll([{ texts, rules: finish(rulesOf(sameList(customRules))) }]);
  return writeFindings(findings);
});
