/** Describes in words when a cron expression with five fields starts a scan. */
import cronstrue from 'cronstrue'
import 'cronstrue/locales/de'
import type { Language } from '../../ui/words.js'

/** @returns null for an invalid expression, such as one that is still being typed. */
export function cronWords(expression: string, language: Language): string | null {
  const fields = expression.trim().split(/\s+/)
  // With six or seven fields the library reads seconds and years, which the server does not accept.
  if (fields.length !== 5) return null
  try {
    return cronstrue.toString(fields.join(' '), { locale: language, use24HourTimeFormat: true })
  } catch {
    return null
  }
}
