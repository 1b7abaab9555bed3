import type { Finding } from '@kron/preview'
import {
  type Document,
  isDocument,
  type ParsedNode,
  parseAllDocuments,
  type Tags,
  type YAMLParseError,
} from 'yaml'
import { isRecord, type JsonRecord } from '../../kronjob/schema/json-schema.js'
import { ManifestObject } from './manifest-object.js'
import type { ManifestText } from './manifest-text.js'

export interface ParsedManifest {
  readonly objects: readonly ManifestObject[]
  /** Of what is not YAML, or no object of Kubernetes. */
  readonly findings: readonly Finding[]
}

/** The objects of a text in YAML or JSON, those of Lists one by one. */
export function parseManifest(text: ManifestText): ParsedManifest {
  const objects: ManifestObject[] = []
  const findings: Finding[] = []
  for (const document of documentsOf(text.text)) {
    const errors = starsTogether(document.errors.map((error) => syntaxFinding(text, error)))
    findings.push(...errors)
    if (errors.length > 0) continue
    const read = contentOf(document)
    if (read.value === null || read.value === undefined) {
      if (read.reason !== null) findings.push(documentFinding(text, document, read.reason))
    } else if (isObject(read.value)) objects.push(...objectsOf(read.value, text, document))
    else findings.push(documentFinding(text, document, notAnObject))
  }
  return { objects, findings }
}

const notAnObject = 'a manifest must be an object with apiVersion, kind and metadata'

const isObject = (value: unknown): value is JsonRecord =>
  isRecord(value) && typeof value['kind'] === 'string'

/**
 * As kubectl reads YAML: version 1.1, so that `0644` is octal and `yes` is true, but without the
 * dates and the minutes of that version, which stay text.
 */
function documentsOf(text: string): readonly Document<ParsedNode>[] {
  const documents = parseAllDocuments(text, {
    version: '1.1',
    schema: 'yaml-1.1',
    customTags: (tags) => tags.filter(isKnownToKubectl),
    prettyErrors: false,
  })
  return Array.isArray(documents) ? documents.filter((document) => isDocument(document)) : []
}

const unknownTags = /:(?:timestamp|binary|omap|pairs|set)$/

const isKnownToKubectl = (tag: Tags[number]): boolean =>
  typeof tag === 'string' ||
  (!unknownTags.test(tag.tag) && !('format' in tag && tag.format === 'TIME'))

/** Aliases that would unfold to something huge are refused by the library. */
function contentOf(document: Document): { value: unknown; reason: string | null } {
  try {
    return { value: document.toJS() as unknown, reason: null }
  } catch (error) {
    return { value: null, reason: (error as Error).message }
  }
}

function objectsOf(value: JsonRecord, text: ManifestText, document: Document): ManifestObject[] {
  const { kind, apiVersion, items } = value
  const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)
  if (!isList) return [new ManifestObject(value, text, document, [])]
  // Items of a list of one kind often leave out what they are.
  const named = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) }
  return (items as unknown[]).flatMap((item, index) => {
    if (!isRecord(item)) return []
    return [new ManifestObject({ ...named, ...item }, text, document, ['items', index])]
  })
}

function syntaxFinding(text: ManifestText, { message, pos }: YAMLParseError): Finding {
  const [start, end] = pos
  const at = Math.min(start, Math.max(0, text.text.length - 1))
  return finding(text, at, Math.max(at + 1, end), `not YAML: ${message}`)
}

/**
 * A schedule without quotes has a star, which begins an alias, and then more of them: one mistake,
 * and in words of its own.
 */
function starsTogether(findings: readonly Finding[]): Finding[] {
  const isStar = ({ message, source, column }: Finding): boolean =>
    /alias/i.test(message) && source[column - 1] === '*'
  const [first] = findings.filter(isStar)
  const others = findings.filter((each) => !isStar(each) || each.line !== first?.line)
  if (first === undefined) return others
  const message = 'not YAML: a value that begins with * must be in quotes, such as "* * * * *"'
  return [{ ...first, message }, ...others].sort((a, b) => a.line - b.line)
}

function documentFinding(text: ManifestText, document: Document, message: string): Finding {
  const [start, end] = document.contents?.range ?? [0, 1]
  return finding(text, start, end, message)
}

function finding(text: ManifestText, start: number, end: number, message: string): Finding {
  return {
    ...text.placeAt(start, end),
    severity: 'error',
    code: 'KRON_MANIFEST_SYNTAX',
    category: 'ConfigurationError',
    message,
  }
}
