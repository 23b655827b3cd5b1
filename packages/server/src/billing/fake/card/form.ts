/** The form in which the card provider's SDK writes a request: `items[0][price]=…`. */

export type Form = { readonly [name: string]: string | Form }

export function parseForm(text: string): Form {
  const root: Record<string, unknown> = Object.create(null)
  for (const [key, value] of new URLSearchParams(text)) {
    const [first = '', ...rest] = key.split(/\[|\]\[|\]/).filter((part, index) => part !== '' || index === 0)
    let at = root
    let name = first
    for (const next of rest) {
      at[name] ??= Object.create(null)
      at = at[name] as Record<string, unknown>
      name = next
    }
    at[name] = value
  }
  return root as Form
}

export const textOf = (form: Form, name: string): string | undefined => {
  const value = form[name]
  return typeof value === 'string' ? value : undefined
}
export const formOf = (form: Form, name: string): Form => {
  const value = form[name]
  return typeof value === 'object' ? value : {}
}
/** The members of a list, by their numbers. */
export const listOf = (form: Form, name: string): Form[] =>
  Object.values(formOf(form, name)).filter((each): each is Form => typeof each === 'object')
export const wholeOf = (form: Form, name: string): number | undefined => {
  const text = textOf(form, name)
  return text === undefined ? undefined : Number(text)
}
/** Texts by name, as in metadata. An empty text removes the name. */
export const mergeMetadata = (before: Record<string, string>, form: Form): Record<string, string> => {
  const merged = { ...before }
  for (const [name, value] of Object.entries(form)) {
    if (value === '') delete merged[name]
    else if (typeof value === 'string') merged[name] = value
  }
  return merged
}
