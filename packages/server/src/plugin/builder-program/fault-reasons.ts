/** Why a builder gave a build back, or cannot start. */
export const FAULT_REASONS = ['disk-full', 'sandbox', 'registry', 'egress', 'server', 'machine', 'other'] as const
export type FaultReason = (typeof FAULT_REASONS)[number]

export interface BuilderFault {
  readonly reason: FaultReason
  readonly message: string
}

/** A fault of which the reason is known where it is met. */
export class Faulty extends Error {
  constructor(
    readonly reason: FaultReason,
    message: string,
  ) {
    super(message)
  }
}
