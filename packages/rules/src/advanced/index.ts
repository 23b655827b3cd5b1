/**
 * The advanced library: what SOC 2, PCI DSS and the CIS Controls ask of the way software is delivered. It stands on the standard
 * library and repeats none of it. A check exists once and names every control that it supports.
 *
 * It blocks what is dangerous in itself, and what an entity lacks that states a high criticality or that it handles cardholder
 * data. It warns of everything else.
 */
import { libraryRule } from '../entry.js'
import { commands } from './commands.js'
import { data } from './data.js'
import { delivery } from './delivery.js'
import { failure } from './failure.js'
import { images } from './images.js'
import { ownership } from './ownership.js'
import { secrets } from './secrets.js'

export const advancedRules = [...ownership, ...secrets, ...images, ...commands, ...failure, ...delivery, ...data].map(
  libraryRule('advanced'),
)
