import { newId, type SigningSecret } from '../../domain/index.js'
import { auditChange } from '../audit-change.js'
import type { Call } from '../call.js'
import { invalidField, ServiceError } from '../service-error.js'
import { checkVersion, type VersionCondition } from '../version-condition.js'
import { secretNamePattern } from './load-secret.js'
import { newValue } from './secret-value.js'

export interface StoredSecret {
  readonly secret: SigningSecret
  readonly created: boolean
  /** The value, when it was made here. This is the only time that it is seen. */
  readonly text: string | null
}

/** Makes a secret, or replaces its value at once; `rotateSecret` lets both sign for a while. */
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
    throw new ServiceError('precondition_failed', 'There is no such secret yet.')
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
