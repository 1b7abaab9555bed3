/** A state file as JSON has it, before anybody has looked at its fields. */
export type StateFields = Readonly<Record<string, unknown>>

export const currentVersion = '1'

/** A file beyond this is not one of ours, and would only fill the memory. */
export const largestStateBytes = 1024 * 1024

const stateFieldNames: readonly string[] = [
  'Version',
  'Identity',
  'Timing',
  'ResponsibleSince',
  'LastHandledPeriodID',
  'LastOutcome',
  'LastChosenTime',
  'LastNominalTime',
  'ActiveExecution',
  'OtherActive',
  'History',
]

const activeFieldNames: readonly string[] = [
  'PeriodID',
  'PID',
  'StartedAt',
  'ChosenTime',
  'StartTicks',
  'BootID',
]

const historyFieldNames: readonly string[] = [
  'PeriodID',
  'Outcome',
  'NominalTime',
  'ChosenTime',
  'CompletedAt',
  'ExitCode',
]

export function isFields(value: unknown): value is StateFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first field that the schema does not have, by its path; null when it knows all. */
export function unknownField(fields: StateFields): string | null {
  const lists: [string, unknown, readonly string[]][] = [
    ['', [fields], stateFieldNames],
    ['ActiveExecution.', [fields['ActiveExecution']], activeFieldNames],
    ['OtherActive.', fields['OtherActive'], activeFieldNames],
    ['History.', fields['History'], historyFieldNames],
  ]
  for (const [path, list, known] of lists) {
    for (const item of Array.isArray(list) ? list : []) {
      const unknown = isFields(item) && Object.keys(item).find((name) => !known.includes(name))
      if (typeof unknown === 'string') return `${path}${unknown}`
    }
  }
  return null
}
