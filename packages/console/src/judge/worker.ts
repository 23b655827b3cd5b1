import type { ImpactEntity } from '@plumbline/engine'
import { judge, lint } from './judge.js'
import type { Question } from './messages.js'

let inventory: readonly ImpactEntity[] | null = null

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  if (data.kind === 'inventory') inventory = data.entities
  else if (data.kind === 'lint') postMessage(lint(data.rules))
  else postMessage(judge(data, inventory))
})
