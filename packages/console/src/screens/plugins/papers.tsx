/** The SBOM and the provenance of a plugin's image, as files. */
import { useState } from 'react'
import { useOrganization } from '../../data/api.js'
import { download } from '../../data/download.js'
import { Refused } from '../../data/refused.js'
import { Button } from '../../ui/basics.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

export function Papers({ of }: { of: { readonly id: string; readonly name: string; readonly version: string } }) {
  const t = useWords(words)
  const organization = useOrganization()
  const [error, setError] = useState<Error | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const papers = [
    { kind: 'sbom', path: `/plugins/${of.id}/sbom`, accept: 'application/vnd.cyclonedx+json' },
    { kind: 'provenance', path: `/plugins/${of.id}/provenance`, accept: 'application/vnd.dsse.envelope.v1+json' },
  ] as const
  const load = async ({ kind, path, accept }: (typeof papers)[number]) => {
    setError(null)
    setBusy(kind)
    try {
      await download({ organization, path, accept, name: `${of.name}-${of.version}.${kind}.json` })
    } catch (problem) {
      setError(problem as Error)
    }
    setBusy(null)
  }
  return (
    <div className="stack-small">
      <div className="row">
        {papers.map((paper) => (
          <Button key={paper.kind} busy={busy === paper.kind} onClick={() => void load(paper)}>
            {t(paper.kind)}
          </Button>
        ))}
      </div>
      <Refused error={error} />
    </div>
  )
}
