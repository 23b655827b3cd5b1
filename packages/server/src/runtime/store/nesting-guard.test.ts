import { describe, expect, it } from 'vitest'
import { nestingGuard } from './nesting-guard.js'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('the guard against a write inside a write', () => {
  it('refuses what a write asks for, also after it has waited for statements', async () => {
    const guard = nestingGuard()
    const refused = await guard.run(async () => {
      for (let statement = 0; statement < 10; statement++) await Promise.resolve()
      try {
        guard.check()
        return false
      } catch {
        return true
      }
    })
    expect(refused).toBe(true)
  })

  it('refuses it in the later writes of the same turn too', async () => {
    const guard = nestingGuard()
    await guard.run(async () => undefined)
    await expect(guard.run(async () => guard.check())).rejects.toThrow(/inside a write/)
  })

  it('lets a write be asked for after one that ended or failed', async () => {
    const guard = nestingGuard()
    await guard.run(async () => undefined)
    guard.check()
    await expect(guard.run(() => Promise.reject(new Error('bad')))).rejects.toThrow('bad')
    guard.check()
  })

  it('does not blame another request while a write waits for something outside', async () => {
    const guard = nestingGuard()
    let go: () => void = () => undefined
    const waits = guard.run(() => new Promise<void>((resolve) => (go = resolve)))
    await turn()
    guard.check()
    go()
    await waits
  })
})
