/** The catalog metadata of a plugin or a pipeline as facts of its page. */
import { type FactEntry, Tags } from '../ui/basics.js'
import { useLabel, useWords } from '../ui/words.js'
import { valueWords } from './words.js'
import { catalogWords } from './words-catalog.js'

interface Catalog {
  readonly criticality: string | null
  readonly labels: unknown
  readonly links: readonly { readonly title: string; readonly url: string }[]
}

/** Its criticality, and its labels and links where it has some. */
export function useCatalogFacts({ criticality, labels, links }: Catalog): readonly FactEntry[] {
  const t = useWords(catalogWords)
  const label = useLabel(valueWords)
  const named = Object.entries(labels as Record<string, unknown>)
  const facts: FactEntry[] = [[t('criticality'), label(criticality)]]
  if (named.length > 0) {
    facts.push([t('labels'), <Tags key="labels" of={named.map(([name, value]) => `${name}: ${String(value)}`)} />])
  }
  if (links.length > 0) {
    facts.push([
      t('links'),
      <span key="links" className="row">
        {links.map(({ title, url }) => (
          <a key={`${title} ${url}`} href={url} target="_blank" rel="noreferrer">
            {title}
          </a>
        ))}
      </span>,
    ])
  }
  return facts
}
