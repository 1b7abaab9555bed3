import { type Cell, countArgument, type ExitCode, exitCodes } from '@kron/command'
import type { Command } from 'commander'
import { type JobDocument, listed } from '../client/index.js'
import { acting, type CommandPorts, type Invocation } from '../invocation.js'
import { jobIdOf } from '../selection.js'
import { whenText } from '../text/distance.js'
import { statusCell } from '../text/status-tone.js'
import { type Confirmed, confirm, withConfirmation } from './confirmation.js'
import { maxListed, mentionMore, withLimit } from './list-options.js'

const columns = [{ title: 'job' }, { title: 'status' }, { title: 'description' }, { title: 'id' }]

export function addJobs(program: Command, ports: CommandPorts): void {
  const jobs = program.command('jobs').description('Manage jobs, which hold endpoints')
  const list = jobs
    .command('list', { isDefault: true })
    .description('List jobs')
    .option('--status <status>', 'only those that are active, paused or archived')
  acting(withLimit(list, '200'), ports, listJobs)
  const create = jobs
    .command('create')
    .description('Create a job')
    .argument('<name>', 'the name of the job')
    .option('--description <text>', 'a note for people')
  acting(create, ports, createJob)
  acting(withJob(jobs, 'show', 'Show a job'), ports, showJob)
  for (const [name, description] of [
    ['pause', 'Pause a job: nothing is planned until it is resumed'],
    ['resume', 'Resume a job, or bring an archived one back'],
    ['archive', 'Archive a job: it stays, with its history, and nothing runs'],
  ] as const) {
    acting(withJob(jobs, name, description), ports, (invocation, _, job) =>
      changeJob(invocation, job!, name),
    )
  }
  const remove = withConfirmation(withJob(jobs, 'delete', 'Delete a job with its endpoints'))
  acting(remove, ports, deleteJob)
}

const withJob = (jobs: Command, name: string, description: string): Command =>
  jobs.command(name).description(description).argument('<job>', 'name or id of a job')

async function listJobs(
  invocation: Invocation,
  options: { readonly status?: string; readonly limit: string },
): Promise<ExitCode> {
  const most = countArgument('--limit', options.limit, maxListed)
  const { status } = options
  const { items, more } = await listed<JobDocument>(invocation.client, '/jobs', { status }, most)
  if (invocation.isJson) invocation.printJson(items)
  else if (items.length === 0) invocation.printCells(['no jobs; kron jobs create adds one'])
  else invocation.printTable(columns, items.map(row))
  mentionMore(invocation, more)
  return exitCodes.success
}

const row = ({ name, status, description, id }: JobDocument): Cell[] => [
  name,
  statusCell(status),
  description ?? '',
  ['faint', id],
]

async function createJob(
  invocation: Invocation,
  { description }: { readonly description?: string },
  name?: string,
): Promise<ExitCode> {
  const body = { name, ...(description !== undefined && { description }) }
  return printJob(invocation, await invocation.client.post<JobDocument>('/jobs', body))
}

async function showJob(invocation: Invocation, _: unknown, job?: string): Promise<ExitCode> {
  const id = await jobIdOf(invocation.client, job!)
  return printJob(invocation, await invocation.client.get<JobDocument>(`/jobs/${id}`))
}

async function changeJob(invocation: Invocation, job: string, change: string): Promise<ExitCode> {
  const id = await jobIdOf(invocation.client, job)
  return printJob(invocation, await invocation.client.post<JobDocument>(`/jobs/${id}/${change}`))
}

async function deleteJob(invocation: Invocation, options: Confirmed, job?: string) {
  confirm(options, `deleting the job ${JSON.stringify(job)} deletes all of its endpoints as well`)
  const id = await jobIdOf(invocation.client, job!)
  await invocation.client.delete(`/jobs/${id}`)
  if (invocation.isJson) invocation.printJson({ id, deleted: true })
  else invocation.printCells([`deleted ${job}`])
  return exitCodes.success
}

function printJob(invocation: Invocation, job: JobDocument): ExitCode {
  if (invocation.isJson) invocation.printJson(job)
  else {
    invocation.printDetails([
      ['job', ['strong', job.name]],
      ['id', job.id],
      ['description', job.description],
      ['status', statusCell(job.status)],
      ['created', whenText(job.createdAt, invocation.now)],
      ['changed', whenText(job.updatedAt, invocation.now)],
      ['version', String(job.version)],
    ])
  }
  return exitCodes.success
}
