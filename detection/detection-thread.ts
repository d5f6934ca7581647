import { lowerPriority } from '#platform/threads/lower-priority.ts';
import { answerTasks } from '#platform/threads/task-thread.ts';
import { searchTasks } from './search-tasks.ts';

/** Main module of a thread that searches texts. Requests take priority when cores are scarce. */
lowerPriority();
answerTasks(searchTasks(() => performance.now()));
