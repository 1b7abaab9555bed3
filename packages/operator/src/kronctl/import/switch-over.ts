import type { KronJob } from '../../kronjob/index.js'
import type { Conversion } from './convert-cron-job.js'

/** How to go from CronJobs to KronJobs so that nothing runs twice. */
export function switchOverLines(converted: readonly Conversion[], file: string | null): string[] {
  const { name, namespace } = (converted[0]!.kronJob as unknown as KronJob).metadata
  const where = namespace === undefined ? name : `${name} -n ${namespace}`
  const others = converted.length > 1 ? ', and so on for the others' : ''
  return [
    `hint: to switch over so that nothing runs twice, suspend the CronJob first${others}:`,
    `  kubectl patch cronjob ${where} -p '{"spec":{"suspend":true}}'`,
    `  kubectl apply -f ${file ?? 'kronjobs.yaml    # what is printed here, or use --out'}`,
    `  kubectl delete cronjob ${where}    # when the KronJob has run`,
  ]
}
