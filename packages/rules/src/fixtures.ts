/** Parts of the example entities of rules. */

/** The links that rules require of a pipeline with high or critical criticality. */
const LINKED = ['Runbook', 'Recovery plan', 'Dashboard', 'Threat model', 'Penetration test 2026', 'Bill of materials']

export interface Link {
  readonly title: string
  readonly url: string
}

export const linksTitled = (...titles: readonly string[]): readonly Link[] =>
  titles.map((title) => ({ title, url: `https://docs.example.com/${title.toLowerCase().replaceAll(' ', '-')}` }))

export const allLinks = (): readonly Link[] => linksTitled(...LINKED)
export const allLinksBut = (title: string): readonly Link[] =>
  linksTitled(...LINKED.filter((linked) => linked !== title))

/** Properties of a pipeline with stages of these names. */
export const stages = (...names: readonly string[]): { readonly stages: readonly unknown[] } => ({
  stages: names.map((stageName) => ({ stageName, steps: [{ plugin: { name: 'step', version: '1.0.0' } }] })),
})

/** Labels of a pipeline that handles cardholder data and makes every claim that rules then require. */
export const cardholderLabels = (): Record<string, string> => ({
  'data-class': 'cardholder',
  'pci-scope': 'cde',
  'reviewed-by': 'b.example',
  'change-record': 'https://changes.example.com/shop',
})
