/**
 * A registry that stores plugins, reduced to the essentials: it evaluates the rules before it stores a plugin. If the
 * verdict blocks, it answers 403 with the violations; otherwise it passes the warnings on.
 */
import { createServer } from 'node:http'
import { checkAttributes, compileRules, projectEntity } from '@plumbline/engine'

const BODY_BYTES_MAX = 1024 * 1024

/** @param {readonly import('@plumbline/engine').Rule[]} rules */
export function createService(rules) {
  // Compiled once per rule set and not once per request. `strict` refuses a rule that cannot be evaluated.
  const ruleSet = compileRules(rules, { strict: true })
  const stored = new Map()

  return createServer(async (request, response) => {
    const answer = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.method !== 'POST' || request.url !== '/plugins') {
      answer(404, { code: 'NOT_FOUND', message: 'try POST /plugins' })
      return
    }

    const plugin = parse(await read(request))
    if (plugin === undefined) {
      answer(400, { code: 'VALIDATION_ERROR', message: 'the body must be a JSON object of at most 1 MiB' })
      return
    }
    // The caller of the engine checks the limits, once per request.
    const excess = checkAttributes(plugin)
    if (excess !== null) {
      answer(400, {
        code: 'VALIDATION_ERROR',
        message: `${excess.limit}: ${excess.actual}, at most ${excess.max}`,
        details: excess,
      })
      return
    }

    const verdict = ruleSet.evaluate(projectEntity('plugin', plugin), { target: 'plugin', now: new Date() })
    if (verdict.blocked) {
      answer(403, {
        code: 'COMPLIANCE_VIOLATION',
        message: `${verdict.violations.length} rules do not hold`,
        details: verdict,
      })
      return
    }
    stored.set(plugin.name, plugin)
    answer(201, { stored: plugin.name, complianceWarnings: verdict.warnings })
  })
}

async function read(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text) {
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
