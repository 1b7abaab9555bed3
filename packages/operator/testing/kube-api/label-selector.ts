import type { KubeObject } from '../../src/kube/kube-object.js'
import { badRequest } from './refusals.js'

type Labels = Readonly<Record<string, string>>
type Requirement = (labels: Labels) => boolean

const requirementForms: readonly (readonly [RegExp, (...parts: string[]) => Requirement])[] = [
  [/^!\s*([^\s=!,()]+)$/, (key) => (labels) => labels[key!] === undefined],
  [/^([^\s=!,()]+)$/, (key) => (labels) => labels[key!] !== undefined],
  [/^([^\s=!,()]+)\s*==?\s*([^\s=!,()]*)$/, (key, value) => (labels) => labels[key!] === value],
  [/^([^\s=!,()]+)\s*!=\s*([^\s=!,()]*)$/, (key, value) => (labels) => labels[key!] !== value],
  [
    /^([^\s=!,()]+)\s+in\s*\(([^()]*)\)$/,
    (key, values) => (labels) => {
      const value = labels[key!]
      return value !== undefined && listed(values!).includes(value)
    },
  ],
  [
    /^([^\s=!,()]+)\s+notin\s*\(([^()]*)\)$/,
    (key, values) => (labels) => {
      const value = labels[key!]
      return value === undefined || !listed(values!).includes(value)
    },
  ],
]

/** A comma list of `key`, `!key`, `key=value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`. */
export function labelSelector(text: string): (object: KubeObject) => boolean {
  // Commas inside of parentheses separate values.
  const parts = text.split(/,(?![^(]*\))/).map((part) => part.trim())
  const requirements = text.trim() === '' ? [] : parts.map(requirement)
  return (object) => requirements.every((holds) => holds(object.metadata.labels ?? {}))
}

function requirement(text: string): Requirement {
  for (const [form, make] of requirementForms) {
    const found = form.exec(text)
    if (found !== null) return make(...found.slice(1))
  }
  throw badRequest(`unable to parse requirement: ${text}`)
}

const listed = (values: string): readonly string[] => values.split(',').map((part) => part.trim())

/** Whether an object is one of those that a list or a watch asks for. */
export function selection(query: {
  readonly namespace?: string
  readonly labelSelector?: string
}): (object: KubeObject) => boolean {
  const { namespace, labelSelector: text = '' } = query
  const hasLabels = labelSelector(text)
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) && hasLabels(object)
}
