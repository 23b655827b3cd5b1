/** Approval of an exemption: from its commit on, the rule is waived for the entity. */
import type { ExemptionRow } from '../tables.js'

export const APPROVED = 'compliance.exemption.approve'

/** What it changes in the row, which stays open: the same exemption is not requested a second time. */
export const approval = ({ openKey }: ExemptionRow, reviewer: string) =>
  ({ status: 'approved', openKey, approvedBy: reviewer, rejectionReason: null }) as const
