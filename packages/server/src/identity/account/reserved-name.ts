/**
 * Names that nobody else may have. A name is compared by what a reader takes it for: compatibility forms, case, accents,
 * characters that are not shown, spaces and punctuation do not tell two names apart, and letters of other scripts count as the
 * Latin letter that they look like.
 */
import { Refusal } from '../../runtime/errors.js'

/** Latin letters and what is drawn like them, after NFKD and lower case; from the confusables of Unicode (UTS 39). */
const DRAWN_LIKE: Readonly<Record<string, string>> = {
  a: 'аɑα⍺ᴀꭺꓮ𐊠',
  b: 'ьƅᏼꓐв',
  c: 'сϲᴄⲥꮯꓚ',
  d: 'ԁꓒɗꭰᴅ',
  e: 'еҽ℮ꬲⲉεᴇꭼꓰє',
  g: 'ɡցɢꓖ',
  h: 'һհнʜꮋꓧ',
  i: 'іιıɩɪꭵӏǀ|1lⲓ',
  j: 'јϳյꭻ',
  k: 'кκᴋⲕꮶ',
  m: 'мᴍⲙꮇꓟϻ',
  n: 'пոɴⲛꓠ',
  o: 'оοօ0σᴏⲟꓳ०٥൦',
  p: 'рρᴘⲣꮲꓑ',
  q: 'ԛգզ',
  r: 'гᴦʀꭱꓤ',
  s: 'ѕꜱꮪᏚƽꓢ𐑈5$ꭍ',
  t: 'тτᴛⲧꭲꓔ7',
  u: 'υսᴜцʋꓴ',
  v: 'νѵᴠꮩꓦ',
  w: 'ԝաᴡѡꓪɯ',
  x: 'хχⲭꭓꓫ',
  y: 'уүγʏყⲩꭹꮍꓬ',
  z: 'ᴢꮓꓜ',
}

const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(DRAWN_LIKE).flatMap(([latin, others]) => [...others].map((each) => [each, latin] as const)),
)

/** The same for all names that look alike. */
export function lookAlikeKey(name: string): string {
  const letters = [...name.normalize('NFKD').toLowerCase().normalize('NFKD')]
    .map((each) => LATIN.get(each) ?? each)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  // Two letters that are drawn as one.
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w')
}

const RESERVED: ReadonlySet<string> = new Set(['system'].map(lookAlikeKey))

export const isReservedName = (name: string): boolean => RESERVED.has(lookAlikeKey(name))

/** @throws Refusal `RESERVED_ORG` for a name that reads as that of the system organization. */
export function checkName(...names: readonly (string | undefined)[]): void {
  if (names.some((name) => name !== undefined && isReservedName(name))) {
    throw new Refusal('RESERVED_ORG', 'the name `system`, and what looks like it, is reserved: choose another')
  }
}
