/** Shared by the list of builds and the screen of one build. */
import type { components } from '../../data/api.js'
import { Badge, type Tone } from '../../ui/basics.js'
import { useLabel } from '../../ui/words.js'
import { buildWords } from './words.js'

export type Build = components['schemas']['Build']
export const BUILD_STATES = ['waiting', 'delayed', 'active', 'completed', 'dead', 'cancelled'] as const
export const PHASES = ['fetching', 'building', 'exporting', 'pushing', 'verifying', 'checking', 'publishing'] as const

const TONES: Readonly<Record<string, Tone>> = { active: 'accent', completed: 'pass', dead: 'error', delayed: 'warning' }

export const useBuildLabel = () => useLabel(buildWords)

export function BuildState({ of }: { of: string }) {
  const label = useBuildLabel()
  return <Badge tone={TONES[of] ?? 'plain'}>{label(of)}</Badge>
}

/** Whether the build is in a final state. */
export const isOver = ({ state, exhausted }: Pick<Build, 'state' | 'exhausted'>): boolean =>
  state === 'completed' || state === 'cancelled' || (state === 'dead' && exhausted)
