/** What is told of a KronJob: shown by `kubectl describe kronjob`. */
export const eventReasons = [
  'JobCreated',
  'JobAlreadyExists',
  'SkippedConcurrency',
  'SkippedSuperseded',
  'MissedDeadline',
  'Unschedulable',
  'Replaced',
  'ReplacementWaiting',
  'JobRefused',
  'NoDecision',
  'NotResponsible',
  'InvalidSpec',
  'TemplateWarning',
  'JobCompleted',
  'JobFailed',
] as const
export type EventReason = (typeof eventReasons)[number]

export interface KronEvent {
  readonly reason: EventReason
  readonly type: 'Normal' | 'Warning'
  readonly message: string
  /** Two events of one KronJob with the same reason and subject are the same event. */
  readonly subject: string
}
