import { quote } from '@kron/core'
import { isRecord, type JsonRecord } from '../schema/json-schema.js'
import { type FieldPath, type Problem, problem } from './problem.js'

/**
 * What the schema leaves open, since an admission webhook may fill it in, but what nearly always
 * makes Kubernetes refuse the Job, at its first run and not before.
 */
export function jobTemplateProblems(template: unknown, path: FieldPath): Problem[] {
  const pod = [...path, 'spec', 'template']
  const podTemplate = fieldOf(fieldOf(template, 'spec'), 'template')
  const podSpec = fieldOf(podTemplate, 'spec')
  return [
    ...labelsOf(template, path),
    ...labelsOf(podTemplate, pod),
    ...containerProblems(podSpec, [...pod, 'spec']),
  ]
}

const fieldOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined

const labelsOf = (owner: unknown, path: FieldPath): Problem[] =>
  labelProblems(fieldOf(fieldOf(owner, 'metadata'), 'labels'), [...path, 'metadata', 'labels'])

function containerProblems(podSpec: unknown, path: FieldPath): Problem[] {
  const names = new Set<string>()
  return ['initContainers', 'containers'].flatMap((list) => {
    const containers = fieldOf(podSpec, list)
    if (!Array.isArray(containers)) return []
    return containers.flatMap((container: unknown, index) =>
      isRecord(container) ? problemsOf(container, [...path, list, index], names) : [],
    )
  })
}

const ends = 'and begin and end with a letter or digit'
const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/

function problemsOf(container: JsonRecord, path: FieldPath, names: Set<string>): Problem[] {
  const found: Problem[] = []
  const { name, image } = container
  if (typeof name === 'string' && name !== '') {
    const flaw = flawOfName(name, names)
    if (flaw !== null) found.push(problem([...path, 'name'], flaw, 'KRON_NAME_INVALID'))
    names.add(name)
  }
  if (image === undefined || image === null || image === '') {
    found.push(problem([...path, 'image'], 'is required and missing', 'KRON_FIELD_MISSING'))
  }
  return found
}

function flawOfName(name: string, names: ReadonlySet<string>): string | null {
  if (names.has(name)) return `is ${quote(name)} again; each container needs a name of its own`
  if (name.length <= 63 && dnsLabel.test(name)) return null
  return `must be at most 63 of a-z, 0-9 and -, ${ends}, got ${quote(name)}`
}

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
  const allowed = `at most ${longestName} letters, digits, -, _ and ., ${ends}`
  return `must have ${allowed}, got ${quote(value)}`
}
