/**
 * The part of vitest's interface that the engine's tests use, without vitest: `describe` and `it` collect, somebody
 * else runs. A suite's body runs after the module that holds it, as in vitest. Whatever is not offered here is refused
 * by name when a test file asks for it. Tests that read a clock are left out.
 */
import type { expect as Expect, vi as Vi } from 'vitest'

export interface CollectedTest {
  /** Unique in its file, whatever the titles are. */
  readonly name: string
  readonly run: () => unknown
}

/** A test that measures time would fail for mutants that do nothing wrong. */
const READS_A_CLOCK = /\bperformance\.now\b|\bprocessorTime\b|\bcpuUsage\b/

type Body = (...args: never[]) => unknown
type Declare = (title: string, body: Body, args: readonly unknown[]) => void

/**
 * Runs `load` with an imitation of the vitest module and gives the tests that it declared, in order.
 *
 * @throws whatever the test file or one of its suites throws
 */
export function collect(
  vitest: { expect: typeof Expect; vi: typeof Vi },
  load: (module: object) => void,
): readonly CollectedTest[] {
  const tests: CollectedTest[] = []
  const cleanups: (() => void)[] = []
  let titles: readonly string[] = []
  let waiting: (() => void)[] = []

  const addTest: Declare = (title, body, args) => {
    if (READS_A_CLOCK.test(String(body))) return
    const name = `${[...titles, title].join(' > ')} #${tests.length}`
    tests.push({ name, run: () => cleanedUp(() => call(body, args), cleanups) })
  }
  const addSuite: Declare = (title, body, args) => {
    const path = [...titles, title]
    waiting.push(() => {
      titles = path
      call(body, args)
    })
  }
  const offered = {
    expect: vitest.expect,
    vi: vitest.vi,
    it: declaration(addTest),
    describe: declaration(addSuite),
    afterEach: (cleanup: () => void) => void cleanups.push(cleanup),
  }
  load(
    new Proxy(offered, {
      get(target, name) {
        if (name in target) return Reflect.get(target, name)
        throw new Error(`\`${String(name)}\` of vitest is not offered to mutation runs: extend suite.ts`)
      },
    }),
  )
  // Depth first, so that a nested suite is collected before its parent's next sibling.
  while (waiting.length > 0) {
    const [first, ...rest] = waiting
    waiting = []
    first?.()
    waiting.push(...rest)
  }
  return tests
}

/** `it` and `it.each`: a row that is a list gives the arguments, any other is the only one. */
function declaration(add: Declare) {
  const each = (rows: readonly unknown[]) => (title: string, body: Body) => {
    for (const row of rows) add(title, body, Array.isArray(row) ? row : [row])
  }
  return Object.assign((title: string, body: Body) => add(title, body, []), { each })
}

function call(body: Body, args: readonly unknown[]): unknown {
  return (body as (...args: readonly unknown[]) => unknown)(...args)
}

function cleanedUp(run: () => unknown, cleanups: readonly (() => void)[]): unknown {
  const clean = () => {
    for (const cleanup of cleanups) cleanup()
  }
  let result: unknown
  try {
    result = run()
  } catch (error) {
    clean()
    throw error
  }
  if (result instanceof Promise) return result.finally(clean)
  clean()
  return result
}
