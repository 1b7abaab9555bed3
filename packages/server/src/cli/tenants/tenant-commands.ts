import { badArgument, type Cell } from '@kron/command'
import { grouped } from '@kron/runtime'
import {
  hiddenCharacter,
  instantText,
  maxNameLength,
  monthEnd,
  type Tenant,
} from '../../domain/index.js'
import type { Store } from '../../store/index.js'
import { changeQuotas, changeRetention, createTenant, holdToFloor } from '../../use-cases/index.js'
import type { Output } from '../invocation.js'
import type { DataArguments } from '../serve/data-arguments.js'
import { whenText } from '../text/distance.js'
import { printQuotas } from '../text/quota-text.js'
import {
  allTenants,
  checkExists,
  findTenant,
  portsOf,
  portsWithoutKey,
  prepareFolder,
  withDatabase,
} from './database.js'
import {
  type QuotaArguments,
  quotaChange,
  type RetentionArguments,
  retentionChange,
} from './tenant-change.js'

/** Who did it, in the audit log: somebody with the database itself. */
export const operator = 'operator'

export async function listTenants(output: Output, given: DataArguments): Promise<void> {
  checkExists(given, output.host)
  const tenants = await withDatabase(given, output.host, allTenants)
  if (output.isJson) return output.printJson(tenants.map(documentOf))
  const rows = tenants.map((tenant) => {
    const { runsPerMonth } = tenant.quotas
    return [
      tenant.name,
      instantText(tenant.createdAt),
      stateOf(tenant),
      runsPerMonth === null ? 'no limit' : grouped(runsPerMonth),
      ['faint', tenant.id] as const,
    ]
  })
  const runs = { title: 'runs a month', align: 'right' as const }
  output.printTable(
    [{ title: 'tenant' }, { title: 'created' }, { title: 'state' }, runs, { title: 'id' }],
    rows,
  )
}

/** A name that people can read. */
export function tenantName(text: string): string {
  if (!/\S/.test(text) || text.length > maxNameLength) {
    throw badArgument('name', `the name must have 1 to ${maxNameLength} characters`)
  }
  const found = hiddenCharacter(text)
  if (found !== null) throw badArgument('name', `the name ${found.words}`)
  return text
}

export async function makeTenant(
  output: Output,
  given: DataArguments,
  name: string,
): Promise<void> {
  tenantName(name)
  await prepareFolder(given, output.host)
  const made = await withDatabase(given, output.host, async (store, options) =>
    createTenant(await portsOf(store, options), { name, actor: operator }),
  )
  const { tenant, key, text, signingSecret } = made
  if (output.isJson) {
    const shown = { id: key.id, prefix: key.prefix, scopes: key.scopes, key: text }
    return output.printJson({ tenant: documentOf(tenant), key: shown, signingSecret })
  }
  output.note('save the key and the signing secret: they will not be shown again')
  output.printDetails([
    ['tenant', ['strong', tenant.name]],
    ['id', tenant.id],
    ['key', text],
    ['signing secret', signingSecret],
  ])
}

export async function showTenant(
  output: Output,
  given: DataArguments,
  name: string,
): Promise<void> {
  checkExists(given, output.host)
  await withDatabase(given, output.host, async (store) =>
    print(output, store, await findTenant(store, name)),
  )
}

export async function setQuotas(
  output: Output,
  given: DataArguments & QuotaArguments,
  name: string,
): Promise<void> {
  const change = quotaChange(given)
  checkExists(given, output.host)
  await withDatabase(given, output.host, async (store) => {
    const { id } = await findTenant(store, name)
    const changed = await store.tenant(id, (rows) =>
      changeQuotas({ rows, tenantId: id, actor: operator }, change),
    )
    const floorMs = change.minIntervalMs ?? null
    const asker = { tenantId: id, actor: operator }
    if (floorMs !== null) await holdToFloor(portsWithoutKey(store), asker, floorMs)
    await print(output, store, changed)
  })
}

export async function setRetention(
  output: Output,
  given: DataArguments & RetentionArguments,
  name: string,
): Promise<void> {
  const change = retentionChange(given)
  checkExists(given, output.host)
  await withDatabase(given, output.host, async (store) => {
    const { id } = await findTenant(store, name)
    const changed = await store.tenant(id, (rows) =>
      changeRetention({ rows, tenantId: id, actor: operator }, change),
    )
    await print(output, store, changed)
  })
}

const documentOf = ({ createdAt, suspendedAt, ...same }: Tenant) => ({
  ...same,
  createdAt: instantText(createdAt),
  suspendedAt: suspendedAt === undefined ? null : instantText(suspendedAt),
})

/** As it is by now. */
export async function printTenant(output: Output, store: Store, id: string): Promise<void> {
  await print(output, store, await store.tenant(id, (rows) => rows.tenant.get()))
}

const stateOf = ({ suspendedAt }: Tenant): Cell =>
  suspendedAt === undefined
    ? ['good', 'active']
    : ['warning', `suspended since ${instantText(suspendedAt)}`]

async function print(output: Output, store: Store, tenant: Tenant): Promise<void> {
  const { usage, now } = await store.tenant(tenant.id, async (rows) => ({
    usage: await rows.tenant.usage(),
    now: rows.now,
  }))
  const resetsAt = instantText(monthEnd(now))
  if (output.isJson) return output.printJson({ ...documentOf(tenant), usage, resetsAt })
  const { quotas, retention } = tenant
  output.printDetails([
    ['tenant', ['strong', tenant.name]],
    ['id', tenant.id],
    ['created', whenText(instantText(tenant.createdAt), output.now)],
    ['state', stateOf(tenant)],
    ['runs are kept', `${retention.runDays}d, ${grouped(retention.runsPerEndpoint)} an endpoint`],
    ['bodies are kept', `${retention.bodyDays}d`],
  ])
  output.printCells([''])
  printQuotas(output, { quotas: { ...quotas }, usage: { ...usage }, resetsAt })
}

/** Of all tenants together. Their quotas are options of `kron serve`, and not in the database. */
export async function showSystemUsage(output: Output, given: DataArguments): Promise<void> {
  checkExists(given, output.host)
  const { usage, resetsAt } = await withDatabase(given, output.host, (store) =>
    store.system(async (rows) => ({
      usage: await rows.usage(),
      resetsAt: instantText(monthEnd(rows.now)),
    })),
  )
  if (output.isJson) return output.printJson({ usage, resetsAt })
  output.printTable(
    [{ title: 'of all tenants' }, { title: 'used', align: 'right' }],
    [
      ['runs this month', grouped(usage.runs)],
      ['AI calls this month', grouped(usage.aiCalls)],
      ['AI tokens this month', grouped(usage.aiTokens)],
    ],
  )
  output.printCells(['', `months begin again at ${whenText(resetsAt, output.now)}`])
}
