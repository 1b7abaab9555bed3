import { quote, quotePath, type Responsibility } from '@kron/core'
import { checksumField, checksumOf } from './encode-state.js'
import { FieldReader } from './field-reader.js'
import type { ActiveExecution, HandledPeriod, HistoryEntry, JobState } from './job-state.js'
import { checkVersion, type Migrations, migrated } from './migrations.js'
import { isFields, largestStateBytes, type StateFields, unknownField } from './state-fields.js'
import { withRunningHandled } from './transitions.js'

export interface StateSource {
  /** For messages. */
  readonly file: string
  /** Whose state it must be. */
  readonly identity: string
  readonly migrations: Migrations
}

export type DecodedState =
  | { readonly kind: 'state'; readonly state: JobState }
  | { readonly kind: 'corrupt'; readonly reason: string }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a state file. Damage is an answer, `corrupt`; a file that is whole but is not understood,
 * or belongs to another job, is an IncompatibleStateError. So is one that names another version,
 * whatever else is wrong with it: a krond of that version may find nothing wrong.
 *
 * No damage of one byte may lead to another state. A file of ours has a checksum over all of its
 * fields; damage to the name of the checksum itself leaves a field that nobody knows, which is why
 * files without a checksum, written by others or by hand, may have no such fields.
 */
export function decodeState(bytes: Uint8Array, source: StateSource): DecodedState {
  const parsed = parse(bytes)
  const { migrations, file } = source
  checkVersion(typeof parsed === 'string' ? legibleVersion(bytes) : parsed, migrations, file)
  if (typeof parsed === 'string') return { kind: 'corrupt', reason: parsed }
  const { [checksumField]: checksum, ...fields } = parsed
  if (checksum !== undefined && !matches(fields, checksum)) {
    return { kind: 'corrupt', reason: 'its checksum does not match' }
  }
  // A version that is not even text has lost its name rather than come from another release.
  const hasVersion = typeof fields['Version'] === 'string'
  const current = hasVersion ? migrated(fields, migrations, file) : fields
  const unknown = checksum === undefined ? unknownField(current) : null
  if (unknown !== null) {
    return { kind: 'corrupt', reason: `it has no checksum and an unknown field ${quote(unknown)}` }
  }
  return { kind: 'state', state: withRunningHandled(stateOf(current, source)) }
}

const versionText = /^\s*\{\s*"Version"\s*:\s*"([^"\\]*)"/

/** The version of a file that is no JSON, or too large, as far as it begins with one. */
function legibleVersion(bytes: Uint8Array): StateFields {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  return { Version: versionText.exec(start)?.[1] }
}

function parse(bytes: Uint8Array): StateFields | string {
  if (bytes.length > largestStateBytes) return `it is larger than ${largestStateBytes} bytes`
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch (error) {
    return error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8'
  }
  return isFields(value) ? value : 'it is not a JSON object'
}

function matches(fields: StateFields, checksum: unknown): boolean {
  try {
    return checksumOf(JSON.stringify(fields)) === checksum
  } catch {
    // JSON can be parsed when it is nested too deeply to be written again.
    return false
  }
}

function stateOf(fields: StateFields, { file, identity }: StateSource): JobState {
  const reader = new FieldReader(file, '', fields)
  reader.text('Version')
  if (reader.text('Identity') !== identity) reader.refuse('Identity', quotePath(identity))
  const active = reader.optionalObject('ActiveExecution')
  return {
    identity,
    responsibility: responsibilityOf(reader),
    last: lastOf(reader),
    active: active === null ? null : activeOf(active),
    others: reader.optionalObjects('OtherActive').map(activeOf),
    history: reader.optionalObjects('History').map(historyOf),
  }
}

/** Files of earlier versions, and of other programs that keep to the same schema, have none. */
function responsibilityOf(reader: FieldReader): Responsibility | null {
  const timing = reader.optionalText('Timing')
  return timing === null ? null : { timing, since: reader.instant('ResponsibleSince') }
}

function lastOf(reader: FieldReader): HandledPeriod | null {
  if (reader.text('LastHandledPeriodID') === '') {
    for (const name of ['LastOutcome', 'LastChosenTime', 'LastNominalTime']) {
      if (reader.text(name) !== '') reader.refuse(name, 'empty, as LastHandledPeriodID is')
    }
    return null
  }
  return {
    nominal: reader.nominal('LastHandledPeriodID', 'LastNominalTime'),
    outcome: reader.outcome('LastOutcome'),
    chosen: reader.instantOrEmpty('LastChosenTime'),
  }
}

function activeOf(reader: FieldReader): ActiveExecution {
  return {
    nominal: reader.instant('PeriodID'),
    chosen: reader.instant('ChosenTime'),
    startedAt: reader.instant('StartedAt'),
    process: {
      pid: reader.integer('PID', 1),
      startTicks: reader.optionalInteger('StartTicks', 0),
      bootId: reader.optionalText('BootID'),
    },
  }
}

function historyOf(reader: FieldReader): HistoryEntry {
  return {
    nominal: reader.nominal('PeriodID', 'NominalTime'),
    outcome: reader.outcome('Outcome'),
    chosen: reader.instantOrEmpty('ChosenTime'),
    completedAt: reader.instant('CompletedAt'),
    exitCode: reader.optionalInteger('ExitCode', Number.MIN_SAFE_INTEGER),
  }
}
