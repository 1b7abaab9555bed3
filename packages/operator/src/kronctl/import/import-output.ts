import { badArgument } from '@kron/command'
import { SystemError } from '@kron/core'
import { Document, isMap, isScalar, Scalar } from 'yaml'
import type { KronJob } from '../../kronjob/index.js'
import { type FieldPath, pathText } from '../../kronjob/manifest/problem.js'
import type { KronctlInvocation } from '../invocation.js'
import { ManifestText } from '../manifest/manifest-text.js'
import { parseManifest } from '../manifest/parse-manifest.js'
import type { Conversion } from './conversion.js'

export type OutputFormat = 'yaml' | 'json'

/** What `-o` says, as for kubectl; people who expect it to name a file get a hint. */
export function outputFormat(output: string | undefined, format: string): OutputFormat {
  if (output === undefined) return 'yaml'
  if (output !== 'yaml' && output !== 'json') {
    const message = `-o must be yaml or json, got ${JSON.stringify(output)}`
    throw badArgument('--output', message, `hint: --out ${output} writes a file`)
  }
  if (format === 'json') {
    const hint = 'hint: -o is for the manifests alone, --format json for a report that has them'
    throw badArgument('--output', '-o can not be used with --format json', hint)
  }
  return output
}

/** The manifests as one text that `kubectl apply -f` reads. */
export function manifestsText(converted: readonly Conversion[], output: OutputFormat): string {
  if (output === 'yaml') return converted.map(checkedText).join('---\n')
  const items = converted.map(({ kronJob }) => kronJob)
  const [only] = items
  const object = items.length === 1 ? only : { apiVersion: 'v1', kind: 'List', items }
  return `${JSON.stringify(object, null, 2)}\n`
}

function checkedText(conversion: Conversion): string {
  const text = kronJobText(conversion)
  if (saysTheSame(text, conversion)) return text
  const message = 'the generated YAML does not say the same as the KronJob'
  throw new SystemError('KRON_INVARIANT', message, { field: 'out' })
}

/** JSON has no comments, and the differences are to be read all the same. */
export function complainNotes(
  invocation: KronctlInvocation,
  title: string,
  { notes }: Conversion,
): void {
  for (const { path, message } of notes) {
    invocation.note(`${title}: ${pathText(path)}: ${message}`)
  }
}

const width = 96

/** A KronJob as YAML that kubectl reads as it was meant, with each note above its field. */
export function kronJobText({ kronJob, notes }: Conversion): string {
  // Text that YAML 1.1, which kubectl reads, would take for something else is put in quotes.
  const document = new Document(kronJob, { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  const schedule = document.getIn(['spec', 'schedule'], true)
  if (isScalar(schedule)) schedule.type = Scalar.QUOTE_DOUBLE
  for (const { path, message } of notes) addComment(document, path, message)
  return document.toString({ lineWidth: 0, commentString: (text) => text.replace(/^/gm, '#') })
}

function addComment(document: Document, path: FieldPath, message: string): void {
  const parent = document.getIn(path.slice(0, -1), true) ?? document.contents
  if (!isMap(parent)) return
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
  if (pair === undefined || !isScalar(pair.key)) return
  const before = pair.key.commentBefore
  const lines = wrapped(message, width - 2 * path.length).map((line) => ` ${line}`)
  pair.key.commentBefore = [...(before ? [before] : []), ...lines].join('\n')
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}

/** Whether the text says what the object is. */
export function saysTheSame(text: string, { kronJob }: Conversion): boolean {
  const [read] = parseManifest(new ManifestText('', text)).objects
  return JSON.stringify(read?.value) === JSON.stringify(kronJob)
}

/** How to go from CronJobs to KronJobs so that nothing runs twice. */
export function switchOverLines(converted: readonly Conversion[], file: string | null): string[] {
  const { name, namespace } = (converted[0]!.kronJob as unknown as KronJob).metadata
  const where = namespace === undefined ? name : `${name} -n ${namespace}`
  const others = converted.length > 1 ? ', and so on for the others' : ''
  return [
    `hint: to switch over so that nothing runs twice, suspend the CronJob first${others}:`,
    `  kubectl patch cronjob ${where} -p '{"spec":{"suspend":true}}'`,
    `  kubectl apply -f ${file ?? 'kronjobs.yaml    # what is printed here, or use --out'}`,
    `  kubectl delete cronjob ${where}    # when the KronJob has run`,
  ]
}
