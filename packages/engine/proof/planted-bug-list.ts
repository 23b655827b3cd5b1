/**
 * Bugs that an engine like this one gets, as patches of the sources. The proof must find each of them.
 *
 * `find` occurs exactly once in the file; when a change of the engine moves it, the run fails and says so.
 */
export interface PlantedBug {
  readonly name: string
  /** Below `src/`. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

const bug = (name: string, file: string, find: string, replace: string): PlantedBug => ({ name, file, find, replace })

const KERNEL = 'operator/kernel.ts'
const OPERAND = 'operator/operand.ts'
const SCALAR = 'value/scalar.ts'
const OWN = 'value/own.ts'
const REDACT = 'value/redact.ts'
const DECIDE = 'evaluate/decide.ts'
const SPACE = 'evaluate/space.ts'
const ARRANGE = 'compile/arrange.ts'
const EXEMPTIONS = 'evaluate/exemptions.ts'
const ENTITY_KEY = 'evaluate/entity-key.ts'

export const plantedBugs: readonly PlantedBug[] = [
  bug('`<` for `<=` on text', KERNEL, 'return left <= right', 'return left < right'),
  bug(
    '`<` for `<=` on numbers',
    KERNEL,
    'case Op.lessOrEqual:\n        holds = value <= check.number',
    'case Op.lessOrEqual:\n        holds = value < check.number',
  ),
  bug(
    '`>=` for `>` on numbers',
    KERNEL,
    'case Op.lengthGreater:\n        holds = value > check.number',
    'case Op.lengthGreater:\n        holds = value >= check.number',
  ),
  bug(
    'length bound off by one',
    KERNEL,
    'case Op.lengthLess:\n        holds = value.length < check.number',
    'case Op.lengthLess:\n        holds = value.length <= check.number',
  ),
  bug(
    'case matters to `notContains`',
    KERNEL,
    'holds = !lower.includes(check.text)',
    'holds = !value.includes(check.text)',
  ),
  bug(
    '`notContains` passes a list that hides the text in a container',
    KERNEL,
    'holds = !hasContainer(value) && !someTextEquals(value, check.text)',
    'holds = !someTextEquals(value, check.text)',
  ),
  bug(
    '`in` holds on an empty list',
    KERNEL,
    'holds = value.length > 0 && everyListed(value, check)',
    'holds = everyListed(value, check)',
  ),
  bug(
    'an empty list is not empty',
    KERNEL,
    'case Op.notEmpty:\n        holds = value.length > 0\n',
    'case Op.notEmpty:\n        holds = true\n',
  ),
  bug(
    '`neq` passes a list against an object',
    KERNEL,
    'holds = Array.isArray(check.deep) && !deepEqual(check.deep, value)',
    'holds = !deepEqual(check.deep, value)',
  ),
  bug(
    'patterns never match numbers',
    KERNEL,
    'runPattern(check, String(value), outcome)\n        holds = true',
    'runPattern(check, String(value), outcome)\n        holds = false',
  ),
  bug(
    'null is not missing: `eq null` fails on an absent field',
    OPERAND,
    'return positive ? accept(Op.notExists, true)',
    'return positive ? accept(Op.notExists, false)',
  ),
  bug(
    'absent satisfies `eq`',
    OPERAND,
    'accept(positive ? Op.equalText : Op.notEqualText, !positive,',
    'accept(positive ? Op.equalText : Op.notEqualText, true,',
  ),
  bug('absent is in every list', OPERAND, 'positive === listsNull', 'positive || !listsNull'),
  bug(
    'the text of -0 is `-0`',
    SCALAR,
    "case 'number':\n      return String(value)",
    "case 'number':\n      return Object.is(value, -0) ? '-0' : String(value)",
  ),
  bug('hexadecimal and empty text are numbers', SCALAR, 'if (!decimalLiteral.test(trimmed)) return Number.NaN', ''),
  bug('numbers in text are not trimmed', SCALAR, 'const trimmed = text.trim()', 'const trimmed = text'),
  bug(
    'NaN and Infinity are present',
    OWN,
    "if (typeof value === 'number') return value - value === 0 ? value : undefined",
    "if (typeof value === 'number') return value",
  ),
  bug('a Date is an empty object', OWN, 'return isDate(value) ? isoText(value) : value', 'return value'),
  bug(
    'inherited members are found',
    'path/resolve.ts',
    'return Object.hasOwn(container, segment) ? readValue((container',
    'return segment in container ? readValue((container',
  ),
  bug(
    'secrets inside a shown container are not redacted',
    REDACT,
    "redact ? keySensitivity(key) : 'none'",
    "'none' as Sensitivity",
  ),
  bug(
    'a shown text is cut one unit early',
    REDACT,
    'text.length <= MAX_STRING_UNITS',
    'text.length < MAX_STRING_UNITS',
  ),
  bug('an element of a secret list is shown', REDACT, "before === 'all' || /^\\d+$/.test(segment)", "before === 'all'"),
  bug(
    'an exempt rule closes the gates that wait for it',
    DECIDE,
    "reason === 'exempt' ? PASSED",
    "reason === 'exempt' ? SKIPPED",
  ),
  bug('the end of a date range is exclusive', DECIDE, 'nowMs > rule.compiled.until', 'nowMs >= rule.compiled.until'),
  bug('the last failing condition is named', DECIDE, 'firstFailing ??= planned', 'firstFailing = planned'),
  bug('`any` stops at the first failing condition', DECIDE, 'if (!compiled.any) break', 'break'),
  bug('warnings block', DECIDE, 'blocked: violations.length > warnings.length', 'blocked: violations.length > 0'),
  bug('values of the last entity remain', SPACE, 'this.values[slot] = undefined', ''),
  bug('marks of the last entity remain', SPACE, 'this.outcome.clear()', ''),
  bug(
    'what was shown of the last entity is shown again',
    SPACE,
    'this.shown[this.#shownSlots[at] as number] = undefined',
    '',
  ),
  bug('names are ordered by locale', ARRANGE, 'return a.name < b.name ? -1 : 1', 'return a.name.localeCompare(b.name)'),
  bug(
    'rules are visited in the order in which their checks fail',
    DECIDE,
    'while (at > 0 && (visit[at - 1] as number) > position) at--',
    '',
  ),
  bug('the lowest priority comes first', ARRANGE, 'b.priority - a.priority', 'a.priority - b.priority'),
  bug(
    'a rule that depends on itself is not a cycle',
    ARRANGE,
    'if (group.length === 1 && !dependencies[first]?.includes(first)) continue',
    'if (group.length === 1) continue',
  ),
  bug(
    'an exemption without a readable instant applies',
    EXEMPTIONS,
    '!(parseInstant(exemption.expiresAt) > nowMs)',
    'parseInstant(exemption.expiresAt) <= nowMs',
  ),
  bug(
    'an exemption for one entity applies to an unknown one',
    EXEMPTIONS,
    'return entityId === id',
    'return entityId === id || !isSet(id)',
  ),
  bug(
    'a key covers a record whose id says that it is another',
    EXEMPTIONS,
    '(isSet(id) || !isSet(entityKey))',
    '!isSet(entityKey)',
  ),
  bug('an exemption with a key is for all', EXEMPTIONS, 'if (!isSet(entityKey)) return true', 'return true'),
  bug('a key is compared as it is written', ENTITY_KEY, "replaceAll(/[^\\p{L}\\p{N}]+/gu, '_')", 'trimEnd()'),
  bug('a version is every version', ENTITY_KEY, "['plugin', key.name, key.version]", "['plugin', key.name]"),
]
