/** Lines that keep a scan to its organization and its states, and a schedule to one scan a slot. */
import { cut, drop, type Guard, guard, swap, value } from './guard.js'

const SCANS = 'scan'
const SCAN_MODEL = 'scan-model'
const SCHEDULES = 'schedule'

export const SCAN_GUARDS: readonly Guard[] = [
  guard('a-job-that-waits-begins-after-the-change', drop, 'jobs'),
  guard('a-scan-to-be-shown-is-an-own-one', cut(', eq(t.orgId, orgId)'), SCANS),
  guard('the-list-of-scans', drop, SCANS),
  guard('a-scan-to-be-cancelled-is-an-own-one', cut(', eq(t.orgId, orgId)'), SCANS),
  guard('the-organization-of-a-filter-is-the-callers', swap('...filter, orgId', 'orgId, ...filter'), SCANS),
  guard('one-scan-of-the-same-records-at-a-time', cut("targets.includes('plugin') ? TAKEN :"), SCAN_MODEL),
  guard('a-cancelled-scan-writes-nothing-more', drop, SCANS),
  guard('a-scan-that-could-not-look-has-failed', swap('TRIES_MAX', '1000'), SCANS),
  guard('the-system-organization-is-exempt-from-scans', swap('SYSTEM_ORG_ID', '""'), SCANS),
  guard(
    'a-scan-that-nobody-works-on-has-failed',
    swap('(scan.heartbeatAtMs ?? 0) < nowMs - silentMs', 'nowMs < 0'),
    SCHEDULES,
  ),
  guard('a-scan-whose-work-was-given-up-has-failed', value('nowMs < 0'), SCHEDULES),
  guard('a-schedule-to-be-changed-is-an-own-one', cut(', eq(t.orgId, tenantId(context))'), SCHEDULES),
  guard('the-list-of-schedules', cut('eq(t.orgId, tenantId(context)), '), SCHEDULES),
  guard('so-many-schedules-are-active', value('Number(row?.active ?? 0) < 1000'), SCHEDULES),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a piece of the source
  guard('a-slot-has-one-scan-also-for-a-look-that-slept', swap('`${schedule.id}@${slotMs}`,', 'null,'), SCHEDULES),
]
