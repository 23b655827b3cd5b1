/** Lines that keep a scan to its organization and its states, and a schedule to one scan a slot. */
import type { Guard } from './guard.js'

const SCANS = 'src/compliance/scan/scan.test.ts'
const SCAN_MODEL = 'src/compliance/scan/scan-model.test.ts'
const SCHEDULES = 'src/compliance/schedule/schedule.test.ts'

export const SCAN_GUARDS: readonly Guard[] = [
  {
    name: 'a scan to be shown is an own one',
    file: 'compliance/scan/find.ts',
    find: 'and(eq(t.id, id), eq(t.orgId, orgId))',
    replace: 'eq(t.id, id)',
    test: SCANS,
  },
  {
    name: 'the list of scans',
    file: 'compliance/scan/read.ts',
    find: '        eq(t.orgId, tenantId(context)),\n',
    replace: '',
    test: SCANS,
  },
  {
    name: 'a scan to be cancelled is an own one',
    file: 'compliance/scan/cancel.ts',
    find: "eq(t.id, path.id), eq(t.orgId, orgId), inArray(t.status, ['pending', 'running'])",
    replace: "eq(t.id, path.id), inArray(t.status, ['pending', 'running'])",
    test: SCANS,
  },
  {
    name: 'the organization of a filter is the caller’s',
    file: 'compliance/scan/create.ts',
    find: 'filter === null ? null : { ...filter, orgId }',
    replace: 'filter === null ? null : { orgId, ...filter }',
    test: SCANS,
  },
  {
    name: 'one scan of the same records at a time',
    file: 'compliance/scan/open.ts',
    find: "pluginSlot: targets.includes('plugin') ? TAKEN : null",
    replace: 'pluginSlot: null',
    test: SCAN_MODEL,
  },
  {
    name: 'a cancelled scan writes nothing more',
    file: 'compliance/scan/batch.ts',
    find: "        eq(t.status, 'running'),\n",
    replace: '',
    test: SCANS,
  },
  {
    name: 'a scan that could not look has failed',
    file: 'compliance/scan/job.ts',
    find: 'context.job.attempt < TRIES_MAX',
    replace: 'context.job.attempt < 1000',
    test: SCANS,
  },
  {
    name: 'the system organization is exempt from scans',
    file: 'compliance/scan/open.ts',
    find: 'wanted.orgId === SYSTEM_ORG_ID && !runtime',
    replace: 'wanted.orgId === "" && !runtime',
    test: SCANS,
  },
  {
    name: 'a scan that nobody works on has failed',
    file: 'compliance/scan/leftovers.ts',
    find: 'else if ((scan.heartbeatAtMs ?? 0) < nowMs - silentMs)',
    replace: 'else if (nowMs < 0)',
    test: SCHEDULES,
  },
  {
    name: 'a scan whose work was given up has failed',
    file: 'compliance/scan/leftovers.ts',
    find: 'if (!worked.has(scan.id))',
    replace: 'if (nowMs < 0)',
    test: SCHEDULES,
  },
  {
    name: 'a schedule to be changed is an own one',
    file: 'compliance/schedule/manage.ts',
    find: 'and(eq(t.id, id), eq(t.orgId, tenantId(context)))',
    replace: 'eq(t.id, id)',
    test: SCHEDULES,
  },
  {
    name: 'the list of schedules',
    file: 'compliance/schedule/manage.ts',
    find: 'and(eq(t.orgId, tenantId(context)), equals(t.target',
    replace: 'and(equals(t.target',
    test: SCHEDULES,
  },
  {
    name: 'so many schedules are active',
    file: 'compliance/schedule/manage.ts',
    find: 'Number(row?.active ?? 0) < ACTIVE_MAX',
    replace: 'Number(row?.active ?? 0) < 1000',
    test: SCHEDULES,
  },
  {
    name: 'a slot has one scan, also for a look that slept',
    file: 'compliance/schedule/due.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of the source
    find: '    slotKey: `${schedule.id}@${slotMs}`,',
    replace: '    slotKey: null,',
    test: SCHEDULES,
  },
]
