import { existsSync } from 'node:fs'
import { CommandFailure, exitCodes } from '@kron/command'
import { createAddressGuard } from '../../dispatch/index.js'
import { isId, type Tenant } from '../../domain/index.js'
import type { Host } from '../../process/host.js'
import { makeFolder, openStore } from '../../start/open-store.js'
import { openVault } from '../../start/open-vault.js'
import { type DataOptions, isPostgres } from '../../start/serve-options.js'
import type { Store } from '../../store/index.js'
import type { UseCasePorts } from '../../use-cases/index.js'
import { ambiguous, unknown } from '../selection.js'
import { type DataArguments, dataOptions } from '../serve/data-arguments.js'
import { startFailure } from '../serve/start-failure.js'

/** Beside servers that have connections of their own. */
const connections = 2

/** Does something with the database itself, which is closed however that ends. */
export async function withDatabase<T>(
  given: DataArguments,
  host: Host,
  work: (store: Store, options: DataOptions) => Promise<T>,
): Promise<T> {
  const options = dataOptions(given, host, connections)
  try {
    const store = await openStore(options, host.clock)
    try {
      return await work(store, options)
    } finally {
      await store.close()
    }
  } catch (error) {
    throw startFailure(error, { ...options, host: '', port: null })
  }
}

/** An SQLite file that is not there would be made, and a mistyped path answer with nothing. */
export function checkExists(given: DataArguments, host: Host): void {
  const { database } = dataOptions(given, host, connections)
  if (isPostgres(database) || existsSync(database)) return
  throw new CommandFailure(exitCodes.input, `there is no database ${database}`, [
    'hint: --data, --database or KRON_DATABASE names another; kron serve creates one',
  ])
}

/** For a database that may yet have to be made. */
export async function prepareFolder(given: DataArguments, host: Host): Promise<void> {
  const options = dataOptions(given, host, connections)
  try {
    await makeFolder(options)
  } catch (error) {
    throw startFailure(error, { ...options, host: '', port: null })
  }
}

/**
 * What seals must be what the servers of this database open with: once it has tenants, a new key
 * would seal what none of them can read.
 */
export async function portsOf(store: Store, options: DataOptions): Promise<UseCasePorts> {
  const vault = await openVault(store, options)
  return { store, vault, addressGuard: createAddressGuard() }
}

/** For what neither seals nor opens anything: it works where the sealing key is not. */
export function portsWithoutKey(store: Store): UseCasePorts {
  const refuse = (): never => {
    throw new Error('this command has no sealing key')
  }
  const vault = {
    keyIds: [],
    seal: refuse,
    open: refuse,
    fingerprint: refuse,
    isFingerprint: refuse,
  }
  return { store, vault, addressGuard: createAddressGuard() }
}

const pageSize = 1_000

/** In the order in which they were made. */
export async function allTenants(store: Store): Promise<readonly Tenant[]> {
  const tenants: Tenant[] = []
  for (;;) {
    const after = tenants.at(-1)?.id ?? null
    const page = await store.system((rows) => rows.tenants(pageSize, after))
    tenants.push(...page)
    if (page.length < pageSize) return tenants
  }
}

/** By its id, or by a name that only one has. */
export async function findTenant(store: Store, text: string): Promise<Tenant> {
  if (isId('ten', text)) {
    const tenant = await store.system((rows) => rows.tenant(text))
    if (tenant !== null) return tenant
    throw new CommandFailure(exitCodes.input, `no tenant has the id ${text}`)
  }
  const tenants = await allTenants(store)
  const found = tenants.filter(({ name }) => name === text)
  if (found.length === 1) return found[0]!
  throw found.length > 1 ? ambiguous('tenant', text, found) : unknown('tenant', text, tenants)
}
