import { type Finding, type Place, warningAt } from '@kron/preview'
import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import type { FieldPath, Problem } from '../../kronjob/manifest/problem.js'
import type { JsonRecord } from '../../kronjob/schema/json-schema.js'
import { type ManifestText, printable } from './manifest-text.js'

/** One object of a file: a document, or an item of a List in it. */
export class ManifestObject {
  readonly value: JsonRecord
  readonly kind: string
  readonly text: ManifestText
  readonly #document: Document
  /** Of the object in its document. */
  readonly #path: FieldPath

  constructor(value: JsonRecord, text: ManifestText, document: Document, path: FieldPath) {
    this.value = value
    this.kind = printable(value['kind'])
    this.text = text
    this.#document = document
    this.#path = path
  }

  /** Where a field has its value, or where it would have to be. */
  valuePlace(path: FieldPath): Place {
    const { key, node, isWhole } = this.#walk(path)
    return this.#placeOf(isWhole && isScalar(node) ? node : (key ?? node))
  }

  /** Where a field has its name. */
  keyPlace(path: FieldPath): Place {
    const { key, node } = this.#walk(path)
    return this.#placeOf(key ?? node)
  }

  /** The scalar of a field, if it is written down. */
  scalar(path: FieldPath): { readonly text: string; readonly start: number } | null {
    const { node, isWhole } = this.#walk(path)
    if (!isWhole || !isScalar(node) || !node.range) return null
    const [start, end] = node.range
    return { text: this.text.text.slice(start, end), start }
  }

  has(path: FieldPath): boolean {
    return this.#walk(path).isWhole
  }

  /** As far as the document goes along a path; the key is of the last field on it. */
  #walk(path: FieldPath): { key: Node | null; node: Node | null; isWhole: boolean } {
    let node = this.#document.contents as Node | null
    let key: Node | null = null
    for (const step of [...this.#path, ...path]) {
      const inside: unknown = isAlias(node) ? node.resolve(this.#document) : node
      if (isMap(inside)) {
        const pair = inside.items.find((item) => keyText(item.key) === String(step))
        if (pair === undefined) return { key, node, isWhole: false }
        key = pair.key as Node
        node = pair.value as Node | null
      } else if (isSeq(inside) && typeof step === 'number' && step < inside.items.length) {
        key = null
        node = inside.items[step] as Node
      } else return { key, node, isWhole: false }
    }
    return { key, node, isWhole: true }
  }

  #placeOf(node: Node | null): Place {
    const [start, end] = node?.range ?? [0, 1]
    return this.text.placeAt(start, end)
  }
}

const keyText = (key: unknown): string => String(isScalar(key) ? key.value : key)

const newerFix = 'correct the field if it is misspelt; a newer Kubernetes may know it'

/** A problem at its place in the file. */
export function problemFinding(object: ManifestObject, problem: Problem): Finding {
  const { path, code, message } = problem
  const isAboutName = code === 'KRON_FIELD_UNKNOWN'
  const place = isAboutName ? object.keyPlace(path) : object.valuePlace(path)
  if (problem.isDoubtful) return warningAt(place, 'KRON_WARN_TEMPLATE_FIELD', message, newerFix)
  const text = code === 'KRON_CRON_INVALID' ? cronMessage(message) : message
  return { ...place, severity: 'error', code, category: 'ConfigurationError', message: text }
}

/** The expression is shown beside the message, and need not be in it. */
function cronMessage(message: string): string {
  const [, path = '', reason] = /^(.*?)Invalid cron expression ".*?": (.*)$/.exec(message) ?? []
  if (reason === undefined) return message
  const words = reason.replace(/^expression field/, 'the cron expression')
  const advice = /got 6$/.test(words) ? '; the first field is the minute, none is for seconds' : ''
  return `${path}${words}${advice}`
}
