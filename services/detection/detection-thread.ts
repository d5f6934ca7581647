import { answerTasks } from '#platform/threads/task-thread.ts';
import { lowerPriority } from '#platform/wiring/lower-priority.ts';
import { searchTasks } from './search-tasks.ts';

/** Main module of a thread that searches texts. Requests go first when cores are short. */
lowerPriority();
answerTasks(searchTasks(() => performance.now()));
