/** What the wrapper adds to the driver: a statement is compiled once for its text, whatever is bound to it. */
import { sql } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { sqliteConnection } from './sqlite-connection.js'
import { sqliteDriver } from './sqlite-driver.js'

const { Database } = sqliteDriver()

const notes = sqliteTable('notes', { id: text('id').primaryKey() })

it('compiles a query with a limit once, for every limit that is bound to it', async () => {
  const driver = new Database(':memory:')
  driver.exec("CREATE TABLE notes (id TEXT PRIMARY KEY); INSERT INTO notes VALUES ('a'), ('b'), ('c')")
  const compiled: string[] = []
  const compile = driver.prepare.bind(driver)
  driver.prepare = ((text: string) => {
    compiled.push(text)
    return compile(text)
  }) as typeof driver.prepare
  const { db } = sqliteConnection(driver, 'read')
  for (const limit of [1, 2, 5]) {
    const built = await db.select().from(notes).orderBy(notes.id).limit(limit).offset(1)
    const raw = await db.rows<{ id: string }>(sql`SELECT id FROM notes ORDER BY id LIMIT ${limit} OFFSET ${1}`)
    expect([built, raw]).toEqual(Array(2).fill(['b', 'c'].slice(0, limit).map((id) => ({ id }))))
  }
  // SQLite itself compiles a statement again when a value is bound to a bare `LIMIT ?`.
  expect(compiled.map((text) => /limit \S+/i.exec(text)?.[0])).toEqual(['limit +?', 'limit +?'])
  driver.close()
})
