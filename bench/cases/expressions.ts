export interface Case {
  readonly label: string
  readonly expression: string
  /** Part of a quick run. */
  readonly quick?: true
}

/** Only what every peer can read, and nothing that never matches: some search for ever then. */
export const cases: readonly Case[] = [
  { label: 'every minute', expression: '* * * * *', quick: true },
  { label: 'every 5 minutes', expression: '*/5 * * * *' },
  { label: 'every 7 minutes', expression: '*/7 * * * *' },
  { label: 'at minutes of a list', expression: '5,20,35,50 * * * *' },
  { label: 'hourly', expression: '17 * * * *', quick: true },
  { label: 'every 2 hours', expression: '0 */2 * * *' },
  { label: 'daily', expression: '0 0 * * *', quick: true },
  { label: 'daily at 1:30, repeated in New York', expression: '30 1 * * *' },
  { label: 'daily at 2:30, skipped in both', expression: '30 2 * * *', quick: true },
  { label: 'twice a day', expression: '0 6,18 * * *' },
  { label: 'office hours', expression: '*/15 9-17 * * 1-5', quick: true },
  { label: 'working mornings', expression: '0 9 * * 1-5' },
  { label: 'weekdays by name', expression: '45 7 * * MON,WED,FRI' },
  { label: 'weekends', expression: '0 10 * * 0,6', quick: true },
  { label: 'weekly', expression: '0 0 * * 1' },
  { label: 'monthly', expression: '0 0 1 * *', quick: true },
  { label: 'twice a month', expression: '0 12 1,15 * *' },
  { label: 'the 31st', expression: '0 0 31 * *', quick: true },
  { label: 'a range of days', expression: '0 3 10-20 * *' },
  { label: 'quarterly', expression: '0 4 1 1,4,7,10 *' },
  { label: 'summer', expression: '0 */6 * 6-8 *', quick: true },
  { label: 'yearly', expression: '0 0 1 1 *' },
  { label: 'christmas night', expression: '59 23 25 12 *' },
  { label: '29 February', expression: '0 0 29 2 *', quick: true },
  { label: 'the 13th or a Friday', expression: '0 0 13 * 5', quick: true },
  { label: 'the 1st, the 15th or a Monday', expression: '0 9 1,15 * 1' },
  { label: 'all fields', expression: '10-50/20 8-18 * 3,9 1-5', quick: true },
]

export const chosenCases = (quick: boolean): readonly Case[] =>
  quick ? cases.filter((entry) => entry.quick) : cases

export const zones = ['UTC', 'America/New_York', 'Europe/Paris'] as const
export type ZoneName = (typeof zones)[number]
