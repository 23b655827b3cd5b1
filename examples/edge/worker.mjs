/**
 * The worker, as an edge platform would run it: a `fetch` handler in the style of web standards, and the rules as a
 * module next to it. It uses only what every such runtime has.
 */
import { evaluate } from './dist/rules.js'

export default {
  /** @param {Request} request */
  async fetch(request) {
    if (request.method !== 'POST') return answer(405, { message: 'send a plugin with POST' })
    let plugin
    try {
      plugin = JSON.parse(await request.text())
    } catch {
      return answer(400, { message: 'the body is not JSON' })
    }
    if (typeof plugin !== 'object' || plugin === null || Array.isArray(plugin)) {
      return answer(400, { message: 'a plugin is a JSON object' })
    }
    // The module does not read a clock, so the caller passes the time.
    const verdict = evaluate(plugin, { target: 'plugin', now: new Date() })
    return answer(verdict.blocked ? 403 : 200, {
      blocked: verdict.blocked,
      violations: verdict.violations.map(({ ruleName, severity, field, message }) => ({
        ruleName,
        severity,
        field,
        message,
      })),
    })
  },
}

function answer(status, body) {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}
