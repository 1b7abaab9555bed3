import type { Place } from '@kron/preview'
import type { KrontabFile, KrontabJob } from '../krontab/index.js'

/** Something a reader should know that keeps no job from running as it does in cron. */
export interface Notice extends Place {
  readonly message: string
}

/** A line of a crontab as it was understood. */
export type CrontabLine =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly text: string }
  | { readonly kind: 'job'; readonly text: string; readonly job: KrontabJob }
  | { readonly kind: 'left-out'; readonly text: string; readonly reason: string }
  | { readonly kind: 'invalid'; readonly text: string }

/** One of cron's own files, read as it is; to all others it is a krontab. */
export interface CrontabFile extends KrontabFile {
  /** All of its lines, in order. */
  readonly lines: readonly CrontabLine[]
  readonly notices: readonly Notice[]
}
