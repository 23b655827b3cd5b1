import type { operations } from '../../data/api.js'

type Answer = operations['compliance.finding.list']['responses']['200']['content']['application/json']['data']
export type Finding = Answer['findings'][number]
