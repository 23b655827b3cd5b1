import { defineWords } from '../../ui/words.js'

export const words = defineWords({
  title: ['Quotas and usage', 'Kontingente und Verbrauch'],
  question: ['How far from a limit are we?', 'Wie weit sind wir von einer Grenze?'],
  seats: ['Seats', 'Plätze'],
  used: ['{used} of {limit}', '{used} von {limit}'],
  unlimited: ['{used}, without a limit', '{used}, ohne Grenze'],
  tier: ['Tier {name}', 'Stufe {name}'],
  why: ['{baseline} by the tier', '{baseline} durch die Stufe'],
  addons: ['{addons} by add-ons', '{addons} durch Pakete'],
  override: ['set by hand to {override}', 'von Hand auf {override} gesetzt'],
  team: ['team limit {limit}', 'Team-Grenze {limit}'],
  pooled: ['Shared with the whole account', 'Mit dem ganzen Konto geteilt'],
  period: ['Counted from zero on {date}', 'Neu gezählt am {date}'],
  reached: ['At this pace reached on {date}', 'Bei diesem Tempo erreicht am {date}'],
})
