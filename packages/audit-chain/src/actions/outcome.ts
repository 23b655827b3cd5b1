/** How an action ended. */

export type Outcome = 'success' | 'failure'
