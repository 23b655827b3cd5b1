/** Which build of SQLite's driver is taken, and that a wrong one is refused before it can end the process. */
import { describe, expect, it } from 'vitest'
import { CannotStart } from '../cannot-start.js'
import { driverFor } from './sqlite-driver.js'

const OLD = 'better-sqlite3'
const only = (name: string) => (each: string) => each === name

describe('the driver of SQLite', () => {
  it.each(['20.19.0', '20.20.2', '22.13.1'])('is 12 on Node %s, whatever else is there', (node) => {
    const asked: string[] = []
    const { version } = driverFor(node, (name) => asked.push(name) > 0)
    expect([version.split('.')[0], asked]).toEqual(['12', [OLD]])
  })

  it('is 12 on Node 22 where 13 was left out', () => {
    expect(driverFor('22.23.3', only(OLD)).version).toMatch(/^12\./)
  })

  it.each(['24.0.0', '24.21.0', '26.10.0'])('is not 12 on Node %s: it would end the process', (node) => {
    const ask = () => driverFor(node, only(OLD))
    expect(ask).toThrow(CannotStart)
    expect(ask).toThrow(/ends the process at random on Node 24; this is .* Run `npm install` again/)
  })

  it.each(['20.20.2', '24.21.0'])('is named as missing on Node %s where there is none', (node) => {
    expect(() => driverFor(node, () => false)).toThrow('better-sqlite3 is not installed: run `npm install` again')
  })
})
