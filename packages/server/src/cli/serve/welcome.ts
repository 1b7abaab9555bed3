import { defaultServer } from '../../process/key-source.js'
import type { FirstTenant } from '../../start/first-tenant.js'
import { isPostgres, type ServeOptions } from '../../start/serve-options.js'
import type { Service } from '../../start/service.js'
import { isLoopback } from './kept-key.js'

type Served = Pick<Service, 'url' | 'created'>
type Said = Pick<ServeOptions, 'roles' | 'database' | 'publicUrl'>

/** What `kron serve` says once it works: what it does, where, and what its user needs next. */
export function welcome({ url, created }: Served, { roles, database, publicUrl }: Said): string {
  const where = isPostgres(database) ? 'PostgreSQL' : database
  const lines = [`kron serves ${roles.join(', ')} on ${where}. Ctrl-C stops it.`]
  if (url !== null) lines.push(...addressLines(url, roles.includes('api'), publicUrl))
  if (created !== null) lines.push(...tenantLines(created))
  return `${lines.join('\n')}\n`
}

function addressLines(url: string, hasApi: boolean, publicUrl: string | undefined): string[] {
  if (!hasApi) return [`  Health and metrics   ${url}`]
  const shown = `  API   ${url}/api/v1`
  const reached = publicUrl ?? (isLoopback(new URL(url).hostname) ? url : null)
  if (reached === null || reached === defaultServer) return [shown]
  return [shown, `  For kron in another terminal: export KRON_SERVER=${reached}`]
}

function tenantLines({ tenant, text, kept, signingSecret }: FirstTenant): string[] {
  return [
    `  Created tenant "${tenant.name}".`,
    ...(kept?.path
      ? [`  Its API key is in ${kept.path}: kron finds it there, and cat shows it.`]
      : ['  Save its API key; it will not be shown again:', `  ${text}`]),
    ...(kept?.path === null
      ? [
          `  kron does not find it by itself: ${kept.why}.`,
          `  To use it in another terminal: export KRON_KEY=<the key above>`,
        ]
      : []),
    '  Requests are signed with this secret. Save it; it will not be shown again:',
    `  ${signingSecret}`,
  ]
}
