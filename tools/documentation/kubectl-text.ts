import { kronJobCrd } from '../../packages/operator/src/kronjob/index.js'
import type { KubeObject } from '../../packages/operator/src/kube/index.js'

const [{ additionalPrinterColumns: columns }] = kronJobCrd.spec.versions

/** `kubectl get kronjobs`, with the columns that the kind brings along. */
export function kronJobTable(objects: readonly KubeObject[], now: number): string[] {
  const heads = ['name', ...columns.map(({ name }) => name)].map((name) => name.toUpperCase())
  const rows = objects.toSorted(byName).map((object) => {
    const cells = columns.map(({ jsonPath, type }) => cellText(at(object, jsonPath), type, now))
    return [object.metadata.name, ...cells]
  })
  return aligned([heads, ...rows], 3)
}

const byName = (a: KubeObject, b: KubeObject): number =>
  a.metadata.name < b.metadata.name ? -1 : 1

/** The end of `kubectl describe`, oldest first. */
export function eventTable(events: readonly KubeObject[], now: number): string[] {
  const head = ['Type', 'Reason', 'Age', 'From', 'Message']
  const rows = events
    .toSorted((a, b) => instant(a) - instant(b))
    .map((event) => {
      const { type, reason, message, source } = event as unknown as Told
      return [type, reason, durationText(now - instant(event)), source.component, message]
    })
  const rule = ['----', '------', '----', '----', '-------']
  const lines = [head, rule, ...rows]
  return aligned(lines, 2).map((line) => `  ${line}`)
}

interface Told {
  readonly type: string
  readonly reason: string
  readonly message: string
  readonly source: { readonly component: string }
}

const instant = ({ lastTimestamp }: KubeObject): number => Date.parse(String(lastTimestamp))

function at(object: unknown, jsonPath: string): unknown {
  const names = jsonPath.split('.').slice(1)
  return names.reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], object)
}

function cellText(value: unknown, type: string, now: number): string {
  if (value === undefined) return ''
  return type === 'date' ? durationText(now - Date.parse(String(value))) : String(value)
}

const minute = 60
const hour = 60 * minute

/** As kubectl rounds: seconds up to two minutes, minutes and seconds up to ten, then minutes. */
function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 0) return '<invalid>'
  if (seconds < 2 * minute) return `${seconds}s`
  const minutes = Math.floor(seconds / minute)
  if (minutes < 10)
    return seconds % minute === 0 ? `${minutes}m` : `${minutes}m${seconds % minute}s`
  if (seconds < 3 * hour) return `${minutes}m`
  return `${Math.floor(seconds / hour)}h`
}

function aligned(rows: readonly (readonly string[])[], padding: number): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]! + padding))
      .join('')
      .trimEnd(),
  )
}
