import { isId, type RunKey } from '../../domain/index.js'
import { type RunEvent, runEventTypes, type SecretKey } from '../store.js'

/**
 * What processes say to each other, and how it is read. Everyone who may log in to the database may
 * say anything on these channels, so that nothing is believed: what can't be read was not said.
 */
export const channels = {
  wake: 'kron_wake',
  abort: 'kron_abort',
  secret: 'kron_secret',
  events: 'kron_events',
  interest: 'kron_interest',
} as const

/** The last instant that a date can have. */
const lastInstant = 8.64e15

export const abortText = ({ endpointId, scheduledFor }: RunKey): string =>
  `${endpointId}.${scheduledFor}`

export function readWake(payload: string): number | null {
  return instantOf(payload)
}

export function readAbort(payload: string): RunKey | null {
  const [endpointId, instant, ...rest] = payload.split('.')
  const scheduledFor = instantOf(instant ?? '')
  if (!endpointId || scheduledFor === null || rest.length > 0) return null
  return { endpointId, scheduledFor }
}

export const secretText = ({ tenantId, name }: SecretKey): string => `${tenantId} ${name}`

export function readSecret(payload: string): SecretKey | null {
  const [tenantId, name, ...rest] = payload.split(' ')
  if (!tenantId || !isId('ten', tenantId) || !name || rest.length > 0) return null
  return { tenantId, name }
}

/** Said with the name of who says it, which hears itself and has no use for that. */
export interface Saying {
  readonly origin: string
  readonly said: string
}

export const sayingText = ({ origin, said }: Saying): string => `${origin} ${said}`

export function readSaying(payload: string): Saying | null {
  const space = payload.indexOf(' ')
  if (space < 1) return null
  return { origin: payload.slice(0, space), said: payload.slice(space + 1) }
}

export function readInterest(said: string): string | null {
  return isId('ten', said) ? said : null
}

export const eventsText = (events: readonly RunEvent[]): string => JSON.stringify(events)

export function readEvents(said: string): readonly RunEvent[] {
  try {
    const events: unknown = JSON.parse(said)
    return Array.isArray(events) && events.every(isEvent) ? events : []
  } catch {
    return []
  }
}

function isEvent(value: unknown): value is RunEvent {
  if (typeof value !== 'object' || value === null) return false
  const { tenantId, type, subject, status, at } = value as Partial<RunEvent>
  const isNamed = typeof tenantId === 'string' && typeof subject === 'string'
  const hasStatus = status === null || typeof status === 'string'
  return isNamed && hasStatus && runEventTypes.some((known) => known === type) && isInstant(at)
}

function instantOf(text: string): number | null {
  return /^\d{1,16}$/.test(text) && isInstant(Number(text)) ? Number(text) : null
}

function isInstant(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= lastInstant
}
