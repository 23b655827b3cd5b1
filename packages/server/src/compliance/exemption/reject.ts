/** Rejection of an exemption: the rule applies, and the same exemption can be requested again. */

export const REJECTED = 'compliance.exemption.reject'

/** The columns that rejection changes. */
export const rejection = (rejectionReason: string | null) =>
  ({ status: 'rejected', openKey: null, approvedBy: null, rejectionReason }) as const
