/** The filters of the address that have no field of their own, such as those of a link: what they are, and a way out. */
import { X } from 'lucide-react'
import { Button } from '../ui/basics.js'
import { defineWords, useWords } from '../ui/words.js'

const words = defineWords({ drop: ['Remove the filter {name}', 'Filter {name} entfernen'] })

interface Chip {
  readonly name: string
  /** Empty while the address does not filter by it. */
  readonly value: string
  readonly onDrop: () => void
}

export function Chips({ of }: { of: readonly Chip[] }) {
  const t = useWords(words)
  const shown = of.filter(({ value }) => value !== '')
  if (shown.length === 0) return null
  return (
    <div className="row">
      {shown.map(({ name, value, onDrop }) => (
        <Button
          key={name}
          icon={<X size={14} aria-hidden />}
          aria-label={t('drop', { name: `${name}: ${value}` })}
          onClick={onDrop}
        >
          {name}: {value}
        </Button>
      ))}
    </div>
  )
}

/** The name of what an id stands for, as the rows know it; else the end of the id. */
export const named = (id: string, name: string | null | undefined): string => (id === '' ? '' : (name ?? id.slice(-8)))
