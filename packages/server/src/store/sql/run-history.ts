import type { Run, RunKey } from '../../domain/index.js'
import type { Page, PageRequest } from '../page.js'
import type { RunFilter } from '../tenant-transaction.js'
import { anyOf, Conditions, type Term } from './conditions.js'
import { type RunKeyRow, type RunRow, runKeyOf, runOf, selectedRun } from './run-row.js'
import { first, type Sql, type SqlValue } from './sql.js'

/**
 * How a page of runs is found without reading a history that may have millions of them.
 *
 * Each filter leads to one or more *strands*: stretches of an index in which the runs stand newest
 * first. What a strand's index can't tell is looked at row by row, and there the number of rows is
 * bounded: a page that would need more ends early, with a cursor from which the next one goes on.
 *
 *   filter     strands                                  looked at row by row
 *   endpoint   one                                      status, source
 *   job        one for each endpoint, deleted ones      status, source; for a large job the job too
 *              too; where the job has many, the
 *              tenant's, once for either kind
 *   source     one                                      status
 *   status     SQLite: one for each; the tenant's       PostgreSQL, and success: status
 *              where success is among them
 *   none       the tenant's
 *
 * Filters must not cost those who only run jobs. So success is in no index: most runs end with it,
 * and are found soon among all runs. PostgreSQL has no index on the status at all: it changes with
 * every run that ends, and an update that changes what is indexed must write to all indexes of the
 * table. Measured, that doubles the cost of recording runs.
 */
export const maxRowsLooked = 50_000
const maxStrands = 32

export type RunListRequest = PageRequest & RunFilter

interface Strand {
  /** What the index answers. */
  readonly index: readonly Term[]
  /** What is asked of each row. */
  readonly rows: readonly Term[]
}

interface StrandPart {
  readonly found: readonly RunRow[]
  /** The last run that was looked at, where there are more that were not. */
  readonly horizon: RunKey | null
}

export async function listRuns(
  sql: Sql,
  tenantId: string,
  request: RunListRequest,
  maxLooked = maxRowsLooked,
): Promise<Page<Run>> {
  const strands = await strandsOf(sql, tenantId, request)
  const parts: StrandPart[] = []
  for (const strand of strands) {
    parts.push(await readStrand(sql, strand, request, Math.ceil(maxLooked / strands.length)))
  }
  return mergedPage(parts, request)
}

async function strandsOf(
  sql: Sql,
  tenantId: string,
  { endpointId, jobId, status = [], source }: RunListRequest,
): Promise<readonly Strand[]> {
  const ofTenant: Term = ['tenant_id = ?', tenantId]
  const statusTerm: Term[] = status.length === 0 ? [] : [anyOf('status', status)]
  const sourceTerm: Term[] = source === undefined ? [] : [['source = ?', source]]
  const ofEndpoint = (id: string): Strand => ({
    // Not a plain comparison of the tenant: a database might go through all of its runs for it.
    index: [
      [`tenant_id || '' = ?`, tenantId],
      ['endpoint_id = ?', id],
    ],
    rows: [...statusTerm, ...sourceTerm],
  })
  const parts: Term[][] = []
  if (jobId === undefined) {
    if (endpointId !== undefined) return [ofEndpoint(endpointId)]
    parts.push([])
  } else {
    const endpoints: string[] = []
    for (const table of jobTables) {
      const found = await endpointsOf(sql, table, tenantId, jobId, endpointId)
      endpoints.push(...found)
      if (found.length > 0) parts.push([ofJob(table, tenantId, jobId)])
    }
    if (endpoints.length <= maxStrands) return endpoints.map(ofEndpoint)
  }
  return parts.flatMap((jobTerm): readonly Strand[] => {
    if (source !== undefined) {
      return [{ index: [ofTenant, ...sourceTerm], rows: [...jobTerm, ...statusTerm] }]
    }
    if (sql.dialect === 'sqlite' && status.length > 0 && !status.includes('success')) {
      return [...new Set(status)].map((each) => ({
        // As the index says it: SQLite takes no parameter for another status.
        index: [ofTenant, ['status = ?', each], [`status <> 'success'`]],
        rows: jobTerm,
      }))
    }
    return [{ index: [ofTenant], rows: [...jobTerm, ...statusTerm] }]
  })
}

/** Where the endpoints of a job stand, the deleted ones apart: one look at both has no good plan. */
const jobTables = [
  ['endpoints', 'id'],
  ['deleted_endpoints', 'endpoint_id'],
] as const
type JobTable = (typeof jobTables)[number]

const ofJob = ([table, key]: JobTable, tenantId: string, jobId: string): Term => [
  `endpoint_id IN (SELECT ${key} FROM ${table} WHERE tenant_id = ? AND job_id = ?)`,
  tenantId,
  jobId,
]

/** One more than there may be strands, at most. */
async function endpointsOf(
  sql: Sql,
  [table, key]: JobTable,
  tenantId: string,
  jobId: string,
  only: string | undefined,
): Promise<readonly string[]> {
  const where = new Conditions().and('tenant_id = ?', tenantId).and('job_id = ?', jobId)
  if (only !== undefined) where.and(`${key} = ?`, only)
  const limit = where.add(maxStrands + 1)
  const text = `SELECT ${key} AS id FROM ${table} WHERE ${where.text} ORDER BY ${key} LIMIT ${limit}`
  return (await sql.all<{ id: string }>(text, where.parameters)).map(({ id }) => id)
}

async function readStrand(
  sql: Sql,
  strand: Strand,
  request: RunListRequest,
  maxLooked: number,
): Promise<StrandPart> {
  const query = strandQuery(sql, strand, request, maxLooked)
  const found = await sql.all<RunRow>(query.text, query.parameters)
  if (strand.rows.length === 0 || found.length > request.limit) return { found, horizon: null }
  const last = lastLookedQuery(strand, request, maxLooked)
  const row = await first<RunKeyRow>(sql, last.text, last.parameters)
  return {
    found,
    horizon: row && runKeyOf(row),
  }
}

export interface Query {
  readonly text: string
  readonly parameters: readonly SqlValue[]
}

const newestFirst = 'ORDER BY scheduled_for DESC, endpoint_id DESC'

/** One more than the page has, which tells whether there is a next one. */
function strandQuery(
  { dialect }: Pick<Sql, 'dialect'>,
  strand: Strand,
  request: RunListRequest,
  maxLooked: number,
): Query {
  const where = indexConditions(strand, request)
  if (strand.rows.length === 0) {
    const text = `SELECT ${selectedRun} FROM runs WHERE ${where.text} ${newestFirst}
      LIMIT ${where.add(request.limit + 1)}`
    return { text, parameters: where.parameters }
  }
  const looked = `SELECT endpoint_id, scheduled_for, status, source FROM runs WHERE ${where.text}
    ${newestFirst} LIMIT ${where.add(maxLooked)}`
  const rows = new Conditions(where.parameters)
  for (const [text, ...values] of strand.rows) rows.and(text, ...values)
  // SQLite takes the rows as they come and stops at the limit; told to sort, it reads them all.
  const order = dialect === 'sqlite' ? '' : newestFirst
  const text = `SELECT ${selectedRun} FROM runs WHERE (endpoint_id, scheduled_for) IN (
      SELECT endpoint_id, scheduled_for FROM (${looked}) looked
      WHERE ${rows.text} ${order} LIMIT ${rows.add(request.limit + 1)}
    ) ${newestFirst}`
  return { text, parameters: rows.parameters }
}

function lastLookedQuery(strand: Strand, request: RunListRequest, maxLooked: number): Query {
  const where = indexConditions(strand, request)
  const text = `SELECT endpoint_id, scheduled_for FROM runs WHERE ${where.text} ${newestFirst}
    LIMIT 1 OFFSET ${where.add(maxLooked - 1)}`
  return { text, parameters: where.parameters }
}

function indexConditions(strand: Strand, { from, before, after }: RunListRequest): Conditions {
  const where = new Conditions()
  for (const [text, ...values] of strand.index) where.and(text, ...values)
  if (from !== undefined) where.and('scheduled_for >= ?', from)
  if (before !== undefined) where.and('scheduled_for < ?', before)
  if (after !== null) {
    const { scheduledFor, endpointId } = keyOfCursor(after)
    where.and('(scheduled_for, endpoint_id) < (?, ?)', scheduledFor, endpointId)
  }
  return where
}

/** Beyond the newest horizon a strand may have runs that nobody has looked at. */
function mergedPage(parts: readonly StrandPart[], { limit }: PageRequest): Page<Run> {
  const horizons = parts.flatMap(({ horizon }) => (horizon === null ? [] : [horizon]))
  const [horizon = null] = horizons.toSorted(byAge)
  const found = parts
    .flatMap((part) => part.found)
    .map(runOf)
    .toSorted(byAge)
  const certain = horizon === null ? found : found.filter((run) => byAge(run, horizon) <= 0)
  const items = certain.slice(0, limit)
  const last = certain.length > limit ? items.at(-1)! : horizon
  return { items, next: last && cursorOf(last) }
}

/** The newest first: by instant, then by endpoint, which makes the order total. */
function byAge(one: RunKey, other: RunKey): number {
  if (one.scheduledFor !== other.scheduledFor) return other.scheduledFor - one.scheduledFor
  if (one.endpointId === other.endpointId) return 0
  return one.endpointId > other.endpointId ? -1 : 1
}

const cursorOf = ({ scheduledFor, endpointId }: RunKey): string => `${scheduledFor}.${endpointId}`

function keyOfCursor(cursor: string): RunKey {
  const dot = cursor.indexOf('.')
  return { scheduledFor: Number(cursor.slice(0, dot)), endpointId: cursor.slice(dot + 1) }
}
