import { readListsOf } from '../../samples/lists.ts';

/** Ordinary questions and code snippets that resemble an attack. */
export const { questions: CODE_QUESTIONS } = readListsOf('evaluation/sets/code-questions.txt', 'questions');
