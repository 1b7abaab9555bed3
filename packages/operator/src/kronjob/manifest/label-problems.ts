import { quote } from '@kron/core'
import { isRecord } from '../json-record.js'
import { type FieldPath, type Problem, problem } from './problem.js'

const longestName = 63
const longestPrefix = 253
const name = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/
const prefix = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Labels that a server would refuse. That they are text is for the schema to say. */
export function labelProblems(labels: unknown, path: FieldPath): Problem[] {
  if (!isRecord(labels)) return []
  return Object.entries(labels).flatMap(([key, value]) => {
    const flaw = flawOfKey(key) ?? (typeof value === 'string' ? flawOfValue(value) : null)
    return flaw === null ? [] : [problem([...path, key], flaw, 'KRON_FIELD_INVALID')]
  })
}

function flawOfKey(key: string): string | null {
  const slash = key.indexOf('/')
  const ownName = key.slice(slash + 1)
  const isName = ownName.length <= longestName && name.test(ownName)
  const isPrefix = slash < 0 || (slash <= longestPrefix && prefix.test(key.slice(0, slash)))
  if (isName && isPrefix) return null
  return 'is not a valid key of a label, such as app or example.com/app'
}

function flawOfValue(value: string): string | null {
  if (value === '' || (value.length <= longestName && name.test(value))) return null
  const allowed = `at most ${longestName} letters, digits, -, _ and ., the first and last no sign`
  return `must have ${allowed}, got ${quote(value)}`
}
