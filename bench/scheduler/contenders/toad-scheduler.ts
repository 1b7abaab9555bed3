import { AsyncTask, CronJob, ToadScheduler } from 'toad-scheduler'
import { nothingToStop, type Register } from './contender.ts'

export const register: Register = async (tasks) => {
  const scheduler = new ToadScheduler()
  for (const { name, expression, callback } of tasks) {
    const task = new AsyncTask(name, callback)
    scheduler.addCronJob(new CronJob({ cronExpression: expression }, task, { id: name }))
  }
  return nothingToStop
}
