import type { CronJobCase, Outcome } from './cron-job-case.js'

/** Where a KronJob does something else than a CronJob, on purpose. */
export interface Difference {
  readonly situation: string
  readonly isMeant: (situation: CronJobCase) => boolean
  readonly cronJob: string
  readonly kronJob: string
  readonly why: string
  /** What is seen instead. */
  readonly outcome: (situation: CronJobCase) => Partial<Outcome>
}

const begins =
  (...beginnings: readonly string[]) =>
  ({ name }: CronJobCase): boolean =>
    beginnings.some((beginning) => name.startsWith(beginning))

export const differences: readonly Difference[] = [
  {
    situation: 'Schedule `@every 1h`',
    isMeant: begins('with @every schedule'),
    cronJob: 'Runs every hour, counted from its creation or its last run.',
    kronJob:
      '`kronctl import` refuses it and names the nearest cron expression; in a KronJob it is ' +
      'condition `InvalidSpec` and an event. Nothing runs.',
    why:
      'The id of a period depends on the schedule alone. An interval that counts from the creation ' +
      'would move with each `kubectl apply` of a deleted resource.',
    outcome: ({ stillActive }) => ({
      created: 0,
      active: stillActive === true ? 1 : 0,
      warnings: 1,
      next: null,
    }),
  },
  {
    situation: 'More than 100 runs missed',
    isMeant: ({ name, expectedWarnings }) =>
      name.startsWith('prev ran but done, long overdue') && expectedWarnings === 1,
    cronJob: 'Starts the latest one, and warns `TooManyMissedTimes`.',
    kronJob: 'Starts the latest one.',
    why: 'Missed periods are never counted, so there can never be too many.',
    outcome: () => ({ warnings: 0 }),
  },
  {
    situation: '`TZ=` in the schedule, and `timeZone` as well',
    isMeant: begins('never ran, is time in zone, but TZ is also set in schedule'),
    cronJob: 'A new CronJob is refused. An old one follows `TZ=`, and warns at each look.',
    kronJob: '`kronctl import` writes one `timezone` and explains it in a comment.',
    why: 'A KronJob has one field for its zone.',
    outcome: () => ({ warnings: 0 }),
  },
  {
    situation: 'The Job of the period exists, but the cache does not know it yet',
    isMeant: begins('prev ran but done, is time, create job failed'),
    cronJob: 'Creates none, and waits for the next event to go on.',
    kronJob: 'Creates none, records the period as executed, and plans the next one.',
    why: 'The Job is the truth about its period, whatever created it and whatever the status says.',
    outcome: () => ({ next: '2016-05-19T11:00:00Z' }),
  },
  {
    situation: 'The same, and the status does not name the Job that ran before',
    isMeant: begins('prev ran but done, is time, job not present in CJ active status'),
    cronJob: 'Does not notice that the earlier Job has succeeded.',
    kronJob: 'Sets `lastSuccessfulTime`.',
    why: 'Ends are read from the Jobs that exist, not from a list that may have been lost.',
    outcome: () => ({ succeeded: true, next: '2016-05-19T11:00:00Z' }),
  },
  {
    situation: 'The clock was set back behind a period that has run',
    isMeant: begins('this ran but done, time drifted back'),
    cronJob: 'Tries the period again when its time comes again; the name of the Job prevents it.',
    kronJob: 'Knows from the Job that the period was executed, and waits for the next one.',
    why: 'Handled periods stay handled, whatever the clock shows.',
    outcome: () => ({ succeeded: true, next: '2016-05-19T11:00:00Z' }),
  },
  {
    situation: '`Replace`, and the API server refuses',
    isMeant: begins('still active, is time, get job failed, R'),
    cronJob: 'Warns, and looks again at the next event.',
    kronJob:
      'Warns, with condition `SchedulingError`; tries again within the deadline of the period, which stays ' +
      'the next one meanwhile.',
    why: 'A period is lost only to its deadline. Conditions stay, events are gone in an hour.',
    outcome: () => ({ next: '2016-05-19T10:00:00Z' }),
  },
  {
    situation: 'The namespace is being terminated',
    isMeant: begins('do nothing if the namespace is terminating'),
    cronJob: 'Fails, and its status lacks the active Job.',
    kronJob: 'Tries again from time to time; the status counts the active Job.',
    why: 'The status shows the existing Jobs. The namespace will soon be gone, and the KronJob with it.',
    outcome: () => ({ active: 1, next: '2016-05-19T10:00:00Z' }),
  },
]

export const differenceIn = (situation: CronJobCase): Difference | undefined =>
  differences.find(({ isMeant }) => isMeant(situation))
