/**
 * Texts of the engine in the language of the person. The engine writes English; a text that none of the sentences fits,
 * such as one of a newer server, stays as it is.
 */
import { type Language, type Pair, say, useLanguage } from '../ui/words.js'
import { demandWords, violationWords } from './words-violations.js'

type Catalogue = Readonly<Record<string, Pair>>

const HOLE = /\{([a-zA-Z]+)\}/

/**
 * Returns what stands in the place of each name, or null. Each place ends where the text after it is found first, and the
 * last one at the end.
 */
function placesOf(sentence: string, text: string): Record<string, string> | null {
  const [start = '', ...parts] = sentence.split(HOLE)
  if (parts.length === 0) return text === sentence ? {} : null
  if (!text.startsWith(start)) return null
  const places: Record<string, string> = {}
  let at = start.length
  for (let index = 0; index < parts.length; index += 2) {
    const after = parts[index + 1] as string
    const isLast = index + 2 === parts.length
    const end = isLast ? text.length - after.length : text.indexOf(after, at)
    if (end < at || !text.startsWith(after, end)) return null
    places[parts[index] as string] = text.slice(at, end)
    at = end + after.length
  }
  return places
}

/** The first sentence that the text fits, in that language; null if none does. */
function fitting(text: string, catalogue: Catalogue, to: Language, inner: (place: string) => string): string | null {
  for (const pair of Object.values(catalogue)) {
    const places = placesOf(pair[0], text)
    if (places === null) continue
    const values = Object.entries(places).map(([name, place]) => [name, inner(place)] as const)
    return say(pair, to, Object.fromEntries(values))
  }
  return null
}

/** Each part in that language; null as soon as one is not known, because half a sentence would be in each language. */
function joined(parts: readonly string[], by: string, each: (part: string) => string | null): string | null {
  const said = parts.map(each)
  return said.every((part) => part !== null) ? said.join(by) : null
}

const same = (place: string) => place
/** A demand begins with its field. So a value that holds the separator is not taken for the next demand. */
const DEMAND_AFTER = { ';': /; (?=`|and \d+ more$)/, or: / or (?=`)/, ',': /, (?=`)/ }
const AMONG_OTHERS = /^none of these holds: /
const CONDITIONAL = /^because (?=`)/

function violationIn(text: string, to: Language): string | null {
  const { found, foundNothing, because, noneHolds, more, misconfigured, tooLarge, ...conditions } = violationWords
  const demand = (part: string): string | null =>
    foundAt(part, (required) => fitting(required, demandWords, to, same), to) ?? fitting(part, { more }, to, same)
  if (AMONG_OTHERS.test(text)) {
    const demands = joined(text.replace(AMONG_OTHERS, '').split(DEMAND_AFTER[';']), '; ', demand)
    return demands === null ? null : say(noneHolds, to, { demands })
  }
  if (CONDITIONAL.test(text)) {
    const [first = '', ...rest] = text.replace(CONDITIONAL, '').split(DEMAND_AFTER[','])
    const condition = fitting(first, conditions, to, same)
    const required = joined(rest.join(', ').split(DEMAND_AFTER.or), to === 'de' ? ' oder ' : ' or ', demand)
    return condition === null || required === null ? null : say(because, to, { condition, demand: required })
  }
  return demand(text) ?? fitting(text, { misconfigured, tooLarge }, to, same)
}

/** A demand, with the value that was found if the text names it. */
function foundAt(text: string, demand: (required: string) => string | null, to: Language): string | null {
  const { found, foundNothing } = violationWords
  const at = text.endsWith(')') ? text.lastIndexOf(' (found ') : -1
  if (at < 0) return demand(text)
  const required = demand(text.slice(0, at))
  if (required === null) return demand(text)
  const value = text.slice(at + ' (found '.length, -1)
  return value === 'nothing' ? say(foundNothing, to, { demand: required }) : say(found, to, { demand: required, value })
}

/** @param more sentences besides those about violations. Their places may hold other sentences of the engine. */
export function engineText(text: string, to: Language, more: Catalogue = {}): string {
  if (to === 'en') return text
  const inner = (place: string): string => (place.includes(' ') ? engineText(place, to, more) : place)
  return violationIn(text, to) ?? fitting(text, more, to, inner) ?? text
}

/** Says a text of the engine in the language of the person. */
export function useEngineText(more: Catalogue = {}): (text: string) => string {
  const to = useLanguage()
  return (text) => engineText(text, to, more)
}
