/** Which build of SQLite's driver is taken, and that a wrong one is refused before it can end the process. */
import { describe, expect, it } from 'vitest'
import { CannotStart } from '../cannot-start.js'
import { driverProblem } from '../node-version.js'
import { driverFor, sqliteDriver } from './sqlite-driver.js'

const old = { version: '12.11.1', path: sqliteDriver().path }
const recent = { version: '13.2.0', path: sqliteDriver().path }

describe('the driver of SQLite', () => {
  it.each(['20.19.0', '20.20.2', '22.13.1'])('is 12 on Node %s, whatever else is there', (node) => {
    expect(driverFor(node, [recent, old]).version).toBe('12.11.1')
  })

  it.each(['22.14.0', '24.21.0', '26.10.0'])('is 13 on Node %s', (node) => {
    expect(driverFor(node, [recent, old]).version).toBe('13.2.0')
    expect(driverFor(node, [recent]).version).toBe('13.2.0')
  })

  it('is 12 on Node 22 where only that is there', () => {
    expect(driverFor('22.23.3', [old]).version).toBe('12.11.1')
  })

  it.each(['24.0.0', '24.21.0', '26.10.0'])('is not 12 on Node %s: it would end the process', (node) => {
    const ask = () => driverFor(node, [old])
    expect(ask).toThrow(CannotStart)
    expect(ask).toThrow(/ends the process at random on Node 24; this is .* Run `npm install` again/)
  })

  it.each(['20.20.2', '22.13.1'])('is not 13 on Node %s, and the way out names the compiler', (node) => {
    const ask = () => driverFor(node, [recent])
    expect(ask).toThrow(CannotStart)
    expect(ask).toThrow(
      'better-sqlite3 13.2.0 needs Node 22.14 or newer; this is ' +
        `${node}. Use a newer Node; or run \`npm install\` again where a C++ compiler is, without leaving optional packages out: it builds better-sqlite3 12`,
    )
  })

  it.each(['20.20.2', '24.21.0'])('is named as missing on Node %s where there is none', (node) => {
    expect(() => driverFor(node, [])).toThrow('better-sqlite3 is not installed: run `npm install` again')
  })

  it('fits this Node', () => {
    expect(driverProblem(process.versions.node, sqliteDriver().version)).toBeNull()
  })
})
