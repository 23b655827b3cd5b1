/** Plays the history of the demo day by day: checks, uploads, repairs, exemptions and scans. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../runtime/clock.js'
import { type Asked, exemptionsOf } from './exemptions.js'
import { type Hands, idIn, uploadOf } from './hands.js'
import { createRecords, type DemoPipeline, pipelineBody, repair } from './records.js'
import { createRules } from './rules.js'

export const HISTORY_DAYS = 30

/** The part of today that the history may fill. */
const TODAY_MS = 45 * MINUTE_MS

const REPAIRS: ReadonlyMap<number, readonly Parameters<typeof repair>[1][]> = new Map([
  [7, ['search']],
  [16, ['mail-gateway']],
  [23, ['catalogue', 'returns']],
])
const REPAIRED = { team: 'shop', branch: 'main', keywords: ['web'] }

/** Uploads that are refused, by day. */
const LARGE = { name: 'image-scan', version: '2.0.0', computeType: 'X2_LARGE' } as const
const REFUSED_UPLOADS: readonly number[] = [9, 21, HISTORY_DAYS]
const SCANS: readonly number[] = [0, 7, 14, 21, 28]
const CANCELLED_SCAN = 18

const REFUSED = 403

/** @param endMs the last instant that the history may fill. */
export async function liveThrough(hands: Hands, endMs: number): Promise<void> {
  const { clock } = hands
  const startMs = historyStart(endMs)
  clock.set(startMs + 8 * HOUR_MS)
  const records = await createRecords(hands)
  clock.set(startMs + 9 * HOUR_MS)
  const rules = await createRules(hands)
  const asked: Asked = new Map()
  await hands.settle()
  for (let day = 0; day <= HISTORY_DAYS; day++) {
    const isToday = day === HISTORY_DAYS
    // Working weeks differ between countries, so every day is a working day.
    clock.set(isToday ? Math.max(clock.now(), endMs - TODAY_MS) : startMs + day * DAY_MS + 10 * HOUR_MS)
    await checkDrafts(hands, day)
    for (const project of REPAIRS.get(day) ?? []) await repair(hands, project, REPAIRED)
    await exemptionsOf(hands, { day, startMs, records, rules, asked })
    if (REFUSED_UPLOADS.includes(day)) {
      await hands.send('demo-member', 'POST', '/plugins', uploadOf(LARGE), [REFUSED])
    }
    await scan(hands, day)
    await hands.settle()
  }
  await hands.send('demo-owner', 'POST', '/compliance/scan-schedules', { target: 'all', cronExpression: '0 3 * * *' })
}

/** Midnight (UTC) of the first day. */
export const historyStart = (endMs: number): number => Math.floor(endMs / DAY_MS) * DAY_MS - HISTORY_DAYS * DAY_MS

/** Checks of pipelines that are still drafts: the share of refused ones decreases from week to week. */
async function checkDrafts({ send, random, clock }: Hands, day: number): Promise<void> {
  const isToday = day === HISTORY_DAYS
  const count = isToday ? 4 : 2 + random.below(3)
  for (let at = 0; at < count; at++) {
    if (!isToday) clock.advance(random.below(60) * MINUTE_MS)
    const project = random.pick(['checkout', 'basket', 'ledger', 'price-list', 'stock', 'mobile-api', 'newsletter'])
    // Today two are refused, so that the demo has something to show.
    const isBad = isToday ? at < 2 : random.below(100) < 45 - day
    const draft = isBad
      ? random.pick<DemoPipeline>([
          { project, branch: 'develop', team: 'shop', keywords: ['web'] },
          { project, branch: 'main', keywords: ['web'] },
          { project, branch: 'hotfix' },
        ])
      : { project, branch: 'main', team: 'shop', keywords: random.pick([['web'], ['web'], []]) }
    const attributes = pipelineBody(draft)
    const body = { attributes, entityName: project, action: 'update' }
    await send(random.pick(['demo-member', 'demo-admin']), 'POST', '/compliance/validate/pipeline', body)
  }
}

async function scan({ send }: Hands, day: number): Promise<void> {
  if (SCANS.includes(day)) await send('demo-owner', 'POST', '/compliance/scans', { target: 'all' })
  if (day !== CANCELLED_SCAN) return
  const made = await send('demo-admin', 'POST', '/compliance/scans', { target: 'pipeline' })
  await send('demo-admin', 'POST', `/compliance/scans/${idIn(made, 'scan')}/cancel`)
}
