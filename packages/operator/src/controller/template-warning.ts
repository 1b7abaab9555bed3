import type { KronEvent } from '../event/index.js'
import type { KronJob } from '../kronjob/index.js'

/** Enough for people; the Pod security standard alone can fill a page. */
const longest = 900
/** The reason of condition InvalidSpec, which is False then. */
export const validWithWarnings = 'ValidWithWarnings'

/** What the API server warns of in one text; null if it does not. */
export function warningText(warnings: readonly string[]): string | null {
  return warnings.length === 0 ? null : `jobTemplate: ${warnings.join('; ')}`.slice(0, longest)
}

/** What the leader before us was warned of. */
export function inheritedWarning({ status }: KronJob): string | null {
  const condition = status?.conditions?.find(({ reason }) => reason === validWithWarnings)
  return condition?.message ?? null
}

export const templateWarningEvent = (message: string, generation: number): KronEvent => ({
  reason: 'TemplateWarning',
  type: 'Warning',
  message,
  subject: `generation ${generation}: ${message}`,
})
