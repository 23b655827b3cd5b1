import type { operations } from '../../data/api.js'

type Answer = operations['compliance.finding.list']['responses']['200']['content']['application/json']['data']
export type Finding = Answer['findings'][number]

/** What is read of a finding that is opened. */
export type OpenedFinding =
  operations['compliance.finding.get']['responses']['200']['content']['application/json']['data']
