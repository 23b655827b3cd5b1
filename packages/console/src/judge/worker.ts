import type { ImpactEntity } from '@plumbline/engine'
import { judge } from './judge.js'
import type { Question } from './messages.js'

let inventory: readonly ImpactEntity[] | null = null

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  if (data.kind === 'inventory') inventory = data.entities
  else postMessage(judge(data.id, data.rule, inventory, data.former))
})
