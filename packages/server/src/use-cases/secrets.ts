import { randomBytes } from 'node:crypto'
import { newId, type SecretValue, type SigningSecret, secretNamePattern } from '../domain/index.js'
import { everyItem } from '../store/index.js'
import type { Call } from './call.js'
import { auditChange, checkVersion, type VersionCondition } from './change.js'
import { existing, invalidField, Refusal } from './refusal.js'

/** Signs the requests of all endpoints that name no other. Every tenant has it from the start. */
export const defaultSecretName = 'default'

/** The secret, locked until the call ends. */
async function loadSecret({ rows }: Call, name: string): Promise<SigningSecret> {
  return existing(secretNamePattern.test(name) ? await rows.secrets.get(name) : null, 'secret')
}

/** The same for those who change nothing. */
export async function readSecret({ rows }: Call, name: string): Promise<SigningSecret> {
  return existing(secretNamePattern.test(name) ? await rows.secrets.read(name) : null, 'secret')
}

export interface StoredSecret {
  readonly secret: SigningSecret
  readonly created: boolean
  /** The value, if it was created here. It is not shown again. */
  readonly text: string | null
}

/** Creates a secret, or replaces its value at once; `rotateSecret` lets both sign for a while. */
export async function putSecret(
  call: Call,
  name: string,
  given: string | null,
  condition: VersionCondition,
): Promise<StoredSecret> {
  const { rows, tenantId } = call
  if (!secretNamePattern.test(name)) {
    const message = 'name must be 1 to 63 letters, digits, dots, dashes and underscores'
    throw invalidField('name', 'invalid_format', message)
  }
  const before = await rows.secrets.get(name)
  if (before !== null) checkVersion(condition, before.version)
  else if (condition !== null) {
    throw new Refusal('precondition_failed', 'There is no such secret yet.')
  }
  const { text, value } = newValue(call, given)
  const secret: SigningSecret = {
    id: before?.id ?? newId('sec', rows.now),
    tenantId,
    name,
    version: (before?.version ?? 0) + 1,
    createdAt: before?.createdAt ?? rows.now,
    updatedAt: rows.now,
    values: [value],
  }
  await rows.secrets.put(secret)
  await auditChange(call, {
    action: before === null ? 'secret.create' : 'secret.replace',
    subject: secret.id,
    before: before && { name, version: before.version },
    after: { name, version: secret.version },
  })
  return { secret, created: before === null, text: given === null ? text : null }
}

/** However often it is rotated: each of them is one more signature in every request. */
const maxValues = 4

export interface Rotation {
  /** How long the values before it go on signing. */
  readonly overlapMinutes: number
  readonly value: string | null
}

/** A new value signs from now on, and the old ones as well until the overlap is over. */
export async function rotateSecret(
  call: Call,
  name: string,
  { overlapMinutes, value: given }: Rotation,
): Promise<StoredSecret> {
  const { rows } = call
  const before = await loadSecret(call, name)
  const overlapEnd = rows.now + overlapMinutes * 60_000
  const { text, value } = newValue(call, given)
  const old = before.values
    .map((past) => ({ ...past, expiresAt: Math.min(past.expiresAt ?? overlapEnd, overlapEnd) }))
    .filter((past: SecretValue) => past.expiresAt !== null && past.expiresAt > rows.now)
  const secret: SigningSecret = {
    ...before,
    version: before.version + 1,
    updatedAt: rows.now,
    values: [value, ...old].slice(0, maxValues),
  }
  await rows.secrets.put(secret)
  await auditChange(call, {
    action: 'secret.rotate',
    subject: secret.id,
    before: { version: before.version },
    after: { version: secret.version, overlapMinutes },
  })
  return { secret, created: false, text: given === null ? text : null }
}

export async function deleteSecret(
  call: Call,
  name: string,
  condition: VersionCondition,
): Promise<void> {
  const { id, version } = await loadSecret(call, name)
  checkVersion(condition, version)
  await checkUnused(call, name)
  await call.rows.secrets.delete(name)
  const before = { name, version }
  await auditChange(call, { action: 'secret.delete', subject: id, before, after: null })
}

/** An endpoint whose secret is gone would send requests that its receiver refuses. */
async function checkUnused({ rows }: Call, name: string): Promise<void> {
  if (name === defaultSecretName) throw inUse('endpoints that name no secret of their own')
  for await (const { endpoint } of everyItem((page) => rows.endpoints.list(page))) {
    if (endpoint.definition.secret === name) throw inUse(`endpoint ${endpoint.id}`)
  }
}

const inUse = (whom: string): Refusal =>
  new Refusal('secret_in_use', `The secret signs for ${whom}.`)

const prefix = 'whsec_'
const newBytes = 32
const minBytes = 24
const maxBytes = 64
export const secretValuePattern =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

interface NewValue {
  readonly text: string
  readonly value: SecretValue
}

/** The value that was given, checked, or a new one; sealed for the store. */
function newValue(call: Call, given: string | null): NewValue {
  const text = given ?? `${prefix}${randomBytes(newBytes).toString('base64')}`
  checkValue(text)
  const sealed = call.vault.seal(text, { purpose: 'secret', tenantId: call.tenantId })
  return { text, value: { sealed, createdAt: call.rows.now, expiresAt: null } }
}

function checkValue(text: string): void {
  const match = secretValuePattern.exec(text)
  const bytes = match === null ? 0 : Buffer.from(match[1]!, 'base64').length
  if (bytes >= minBytes && bytes <= maxBytes) return
  // What was given is not repeated: it may be a secret with a typing error.
  throw invalidField(
    'value',
    'secret_invalid',
    `value must be ${prefix} and then ${minBytes} to ${maxBytes} bytes in base 64`,
  )
}
