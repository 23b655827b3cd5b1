/** Marks for enumeration values of the API. Severity and result are shown by shape, word and colour together. */
import { CircleCheck, CircleDot, Eye, OctagonX, ShieldCheck, Siren, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge, type Tone } from '../ui/basics.js'
import { useLabel } from '../ui/words.js'
import { valueWords } from './words.js'

const MARKS: Readonly<Record<string, readonly [Tone, ReactNode]>> = {
  critical: ['critical', <Siren key="i" size={12} aria-hidden />],
  error: ['error', <OctagonX key="i" size={12} aria-hidden />],
  warning: ['warning', <TriangleAlert key="i" size={12} aria-hidden />],
  block: ['critical', <OctagonX key="i" size={12} aria-hidden />],
  blocked: ['critical', <OctagonX key="i" size={12} aria-hidden />],
  warn: ['warning', <TriangleAlert key="i" size={12} aria-hidden />],
  'mode-warn': ['warning', <TriangleAlert key="i" size={12} aria-hidden />],
  warned: ['warning', <TriangleAlert key="i" size={12} aria-hidden />],
  pass: ['pass', <CircleCheck key="i" size={12} aria-hidden />],
  passed: ['pass', <CircleCheck key="i" size={12} aria-hidden />],
  fixed: ['pass', <CircleCheck key="i" size={12} aria-hidden />],
  exempted: ['exempt', <ShieldCheck key="i" size={12} aria-hidden />],
  approved: ['exempt', <ShieldCheck key="i" size={12} aria-hidden />],
  requested: ['accent', <CircleDot key="i" size={12} aria-hidden />],
  pending: ['accent', <CircleDot key="i" size={12} aria-hidden />],
  running: ['accent', <CircleDot key="i" size={12} aria-hidden />],
  open: ['error', <CircleDot key="i" size={12} aria-hidden />],
  observe: ['plain', <Eye key="i" size={12} aria-hidden />],
  enforce: ['critical', <OctagonX key="i" size={12} aria-hidden />],
  failed: ['error', <OctagonX key="i" size={12} aria-hidden />],
  failure: ['error', <OctagonX key="i" size={12} aria-hidden />],
  completed: ['pass', <CircleCheck key="i" size={12} aria-hidden />],
  success: ['pass', <CircleCheck key="i" size={12} aria-hidden />],
  ready: ['pass', <CircleCheck key="i" size={12} aria-hidden />],
  sent: ['pass', <CircleCheck key="i" size={12} aria-hidden />],
  deprecated: ['warning', <TriangleAlert key="i" size={12} aria-hidden />],
}

export function Mark({ value }: { value: string }) {
  const label = useLabel(valueWords)
  const [tone, icon] = MARKS[value] ?? (['plain', null] as const)
  return (
    <Badge tone={tone} icon={icon}>
      {label(value)}
    </Badge>
  )
}

/** The mode of a rule. Here `warn` is a mode and not a result. */
export const ModeMark = ({ mode }: { mode: string }) => <Mark value={mode === 'warn' ? 'mode-warn' : mode} />
