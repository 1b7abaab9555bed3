import type { Command } from 'commander'
import { countArgument } from '../argument.js'
import { type JobDocument, listed } from '../client/index.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import { acting, type Surroundings } from '../hosted-command.js'
import type { Cell, Invocation } from '../invocation.js'
import { jobIdOf } from '../selection.js'
import { whenText } from '../text/distance.js'
import { statusCell } from '../text/status-tone.js'
import { type Confirmed, confirm } from './confirmation.js'
import { maxListed, mentionMore } from './list-options.js'

const columns = [{ title: 'job' }, { title: 'status' }, { title: 'description' }, { title: 'id' }]

export function addJobs(program: Command, surroundings: Surroundings): void {
  const jobs = program.command('jobs').description('Jobs: containers of endpoints')
  const list = jobs
    .command('list', { isDefault: true })
    .description('List jobs')
    .option('--status <status>', 'only those that are active, paused or archived')
    .option('-n, --count <number>', 'how many at most', '200')
  acting(list, surroundings, listJobs)
  const create = jobs
    .command('create')
    .description('Create a job')
    .argument('<name>', 'its name')
    .option('--description <text>', 'for people')
  acting(create, surroundings, createJob)
  acting(withJob(jobs, 'show', 'Show a job'), surroundings, showJob)
  for (const [name, description] of [
    ['pause', 'Have nothing of a job planned until it is resumed'],
    ['resume', 'Resume a job, or bring an archived one back'],
    ['archive', 'Archive a job: it stays, with its history, and nothing runs'],
  ] as const) {
    acting(withJob(jobs, name, description), surroundings, (invocation, _, job) =>
      changeJob(invocation, job!, name),
    )
  }
  const remove = withJob(jobs, 'delete', 'Delete a job with its endpoints').option(
    '--yes',
    'yes, delete it',
    false,
  )
  acting(remove, surroundings, deleteJob)
}

const withJob = (jobs: Command, name: string, description: string): Command =>
  jobs.command(name).description(description).argument('<job>', 'name or id of a job')

async function listJobs(
  invocation: Invocation,
  options: { readonly status?: string; readonly count: string },
): Promise<ExitCode> {
  const most = countArgument('--count', options.count, maxListed)
  const { status } = options
  const { items, more } = await listed<JobDocument>(invocation.client, '/jobs', { status }, most)
  if (invocation.isJson) invocation.printJson(items)
  else if (items.length === 0) invocation.printLines(['no jobs; kron jobs create makes one'])
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
  else invocation.printLines([`deleted ${job}`])
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
