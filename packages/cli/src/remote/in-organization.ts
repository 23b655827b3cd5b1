/**
 * Wraps a command that works in one organization: opens a session, and gets the id of the organization from the server.
 */
import type { CommandRun, Invocation, Io } from '../command.js'
import { openSession, type Session, telling } from './session.js'
import { tenantOf } from './tenant.js'

export interface Place {
  readonly invocation: Invocation
  readonly io: Io
  readonly session: Session
  /** The id of the organization. */
  readonly id: string
  readonly slug: string
}

/** @param act returns the exit code. */
export const inOrganization =
  (act: (place: Place) => Promise<number>): CommandRun =>
  (invocation, io) =>
    telling(async () => {
      const session = openSession(invocation, io)
      return act({ invocation, io, session, ...(await tenantOf(session)) })
    })
