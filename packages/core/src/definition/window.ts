import { boundedDuration, choice, readFields } from './fields.js'
import { limits } from './limits.js'

/** Where the nominal time stands in the window: at its start, its middle or its end. */
export type WindowMode = 'after' | 'around' | 'before'

export interface WindowSpec {
  readonly mode: WindowMode
  /** Milliseconds. */
  readonly duration: number
}

/** `center` is another spelling of `around`; a duration is text or milliseconds. */
export interface WindowInput {
  readonly mode?: WindowMode | 'center' | undefined
  readonly duration?: string | number | undefined
}

/** Most jobs have this one; a host of many thousands need not keep as many copies. */
const noWindow: WindowSpec = Object.freeze({ mode: 'after', duration: 0 })

export function resolveWindow(input: unknown, field = 'window'): WindowSpec {
  const fields = readFields(input, field, ['mode', 'duration'])
  const typed = fields.get('mode') === 'center' ? 'around' : fields.get('mode')
  const mode = choice<WindowMode>(
    typed,
    `${field}.mode`,
    ['after', 'around', 'before'],
    'KRON_WINDOW_MODE_UNKNOWN',
  )
  const duration = boundedDuration(fields.get('duration'), `${field}.duration`, limits.windowMs)
  return mode === 'after' && duration === 0 ? noWindow : Object.freeze({ mode, duration })
}
