import { Document, isMap, isScalar, Scalar } from 'yaml'
import type { FieldPath } from '../../kronjob/manifest/problem.js'
import { ManifestText } from '../manifest/manifest-text.js'
import { parseManifest } from '../manifest/parse-manifest.js'
import type { Conversion } from './convert-cron-job.js'

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
