/** Starts the service, sends it four plugins, and fails if an answer is not the expected one. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rules } from './rules.mjs'
import { createService } from './service.mjs'

const server = createService(rules).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())

const send = async (body) => {
  const response = await fetch(`http://127.0.0.1:${port}/plugins`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const good = await send({ name: 'lint', version: '1.2.0', description: 'Runs the linter', usesRootUser: false })
assert.equal(good.status, 201)
assert.deepEqual(good.body.complianceWarnings, [])
console.log('201 a plugin that holds every rule is stored')

const warned = await send({ name: 'lint', version: '1.2.0', usesRootUser: false })
assert.equal(warned.status, 201)
assert.deepEqual(
  warned.body.complianceWarnings.map((each) => each.ruleName),
  ['has-a-description'],
)
console.log('201 a warning does not block:', warned.body.complianceWarnings[0].message)

const blocked = await send({ name: 'lint', version: 'latest', description: 'Runs the linter', usesRootUser: true })
assert.equal(blocked.status, 403)
assert.deepEqual(
  blocked.body.details.violations.map((each) => each.ruleName),
  ['no-root-user', 'version-is-semantic'],
)
for (const violation of blocked.body.details.violations) console.log(`403 ${violation.ruleName}: ${violation.message}`)

assert.equal((await send('[1, 2')).status, 400)
let nested = {}
for (let depth = 0; depth < 12; depth++) nested = { nested }
const deep = await send({ name: 'deep', metadata: nested })
assert.equal(deep.status, 400)
console.log('400', deep.body.message)

server.close()
console.log('every answer as expected')
