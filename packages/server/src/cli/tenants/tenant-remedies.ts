import { badArgument, durationArgument } from '@kron/command'
import { scopes as allScopes, type Scope, type Tenant } from '../../domain/index.js'
import {
  createKey,
  deleteTenant,
  inCall,
  renameTenant,
  resumeTenant,
  suspendTenant,
  type UseCasePorts,
} from '../../use-cases/index.js'
import type { Output } from '../invocation.js'
import type { DataArguments } from '../serve/data-arguments.js'
import { checkExists, findTenant, portsWithoutKey, withDatabase } from './database.js'
import { operator, printTenant, tenantName } from './tenant-commands.js'

export interface NewKeyArguments {
  readonly name: string
  readonly scope?: readonly string[]
  readonly expiresIn?: string
}

export interface DeleteArguments {
  readonly yes?: boolean
  readonly confirm?: string
}

/** For who has lost all of his keys. */
export async function newKeyOfTenant(
  output: Output,
  given: DataArguments & NewKeyArguments,
  tenant: string,
): Promise<void> {
  const scopes = scopesOf(given.scope ?? ['admin'])
  const { expiresIn } = given
  const lifeMs = expiresIn === undefined ? null : durationArgument('--expires-in', expiresIn)
  const name = tenantName(given.name)
  await onTenant(output, given, tenant, async (ports, { id }) => {
    const { key, text } = await inCall(ports, askerOf(id), (call) =>
      createKey(call, { name, scopes, expiresAt: lifeMs === null ? null : call.rows.now + lifeMs }),
    )
    const { prefix } = key
    if (output.isJson) return output.printJson({ id: key.id, name, prefix, scopes, key: text })
    // Alone on stdout, so that it can go straight into a file.
    output.note(`the key ${name} (${scopes.join(', ')}); save it, it will not be shown again:`)
    output.printCells([text])
  })
}

export async function suspendTenantNow(
  output: Output,
  given: DataArguments,
  tenant: string,
): Promise<void> {
  await onTenant(output, given, tenant, async (ports, { id }) => {
    await suspendTenant(ports, askerOf(id))
    await printTenant(output, ports.store, id)
  })
}

export async function resumeTenantAgain(
  output: Output,
  given: DataArguments,
  tenant: string,
): Promise<void> {
  await onTenant(output, given, tenant, async (ports, { id }) => {
    await resumeTenant(ports, askerOf(id))
    await printTenant(output, ports.store, id)
  })
}

export async function renameTenantTo(
  output: Output,
  given: DataArguments,
  tenant: string,
  to: string,
): Promise<void> {
  const name = tenantName(to)
  await onTenant(output, given, tenant, async (ports, { id }) => {
    await inCall(ports, askerOf(id), (call) => renameTenant(call, name))
    await printTenant(output, ports.store, id)
  })
}

/** What can't be undone is asked for twice: by --yes, or by the tenant's name. */
export async function removeTenant(
  output: Output,
  given: DataArguments & DeleteArguments,
  tenant: string,
): Promise<void> {
  await onTenant(output, given, tenant, async (ports, { id, name }) => {
    if (given.yes !== true && given.confirm !== name) {
      throw badArgument(
        '--yes',
        `this deletes tenant "${name}" (${id}) with its jobs, endpoints, runs, keys and secrets`,
        `hint: add --yes, or --confirm "${name}", if that is what you want`,
      )
    }
    let rows = 0
    await deleteTenant(ports, askerOf(id), (gone) => {
      rows += gone
    })
    if (output.isJson) return output.printJson({ id, name, deleted: true, rows })
    output.printCells([`deleted tenant ${name} (${id})`])
  })
}

const askerOf = (tenantId: string) => ({ tenantId, actor: operator })

async function onTenant(
  output: Output,
  given: DataArguments,
  tenant: string,
  work: (ports: UseCasePorts, found: Tenant) => Promise<void>,
): Promise<void> {
  checkExists(given, output.host)
  await withDatabase(given, output.host, async (store) =>
    work(portsWithoutKey(store), await findTenant(store, tenant)),
  )
}

function scopesOf(given: readonly string[]): readonly Scope[] {
  return given.map((text) => {
    const scope = allScopes.find((each) => each === text)
    if (scope !== undefined) return scope
    throw badArgument('--scope', `--scope must be one of ${allScopes.join(', ')}, got "${text}"`)
  })
}
