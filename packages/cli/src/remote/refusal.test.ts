/** What the server says of a request is said of what a user wrote. */
import { ApiError } from '@plumbline/client'
import { expect, it } from 'vitest'
import { refusalError, spoken } from './refusal.js'

it.each([
  ['/body/props/synth: is required', 'props.synth: is required'],
  ['/query/limit: must be an integer', 'limit: must be an integer'],
  ['/path/reference: is neither a tag nor a digest', 'reference: is neither a tag nor a digest'],
  ['see `/path/name`', 'see `name`'],
  ['the file /work/path/name is missing', 'the file /work/path/name is missing'],
])('%s is said as %s', (text, said) => {
  expect(spoken(text)).toBe(said)
})

it('names the argument of a request that the server cannot read', () => {
  const issues = ['name', 'reference'].map((path) => ({ path: `/path/${path}`, message: 'is wrong' }))
  const body = { code: 'VALIDATION_ERROR', message: '/path/name: is wrong', details: { issues } }
  const error = new ApiError(new Response(null, { status: 400 }), body)
  const { message, details } = refusalError(error)
  expect([message, details]).toEqual(['name: is wrong (VALIDATION_ERROR)', ['name: is wrong', 'reference: is wrong']])
})
