/** The judge of answers sees what is inside of the server, and does not take for it what the request itself said. */
import { expect, it } from 'vitest'
import { insideOf } from '../proof/requests/inside.js'

const request = (body?: unknown, target = '/things', headers = {}) => ({
  method: 'POST',
  target,
  headers,
  body: body === undefined ? undefined : JSON.stringify(body),
})
const answer = (message: string) => JSON.stringify({ success: false, message, at: '2026-11-21T20:38:51.000Z' })

const told = [
  new Error('x').stack ?? '',
  'Error: x\n    at Object.<anonymous> (/srv/app/dist/index.js:10:3)',
  'Error: x\n    at async Store.#run [as run] (file:///srv/store.js:1:20)',
  'at new Thing (C:\\srv\\thing.js:7:1)',
  'at node:internal/process/task_queues:95:5',
  'see node_modules/better-sqlite3',
  'in store.ts:12',
  'SQLITE_BUSY: database is locked',
  'SqliteError: no such table',
  'Failed query: SELECT * FROM users',
  'INSERT INTO users VALUES (1)',
]

it.each(told)('sees %j in an answer, as JSON, in a name of a member and as bare text', (text) => {
  expect(insideOf(answer(text), request())).not.toEqual([])
  expect(insideOf(JSON.stringify({ [text]: 1 }), request())).not.toEqual([])
  expect(insideOf(text, request())).not.toEqual([])
})

it.each(told)('takes %j for an echo where the body, the path, the query or a header said it', (text) => {
  expect(insideOf(answer(`no: ${text}`), request({ deep: [{ name: text }] }))).toEqual([])
  expect(insideOf(answer(text), request({ [text]: 1 }))).toEqual([])
  expect(insideOf(answer(text), request(undefined, `/things/${encodeURIComponent(text)}`))).toEqual([])
  expect(insideOf(answer(text), request(undefined, `/things?${new URLSearchParams({ q: text })}`))).toEqual([])
  expect(insideOf(answer(text), request(undefined, '/things', { 'x-name': text }))).toEqual([])
})

it('sees a stack beside an echo', () => {
  const stack = 'at /srv/app/run.js:1:2'
  expect(insideOf(answer(`SELECT a FROM b ${stack}`), request({ q: 'SELECT a FROM b' }))).toEqual([stack])
  expect(insideOf(answer(`SELECT secret FROM users`), request({ q: 'SELECT a FROM b' }))).toEqual([
    'SELECT secret FROM ',
  ])
})

it('takes no time after the word "at" for a line of a stack', () => {
  const message = { subject: 'at m%', createdAt: '2026-11-21T20:38:51.000Z' }
  expect(insideOf(JSON.stringify({ data: [message] }), request())).toEqual([])
  expect(insideOf('mailed at 12:30:15', request())).toEqual([])
})
