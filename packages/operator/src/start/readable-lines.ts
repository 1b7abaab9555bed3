import {
  counted,
  instantText,
  type LineFormat,
  type PlainValue,
  type Sentence,
  type SentenceFields,
  sentenceLines,
  styleFor,
} from '@kron/runtime'

/** The log of `kron-operator start` for people at a terminal: a time, a KronJob, a sentence. */
export function readableLines(env: Readonly<Record<string, string | undefined>>): LineFormat {
  const style = styleFor({ isTerminal: true, env, allowed: true })
  let lastError: PlainValue | undefined
  const error: Sentence = ({ message, operation }) => {
    // A request that is repeated every second is reported once.
    if (message === lastError) return null
    lastError = message
    return ['error', `${failureText(String(message))}${isRepeated(operation) ? again : ''}`]
  }
  return sentenceLines({ style, sentences: { ...defaultSentences, error }, nameOf })
}

const defaultSentences: Readonly<Record<string, Sentence>> = {
  start: ({ version, server, namespace }) => [
    'plain',
    `kron-operator ${version} runs ${scopeText(namespace)} on ${server}`,
  ],
  foreground: () => ['strong', 'runs in the foreground; this is its log. Ctrl-C stops it.'],
  listening: ({ address }) => ['plain', `serves metrics and health on ${address}`],
  leading: () => ['plain', 'is the leader: it creates Jobs while other replicas wait'],
  led: () => ['plain', 'is no longer the leader'],
  leadership_lost: ({ lease_holder }) => ['warning', `lost leadership to ${lease_holder}`],
  ready: ({ kronjobs }) => ['plain', `read ${counted(Number(kronjobs), 'KronJob')}`],
  decision: ({ chosen_time, reason }, at) =>
    chosen_time === null
      ? ['warning', `will not run in this period: ${reason}`]
      : ['faint', `next run ${instantText(chosen_time, at)}`],
  trigger: () => null,
  not_responsible: () => null,
  started: ({ job, existed }) =>
    existed === true ? ['plain', `Job ${job} already exists`] : ['accent', `created Job ${job}`],
  skipped_concurrency: () => ['warning', 'skipped: the previous Job is still active'],
  skipped_superseded: () => ['warning', 'skipped: the next period has begun'],
  missed_deadline: ({ reason }) => ['error', `missed: ${reason}`],
  constraint_unsatisfiable: ({ reason }) => ['warning', `did not run: ${reason}`],
  replaced: ({ job }) => ['warning', `deleted Job ${job} to start the next one`],
  replacement_waiting: ({ job }) => ['warning', `waits until Job ${job} is gone`],
  completed: ({ job, result }) =>
    result === 'failed' ? ['error', `Job ${job} failed`] : ['good', `Job ${job} succeeded`],
  clock_jump: ({ from, to }) => ['warning', `the clock was set from ${from} to ${to}`],
  log_dropped: ({ lines }) => ['warning', `${lines} lines of this log were dropped`],
  stop: () => ['plain', 'stopped'],
}

const scopeText = (namespace: PlainValue | undefined): string =>
  namespace === null ? 'the KronJobs of all namespaces' : `the KronJobs of namespace ${namespace}`

const again = '. Retrying until it succeeds.'

const isRepeated = (operation: PlainValue | undefined): boolean =>
  operation === 'acquire_lease' || operation === 'list'

/** What is wrong and what helps, before the words of the API server where those don't say it. */
function failureText(message: string): string {
  const meaning = meanings.find(([words]) => words.test(message))?.[1]
  return meaning === undefined ? message : `${meaning} (${message})`
}

const meanings: readonly (readonly [words: RegExp, meaning: string])[] = [
  [
    /\/apis\/kron\.io\/.* was answered with 404/,
    'the cluster has no kind KronJob: kron-operator manifests crd | kubectl apply -f - installs it',
  ],
  [/^Unauthorized$/, 'the credentials are not valid: log in again, or name another --context'],
  [
    / is forbidden: User /,
    'a permission is missing: kron-operator manifests operator prints all that are needed',
  ],
  [
    / failed: connect /,
    'the API server does not answer: kubectl cluster-info asks the same server',
  ],
]

/** The KronJob with its namespace, or the program where a line is about no KronJob. */
function nameOf({ identity, event }: SentenceFields): string {
  return typeof identity === 'string' && event !== 'start' ? identity : 'kron-operator'
}
