/**
 * Questions that arrive while one is being answered wait for it, and are then answered together, in the order in which they came.
 * The busier it is the more share the cost; none is answered by what was known before it was asked.
 */
export function gather<Question, Answer>(
  answerAll: (questions: Question[]) => Promise<readonly Answer[]>,
  most = 500,
): (question: Question) => Promise<Answer> {
  const queue: { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = []
  let isAnswering = false

  async function answerQueue() {
    while (queue.length > 0) await answerNext()
    isAnswering = false
  }

  async function answerNext() {
    const together = queue.splice(0, most)
    try {
      const answers = await answerAll(together.map(({ question }) => question))
      together.forEach(({ resolve }, nth) => resolve(answers[nth] as Answer))
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      queue.push({ question, resolve, reject })
      if (isAnswering) return
      isAnswering = true
      // whatever arrived in the same moment comes along
      setImmediate(() => void answerQueue())
    })
}
