/** What `plumbline doctor` found about one thing. */

export interface Fact {
  readonly topic: string
  readonly state: 'ok' | 'note' | 'wrong'
  readonly text: string
  readonly details?: readonly string[]
}
