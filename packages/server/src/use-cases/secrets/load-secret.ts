import type { SigningSecret } from '../../domain/index.js'
import type { Call } from '../call.js'
import { notFound } from '../service-error.js'

/** Signs the requests of all endpoints that name no other. Every tenant has it from the start. */
export const defaultSecretName = 'default'

export const secretNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** The secret, locked until the call ends. */
export async function loadSecret({ rows }: Call, name: string): Promise<SigningSecret> {
  return there(secretNamePattern.test(name) ? await rows.secrets.get(name) : null)
}

/** The same for those who change nothing. */
export async function readSecret({ rows }: Call, name: string): Promise<SigningSecret> {
  return there(secretNamePattern.test(name) ? await rows.secrets.read(name) : null)
}

function there(secret: SigningSecret | null): SigningSecret {
  if (secret === null) throw notFound('secret')
  return secret
}
