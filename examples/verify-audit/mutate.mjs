/** Random changes of a bundle: of bytes, lines and values, and of the signed texts in the manifest. */

/** Numbers from 0 to `bound` - 1. The same seed gives the same numbers (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % bound
  }
}

/** The changed file. Sometimes it has two changes, one after the other. */
export function mutate(bytes, random) {
  const once = MUTATIONS[random(MUTATIONS.length)](bytes, random)
  return random(5) === 0 ? MUTATIONS[random(MUTATIONS.length)](once, random) : once
}

const CHARACTERS = [
  '0',
  'g',
  'A',
  '=',
  '+',
  '/',
  ' ',
  '%',
  '\n',
  '\n\n',
  '\r',
  '\u2014',
  '\u00a0',
  '\u0085',
  '\ufeff',
  '\u200b',
  '\ud800',
  '\ud83d\ude00',
]
const VALUES = [null, true, -1, 0, 1, 1.5, 2 ** 53, 'x', '', [], [7], {}, '\ud800', '2026-01-31T08:00:00.000Z']
const NUMBERS = ['-0', '1e400', '1.0', '9007199254740993', 'NaN', '01', '1e0']

const MUTATIONS = [
  (bytes, random) => (bytes.length === 0 ? bytes : flipBit(bytes, random)),
  (bytes, random) => (bytes.length === 0 ? bytes : flipBit(bytes, random, true)),
  (bytes, random) => bytes.subarray(0, random(bytes.length + 1)),
  (bytes, random) => {
    const at = random(bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256)]), bytes.subarray(at)])
  },
  inLines((lines, random) => lines.splice(1 + random(lines.length), 1)),
  inLines((lines, random) => lines.splice(random(lines.length), 0, lines[1 + random(lines.length)] ?? '')),
  inLines((lines, random) =>
    lines.splice(1 + random(lines.length), 0, ['null', ' ', '\u00a0', '{', '7', '[[[[]]]]'][random(6)]),
  ),
  inLines((lines, random) => {
    const at = random(lines.length)
    lines[at] = (lines[at] ?? '').replace(/:(\d+)/, () => `:${NUMBERS[random(NUMBERS.length)]}`)
  }),
  inValues((value, random) => setSomewhere(value, random, VALUES[random(VALUES.length)])),
  inValues((value, random) => setSomewhere(value, random, undefined)),
  inValues((value) => Object.assign(value, { more: 1 })),
  inManifest(inTexts('checkpoints', damage)),
  inManifest(inTexts('checkpoints', damage)),
  inManifest(inTexts('checkpoints', damageHead)),
  inManifest(inTexts('proofs', damage)),
  inManifest(inTexts('keys', damage)),
  inManifest((manifest, random) => {
    if (manifest.anchor) setSomewhere(manifest.anchor, random, VALUES[random(VALUES.length)])
  }),
  inManifest((manifest, random) => {
    if (typeof manifest.anchor?.signature === 'string')
      manifest.anchor.signature = damage(manifest.anchor.signature, random)
  }),
]

/** Flips a bit of any byte, or of the manifest only, which contains most of what is checked. */
function flipBit(bytes, random, inManifestOnly = false) {
  const changed = Buffer.from(bytes)
  const end = inManifestOnly ? Math.max(1, changed.indexOf(10)) : changed.length
  changed[random(end)] ^= 1 << random(8)
  return changed
}

function inLines(change) {
  return (bytes, random) => {
    const lines = bytes.toString('utf8').split('\n')
    change(lines, random)
    return Buffer.from(lines.join('\n'))
  }
}

function inValues(change) {
  return inLines((lines, random) => {
    const at = random(lines.length)
    try {
      const value = JSON.parse(lines[at])
      change(value, random)
      lines[at] = JSON.stringify(value)
    } catch {
      // An earlier change made it invalid JSON, so it stays as it is.
    }
  })
}

function inManifest(change) {
  return inLines((lines, random) => {
    try {
      const manifest = JSON.parse(lines[0])
      change(manifest, random)
      lines[0] = JSON.stringify(manifest)
    } catch {
      // Invalid JSON, as above.
    }
  })
}

function inTexts(field, change) {
  return (manifest, random) => {
    const texts = manifest[field]
    if (!Array.isArray(texts) || texts.length === 0) return
    const at = random(texts.length)
    if (random(8) === 0) texts.splice(at, 1)
    else if (typeof texts[at] === 'string') texts[at] = change(texts[at], random)
  }
}

function damage(text, random) {
  const at = random(text.length + 1)
  return text.slice(0, at) + CHARACTERS[random(CHARACTERS.length)] + text.slice(at + random(2))
}

function damageHead(text, random) {
  const at = text.indexOf('head ')
  if (at < 0) return text
  const place = at + random(70)
  return text.slice(0, place) + CHARACTERS[random(CHARACTERS.length)] + text.slice(place + 1)
}

function setSomewhere(value, random, replacement) {
  if (typeof value !== 'object' || value === null) return
  const fields = Object.keys(value)
  const field = fields[random(fields.length)]
  if (field === undefined) return
  if (replacement === undefined) delete value[field]
  else value[field] = replacement
}
