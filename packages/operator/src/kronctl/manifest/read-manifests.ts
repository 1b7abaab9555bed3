import { badArgument, decodeUtf8, findFiles, unreadableBecause } from '@kron/command'
import { ConfigurationError, quotePath } from '@kron/core'
import type { Finding } from '@kron/preview'
import { counted, grouped } from '@kron/runtime'
import type { KronctlInvocation } from '../invocation.js'
import type { ManifestObject } from './manifest-object.js'
import { ManifestText } from './manifest-text.js'
import { parseManifest } from './parse-manifest.js'

/** What the files of `-f` have. */
export interface Manifests {
  readonly files: number
  readonly objects: readonly ManifestObject[]
  readonly findings: readonly Finding[]
}

export const inputName = '<stdin>'
const extensions = ['.yaml', '.yml', '.json']
const maxBytes = 64 * 1024 * 1024

/** Files, folders of them, and `-` for standard input, in order and each once. */
export async function readManifests(
  invocation: KronctlInvocation,
  paths: readonly string[],
): Promise<Manifests> {
  const texts: ManifestText[] = []
  for (const path of new Set(paths)) {
    if (path === '-') texts.push(textOf(inputName, await invocation.host.readInput()))
    else texts.push(...filesOf(invocation, path))
  }
  const parsed = texts.map(parseManifest)
  return {
    files: texts.length,
    objects: parsed.flatMap(({ objects }) => objects),
    findings: parsed.flatMap(({ findings }) => findings),
  }
}

function filesOf(invocation: KronctlInvocation, path: string): ManifestText[] {
  const { files } = invocation.host
  const found = findFiles([invocation.absolute(path)], files, extensions)
  if (found.length === 0) {
    const wanted = 'hint: in folders, files that end in .yaml, .yml or .json are read'
    throw badArgument('--file', `no manifests in ${quotePath(path)}`, wanted)
  }
  return found.map((file) => {
    try {
      return textOf(file, files.read(file, maxBytes))
    } catch (error) {
      throw unreadableBecause(file, error)
    }
  })
}

function textOf(path: string, bytes: Uint8Array): ManifestText {
  if (bytes.length > maxBytes) {
    const allowed = `at most ${grouped(maxBytes)} bytes`
    const details = { field: 'file', value: path, allowed }
    throw new ConfigurationError('KRON_FILE_UNREADABLE', `${path} must have ${allowed}`, details)
  }
  const text = decodeUtf8(bytes)
  if (typeof text === 'string') return new ManifestText(path, text)
  throw new ConfigurationError(
    'KRON_FILE_UNREADABLE',
    `${path}:${text.line}:${text.position + 1}: a manifest must be UTF-8 text, this byte is not`,
    { field: 'file', value: path, allowed: 'UTF-8' },
  )
}

/** The objects of a kind; that there are others is mentioned. */
export function objectsOfKind(
  invocation: KronctlInvocation,
  objects: readonly ManifestObject[],
  kind: string,
): ManifestObject[] {
  const others = objects.filter((object) => object.kind !== kind)
  if (others.length > 0) {
    const kinds = new Map<string, number>()
    for (const other of others) kinds.set(other.kind, (kinds.get(other.kind) ?? 0) + 1)
    const listed = [...kinds].map(([name, count]) => `${count} ${name}`).join(', ')
    const hints = [...kinds.keys()].flatMap((name) => hintFor(name, kind, invocation.program))
    invocation.note(`ignored ${counted(others.length, 'other object')}: ${listed}`, hints)
  }
  return objects.filter((object) => object.kind === kind)
}

function hintFor(name: string, wanted: string, program: string): string[] {
  if (name.toLowerCase() === wanted.toLowerCase()) {
    return [`hint: the kind is written ${wanted}, not ${name}`]
  }
  if (name !== 'CronJob') return []
  return [`hint: ${program} import converts CronJobs to KronJobs`]
}
