/**
 * What many ask at once is answered by one run: everything that is asked under a key in one turn of the event loop, and
 * everything that is asked while a run is under way, which the next one answers.
 *
 * INVARIANT: a run begins after everything that it answers was asked, so that each answer is as new as one of its own.
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
