/** Approval of an exemption: from its commit on, the rule is waived for the entity. */
import type { ExemptionRow } from '../tables.js'

export const APPROVED = 'compliance.exemption.approve'

/** The columns that approval changes. `openKey` stays, so that the same exemption cannot be requested a second time. */
export const approval = ({ openKey }: ExemptionRow, reviewer: string) =>
  ({ status: 'approved', openKey, approvedBy: reviewer, rejectionReason: null }) as const
