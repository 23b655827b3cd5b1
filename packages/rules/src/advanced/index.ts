/**
 * The advanced library: what SOC 2, PCI DSS and the CIS Controls require of software delivery. It extends the standard
 * library and repeats none of it. Each check exists once and names every control that it supports.
 *
 * A rule blocks what is dangerous in itself. It also blocks an entity that lacks something, if the entity states a high
 * criticality or that it handles cardholder data. Every other rule warns.
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
