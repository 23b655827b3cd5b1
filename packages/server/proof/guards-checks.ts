/**
 * Lines by which no verdict goes unrecorded or is bypassed, the record of them is sealed before it is pruned, and is
 * shown to its own organization.
 */
import type { Guard } from './guard.js'

const WALK = 'src/compliance/check/walk.test.ts'
const CHECKS = 'src/compliance/check/check.test.ts'
const RECHECKS = 'src/compliance/recheck/recheck.test.ts'
const PORT = 'src/compliance/port/port.test.ts'
const SEALS = 'src/compliance/seal/seal.test.ts'
const FINDINGS = 'src/compliance/finding/finding.test.ts'

export const CHECK_GUARDS: readonly Guard[] = [
  {
    name: 'findings of the own check log',
    file: 'compliance/check/pages.ts',
    find: 'and(eq(t.orgId, orgId), equals(t.scanId',
    replace: 'and(equals(t.scanId',
    test: FINDINGS,
  },
  {
    name: 'findings of a scan need a permission',
    file: 'compliance/finding/export.ts',
    find: "'/compliance/scans/:id/findings' },\n  access: permission('compliance:read')",
    replace: "'/compliance/scans/:id/findings' },\n  access: permission('plugins:read')",
    test: FINDINGS,
  },
  {
    name: 'findings of checks need a permission',
    file: 'compliance/finding/export.ts',
    find: "'/compliance/audit/findings' },\n  access: permission('compliance:read')",
    replace: "'/compliance/audit/findings' },\n  access: permission('plugins:read')",
    test: FINDINGS,
  },
  {
    name: 'what a dry run did not keep is not exported as nothing',
    file: 'compliance/finding/export.ts',
    find: 'if (dryRun) throw',
    replace: 'if (orgId === "") throw',
    test: FINDINGS,
  },
  {
    name: 'a cell of CSV begins no formula',
    file: 'runtime/csv.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of the source
    find: "FORMULA.test(text) ? `'${text}` : text",
    replace: 'FORMULA.test(text) ? text : text',
    test: 'src/runtime/csv.test.ts',
  },
  {
    name: 'the limits of attributes, live',
    file: 'compliance/check/validate.ts',
    find: '      if (excess !== null) throw refuseAttributes(excess)\n      const subject',
    replace: '      const subject',
    test: CHECKS,
  },
  {
    name: 'a live check has its entry',
    file: 'compliance/check/validate.ts',
    find: '      await recordCheck(tx, row)\n',
    replace: '',
    test: CHECKS,
  },
  {
    name: 'the check log of the own organization',
    file: 'compliance/check/list.ts',
    find: 'and(eq(t.orgId, tenantId(context)), checksWanted({ ...named, ...times })(db))',
    replace: 'checksWanted({ ...named, ...times })(db)',
    test: CHECKS,
  },
  {
    name: 'the findings of the own organization',
    file: 'compliance/check/pages.ts',
    find: 'sliceBehind(db, eq(t.orgId, orgId), {',
    replace: 'sliceBehind(db, undefined, {',
    test: WALK,
  },
  {
    name: 'an event works under the organization of its job',
    file: 'compliance/recheck/job.ts',
    find: '    if (job.orgId !== event.orgId) throw',
    replace: '    if (job.orgId === "") throw',
    test: RECHECKS,
  },
  {
    name: 'an older event after a newer one',
    file: 'compliance/recheck/recheck.ts',
    find: ' || last.eventAtMs > event.timestampMs) return false',
    replace: ') return false',
    test: RECHECKS,
  },
  {
    name: 'a check in this process has its entry',
    file: 'compliance/port/in-process.ts',
    find: '        await recordCheck(tx, row)\n',
    replace: '        void [row, recordCheck]\n',
    test: PORT,
  },
  {
    name: 'the form of a verdict from elsewhere',
    file: 'compliance/port/http.ts',
    find: '    if (found.length > 0) throw new Error(`the compliance service answered no verdict',
    replace: '    if (found.length > 1000) throw new Error(`the compliance service answered no verdict',
    test: PORT,
  },
  {
    name: 'a verdict from elsewhere agrees with itself',
    file: 'compliance/port/http.ts',
    find: 'if (verdict.blocked !== blocks || verdict.passed !== (verdict.violations.length === 0)) {',
    replace: 'if (blocks === undefined) {',
    test: PORT,
  },
  {
    name: 'a process without a way to a verdict does not start',
    file: 'compliance/port/choose.ts',
    find: '    if (guarded.length === 0) return undefined\n',
    replace: '    if (guarded.length < 1000) return undefined\n',
    test: PORT,
  },
  {
    name: 'a row is sealed once',
    file: 'compliance/seal/job.ts',
    find: 'page.filter(({ id }) => !sealed.has(id))',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of the source
    replace: 'page.filter(({ id }) => !sealed.has(`x${id}`))',
    test: SEALS,
  },
  {
    name: 'only sealed rows are pruned',
    file: 'compliance/check/prune.ts',
    find: 'const sealedMs = Math.min(beforeMs, seal.throughMs)',
    replace: 'const sealedMs = Math.max(beforeMs, seal.throughMs)',
    test: SEALS,
  },
  {
    name: 'pruning is said in the chain before it is done',
    file: 'compliance/check/prune.ts',
    find: '      details: { through: toIso(throughMs) },',
    replace: '      details: { through: toIso(0 * throughMs) },',
    test: SEALS,
  },
  {
    name: 'the check log as a file is of the own organization',
    file: 'compliance/check/pages.ts',
    find: 'and(eq(t.orgId, orgId), equals(t.scanId',
    replace: 'and(equals(t.scanId',
    test: SEALS,
  },
]
