/**
 * The names of rules, in files and on a server: one line of visible characters, compared without case and compatibility
 * forms.
 */

/**
 * Characters that a name cannot contain: line breaks, control and format characters (including the two joiners), and
 * letters and marks that have no visible form. Variation selectors of emoji are allowed.
 */
export const notInNames =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these is refused by itself
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0]/u

/** The form by which names are compared: names that differ only in compatibility forms or case are equal. */
export const nameKey = (text: string): string => text.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
