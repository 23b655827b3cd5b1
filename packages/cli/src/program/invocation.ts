/** Reads option values. The specification of the command guarantees their types. */
import { type Invocation, UsageError } from '../command.js'

export const text = (invocation: Invocation, name: string): string | undefined => {
  const value = invocation.options[name]
  return typeof value === 'string' ? value : undefined
}

export const texts = (invocation: Invocation, name: string): readonly string[] => {
  const value = invocation.options[name]
  return Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : []
}

export const flag = (invocation: Invocation, name: string): boolean => invocation.options[name] === true

export function argument(invocation: Invocation, index: number): string {
  const value = invocation.arguments[index]
  return typeof value === 'string' ? value : '-'
}

export function required(invocation: Invocation, name: string): string {
  const value = text(invocation, name)
  if (value === undefined) throw new UsageError(`--${name} is required`)
  return value
}

/** `7` or `100-120`. */
export function seqRange(value: string): readonly [number, number] {
  const match = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(value)
  const from = Number(match?.[1])
  const to = Number(match?.[2] ?? match?.[1])
  if (match === null || from < 1 || to < from) {
    throw new UsageError(`\`${value}\` is not a sequence number or range`, 'write 7 or 100-120')
  }
  return [from, to]
}
