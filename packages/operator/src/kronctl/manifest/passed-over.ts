import { counted } from '@kron/runtime'
import type { KronctlInvocation } from '../invocation.js'
import type { ManifestObject } from './manifest-object.js'

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
    invocation.complain(`passed over ${counted(others.length, 'other object')}: ${listed}`, hints)
  }
  return objects.filter((object) => object.kind === kind)
}

function hintFor(name: string, wanted: string, program: string): string[] {
  if (name.toLowerCase() === wanted.toLowerCase()) {
    return [`hint: the kind is written ${wanted}, not ${name}`]
  }
  if (name !== 'CronJob') return []
  return [`hint: ${program} import makes KronJobs of CronJobs`]
}
