/**
 * Combines concurrent calls into one run: all calls with the same key in one turn of the event loop, and all calls
 * during a run, which the next run answers.
 *
 * INVARIANT: a run begins after every call that it answers, so that each answer is as current as one of a separate run.
 */
export type Together<Asked, Answer> = (
  key: string,
  asked: Asked,
  run: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
) => Promise<Answer>

interface Waiting<Asked, Answer> {
  readonly asked: Asked
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export function together<Asked, Answer>(): Together<Asked, Answer> {
  const waiting = new Map<string, Waiting<Asked, Answer>[]>()

  async function runAll(key: string, run: Parameters<Together<Asked, Answer>>[2]): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    for (let group = waiting.get(key) ?? []; group.length > 0; group = waiting.get(key) ?? []) {
      waiting.set(key, [])
      try {
        const answers = await run(group.map(({ asked }) => asked))
        for (const [at, { resolve }] of group.entries()) resolve(answers[at] as Answer)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    waiting.delete(key)
  }

  return (key, asked, run) =>
    new Promise((resolve, reject) => {
      const group = waiting.get(key)
      // guard: one-look-for-all-streams-of-an-organization
      if (group !== undefined) {
        group.push({ asked, resolve, reject })
        return
      }
      waiting.set(key, [{ asked, resolve, reject }])
      void runAll(key, run)
    })
}
