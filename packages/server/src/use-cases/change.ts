import { isDeepStrictEqual } from 'node:util'
import type { Call } from './call.js'
import { Refusal } from './refusal.js'

type Fields = Readonly<Record<string, unknown>>

export interface Change {
  readonly action: string
  readonly subject: string
  /** Must hold no secrets. null: there was nothing, or there is nothing any more. */
  readonly before: Fields | null
  readonly after: Fields | null
  readonly reason?: string | null
}

/** Writes down who changed what; of a change only the fields that differ. */
export async function auditChange(
  call: Pick<Call, 'rows' | 'actor'>,
  change: Change,
): Promise<void> {
  const { action, subject, reason } = change
  const { before, after } = differing(change.before, change.after)
  await call.rows.audit.append({
    actor: call.actor,
    action,
    subject,
    before,
    after,
    reason: reason ?? null,
  })
}

function differing(
  before: Fields | null,
  after: Fields | null,
): { readonly before: Fields | null; readonly after: Fields | null } {
  if (before === null || after === null) return { before, after }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const only = (fields: Fields): Fields =>
    Object.fromEntries(changed.map((name) => [name, fields[name] ?? null]))
  return { before: only(before), after: only(after) }
}

/** The versions that a caller expects to find; null when any will do. */
export type VersionCondition = readonly number[] | null

export function checkVersion(condition: VersionCondition, version: number): void {
  if (condition === null || condition.includes(version)) return
  throw new Refusal(
    'precondition_failed',
    `It was changed in the meantime and has version ${version} now. Read it again first.`,
  )
}
