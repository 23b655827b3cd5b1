/** What the names of rules are, in files and on a server: one line of visible characters, compared by compatibility forms. */

/**
 * Line breaks, control and format characters (also the two joiners), and the letters and marks that are drawn as nothing.
 * Variation selectors of emoji are allowed.
 */
export const notInNames =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these is refused by itself
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0]/u

/** What names are compared by: compatibility forms and case do not tell two of them apart. */
export const nameKey = (text: string): string => text.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
