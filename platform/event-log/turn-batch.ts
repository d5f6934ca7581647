/** One question of many that are answered together. */
interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Answers the questions that were asked in one turn of the event loop with one call, in the order asked. */
export function createTurnBatch<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let asked: Asked<Question, Answer>[] = [];

  async function flush(): Promise<void> {
    const taken = asked;
    asked = [];
    try {
      const answers = await answerAll(taken.map(({ question }) => question));
      for (const [index, { resolve }] of taken.entries()) resolve(answers[index]!);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) setImmediate(flush);
      asked.push({ question, resolve, reject });
    });
}
